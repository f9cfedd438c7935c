#!/usr/bin/env bash
# build.sh DIR "MESON OPTIONS" [TARGET ...]: configures DIR where that is needed and builds the targets (all by default),
# showing output only on failure. Options "" take a configured DIR as it is.
set -euo pipefail
# Where there is a compiler cache: without this it takes no source that has a precompiled header.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
dir=$1 options=$2
shift 2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  "$@" >"$log" 2>&1 || { tail -n 100 "$log" >&2; exit 1; }
}
# shellcheck disable=SC2086  # options are words
if [ ! -f "$dir/build.ninja" ]; then
  quietly meson setup "$dir" ${options:--Dtests=false}
  echo "$options" >"$dir/options.txt"
elif [ -n "$options" ] && [ "$(cat "$dir/options.txt" 2>/dev/null)" != "$options" ]; then
  quietly meson configure "$dir" $options
  echo "$options" >"$dir/options.txt"
fi
quietly ninja -C "$dir" "$@"
