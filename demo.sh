#!/usr/bin/env bash
# Sets up, builds, compiles the digits model and classifies the held-out images through the C++ API.
set -euo pipefail
cd "$(dirname "$0")"
scripts/setup.sh g++ meson ninja-build pkg-config libboost-graph-dev libboost-program-options-dev nlohmann-json3-dev \
  libprotozero-dev libxxhash-dev
scripts/build.sh build "" tools/ge-atc tools/ge-run tools/ge-list examples/digits
mkdir -p out
build/tools/ge-atc --model=examples/digits/digits.onnx --framework=5 --output=out/digits
build/examples/digits out/digits.om examples/digits/test_images.bin examples/digits/record.json
