#include "ge/base/mapped_file.hpp"
#include "ge/graph/verify.hpp"
#include "ge/import/json.hpp"
#include "ge/import/json/graph_reader.hpp"

#include <algorithm>

namespace ge {

std::unique_ptr<Graph> import_json(std::string_view text, const JsonLimits& limits) {
  json::MemoryBudget budget(4 * text.size() + (size_t{64} << 20) + std::min(limits.more_bytes, size_t{1} << 60));
  json::Findings findings("the JSON graph cannot be imported");
  json::GraphReader reader(findings, budget);
  json::read_document(text, budget, reader);
  std::unique_ptr<Graph> graph = reader.take();
  findings.raise_if_any();
  verify(*graph);
  return graph;
}

std::unique_ptr<Graph> import_json_file(const std::string& path, const JsonLimits& limits) {
  return in_context([&] { return "importing '" + path + "'"; }, [&] {
    const auto file = MappedFile::open(path);
    return import_json({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, limits);
  });
}

}  // namespace ge
