#!/usr/bin/env bash
# Uses ge from outside in every way that is promised (tests/link/matrix.py); the last line is "N passed, N failed". Takes
# matrix.py's options. The counts are compared with build/tools/ge-list, which test.sh builds.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh g++ meson ninja-build pkg-config libboost-graph-dev libboost-program-options-dev nlohmann-json3-dev \
  libprotozero-dev libxxhash-dev python3 binutils ccache clang cmake
exec python3 tests/link/matrix.py "$@"
