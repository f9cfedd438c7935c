#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <filesystem>

using namespace ge;
using namespace ge::testing;

TEST_CASE("the models of the zoo import", "[import][CR-1]") {
  const char* zoo = std::getenv("GE_MODEL_ZOO");
  if (zoo == nullptr) {
    WARN("skipped: set GE_MODEL_ZOO to a folder of model folders, each with a model.onnx");
    return;
  }
  size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(zoo)) {
    const auto path = entry.path() / "model.onnx";
    if (!std::filesystem::exists(path)) continue;
    ++models;
    CAPTURE(path.string());
    std::unique_ptr<Graph> graph;
    REQUIRE_NOTHROW(graph = import_onnx_file(path.string()));
    CHECK(!graph->inputs().empty());
    CHECK(!graph->outputs().empty());
    for (size_t i = 0; i < graph->subgraph_count(); ++i) CHECK(graph->subgraph(GraphId(static_cast<uint32_t>(i))).net_output());
  }
  CHECK(models > 0);
}
