// Bytes → import_json → the text again → the same graph → compile → load → run with small sizes.
#include "fuzz/limited_run.hpp"
#include "fuzz/one_input.hpp"

#include "ge/import/json.hpp"
#include "ge/model/om.hpp"
#include "ge/session/compile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ge;
  fuzz::taken_or_refused([&] {
    const auto block = fuzz::own_block({data, size});
    auto graph = import_json({reinterpret_cast<const char*>(block.get()), size});
    const std::string text = export_json(*graph);
    JsonLimits limits;
    limits.more_bytes = size_t{256} << 20;  // the text that is written may be longer than the one that was read
    if (export_json(*import_json(text, limits)) != text) {
      std::fprintf(stderr, "the text does not come back:\n%s\n", text.c_str());
      std::abort();
    }
    CompileOptions options;
    options.max_memory_bytes = int64_t{1} << 20;
    options.fold_limit_bytes = int64_t{64} << 10;
    const Compiled compiled = compile_graph(std::move(graph), options);
    const auto file = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, compiled.metadata_json));
    fuzz::run_limited(std::make_shared<const LoadedProgram>(OmFile::from_buffer(file, *file), std::vector<std::string>{}));
  });
  return 0;
}
