#include "ge/import/onnx.hpp"

#include "ge/base/mapped_file.hpp"
#include "ge/import/onnx/before_7.hpp"
#include "ge/import/onnx/build_graph.hpp"
#include "ge/import/onnx/check_nodes.hpp"
#include "ge/import/onnx/input_types.hpp"
#include "ge/import/onnx/prepare.hpp"
#include "ge/import/onnx/upgrade.hpp"

namespace ge {

std::unique_ptr<Graph> import_onnx_bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, const std::string& base_folder,
                                         const ImportOptions& options) {
  const std::string title = "the ONNX model cannot be imported";
  Diagnostics findings;
  onnx::Source source{std::move(owner), onnx::ExternalData(base_folder), {}};
  const onnx::ModelProto model = onnx::read_model({bytes, bytes.data()});
  onnx::GrowthLimit growth(model.size_bytes);
  onnx::GraphDraft draft = onnx::make_draft(model, source, growth, findings);
  onnx::prepare(draft, growth, findings);
  onnx::take_old_forms(draft, findings);
  onnx::upgrade(draft, findings);
  onnx::check_nodes(draft, findings);
  findings.raise_if_any(ErrorCode::invalid_model, title);

  auto graph = std::make_unique<Graph>(draft.name.empty() ? std::string("graph") : draft.name);
  std::vector<TensorType> types = onnx::input_types(draft, options, graph->symbols());
  return onnx::build_graph(draft, std::move(types), std::move(graph));
}

std::unique_ptr<Graph> import_onnx_file(const std::string& path, const ImportOptions& options) {
  return in_context([&] { return "importing '" + path + "'"; }, [&] {
    const auto file = MappedFile::open(path);
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    return import_onnx_bytes(file->bytes(), file, folder, options);
  });
}

}  // namespace ge
