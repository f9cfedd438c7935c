// Bytes → import → full compile → model file in memory → load → instantiate with small sizes → run.
#include "fuzz/limited_run.hpp"
#include "fuzz/one_input.hpp"

#include "ge/session/compile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ge;
  fuzz::taken_or_refused([&] {
    const auto block = fuzz::own_block({data, size});
    CompileOptions options;
    options.max_memory_bytes = int64_t{1} << 20;
    options.fold_limit_bytes = int64_t{64} << 10;
    const Compiled compiled = compile_graph(import_onnx_bytes({block.get(), size}, block, ""), options);
    const auto file = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, compiled.metadata_json));
    fuzz::run_limited(std::make_shared<const LoadedProgram>(OmFile::from_buffer(file, *file), std::vector<std::string>{}));
  });
  return 0;
}
