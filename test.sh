#!/usr/bin/env bash
# Sets up, builds and runs all tests; the last line is "N passed, N failed". GE_MODEL_ZOO names a folder of models with
# reference results (ONNX test layout); without it the tests that need one are skipped.
set -euo pipefail
cd "$(dirname "$0")"
scripts/setup.sh g++ meson ninja-build pkg-config libboost-graph-dev libboost-program-options-dev nlohmann-json3-dev \
  libprotozero-dev libxxhash-dev catch2 libonnx-testdata python3 python3-venv binutils
scripts/build.sh build "-Dtests=true -Dmodel_zoo=${GE_MODEL_ZOO:-}"
[ -n "${GE_MODEL_ZOO:-}" ] || echo "skipped: real models with reference results (GE_MODEL_ZOO=DIR names their folder)"
exec python3 tests/run_all.py build
