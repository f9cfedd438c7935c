#!/usr/bin/env bash
# sanitize.sh address,undefined | thread: builds with that sanitizer and runs the tests that suit it.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=$1
dir=build-sanitize-${kind//,/-}
# With a compiler cache, objects of one checkout serve another: -g1 alone would tie them to their folder.
export CCACHE_NOHASHDIR=1
# What runs on several threads is the pool and the executor.
targets=
[ "$kind" = thread ] && targets="tests/test_base tests/test_executor"
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 TSAN_OPTIONS=halt_on_error=1
scripts/build.sh "$dir" "-Dbuildtype=plain -Doptimization=1 -Dcpp_args=-g1 -Dexamples=false -Dbench=false -Ddefault_library=static \
  -Db_sanitize=$kind -Db_lundef=false -Dmodel_zoo=${GE_MODEL_ZOO:-}" $targets
if [ "$kind" = thread ]; then
  exec python3 tests/run_all.py "$dir" base executor
fi
exec python3 tests/run_all.py "$dir"
