#!/usr/bin/env bash
# fuzz.sh TARGET SECONDS [LIBFUZZER OPTION ...]: builds the fuzz targets with Clang (in build-fuzz/) and runs one of
# tests/fuzz/ for that long: importer, json, om_loader, compile_then_run. Exit code 0: nothing was found. A finding ends the
# run and leaves its input in fuzz-TARGET/findings/. The corpus grows in fuzz-TARGET/corpus/, below $GE_FUZZ_FOLDER or
# build-fuzz/; its seeds are written anew each time.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
target=$1 seconds=$2
shift 2
build=build-fuzz
export CCACHE_NOHASHDIR=1
if [ -z "${CXX:-}" ]; then
  CXX=clang++
  command -v ccache >/dev/null && CXX="ccache clang++"
fi
export CXX
scripts/build.sh $build "-Dfuzz=true -Db_pch=false -Dbuildtype=plain -Doptimization=1 -Dcpp_args=-g1 -Db_sanitize=address,undefined -Db_lundef=false \
  -Ddefault_library=static -Dtests=false -Dtools=false -Dexamples=false -Dbench=false" "tests/fuzz/fuzz_$target" tests/fuzz/write_seeds

work=$(realpath -m "${GE_FUZZ_FOLDER:-$build}/fuzz-$target")
node_cases=$(realpath -q /usr/lib/python3/dist-packages/onnx/backend/test/data || true)
mkdir -p "$work/corpus" "$work/findings"
$build/tests/fuzz/write_seeds "$work/seeds" examples ${node_cases:+"$node_cases"} >"$work/seeds.log"
seeds=$work/seeds/onnx length=16384 dictionary=-dict=$work/seeds/onnx.dict
[ "$target" = om_loader ] && seeds=$work/seeds/om length=32768 dictionary=
[ "$target" = json ] && seeds=$work/seeds/json length=32768
export ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=32:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# Without entropic scheduling: with this many counters it costs twenty times the code under test.
# One allocation may take 64 MiB (CR-10); the rest of the memory is the sanitizer's and the corpus.
exec $build/tests/fuzz/fuzz_"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2560 -malloc_limit_mb=64 -max_len=$length $dictionary \
  -entropic=0 -print_final_stats=1 -artifact_prefix="$work/findings/" "$@" "$work/corpus" "$seeds"
