// Bytes → import_onnx_bytes (without a folder, so that no file is opened) → infer → dump.
#include "fuzz/one_input.hpp"

#include "ge/graph/dump.hpp"
#include "ge/graph/infer.hpp"
#include "ge/graph/verify.hpp"
#include "ge/import/onnx.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ge;
  fuzz::taken_or_refused([&] {
    const auto block = fuzz::own_block({data, size});
    const auto graph = import_onnx_bytes({block.get(), size}, block, "");
    verify(*graph);
    infer(*graph).dump(*graph);
    to_text(*graph);
  });
  return 0;
}
