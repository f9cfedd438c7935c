// Graphs that went through JSON, at each stage of a compile, run bit for bit as those that did not.
#include "executor/model_case.hpp"
#include "executor/random_graph.hpp"
#include "import/same_graph.hpp"
#include "support/catch.hpp"

#include "ge/import/json.hpp"
#include "ge/import/onnx.hpp"
#include "ge/model/om.hpp"
#include "ge/model/tensor_file.hpp"
#include "ge/session/compile.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// Text and graph through JSON; "" when both come back the same.
std::string through_json(const Graph& graph, std::unique_ptr<Graph>& read) {
  const std::string text = export_json(graph);
  read = import_json(text);
  if (const std::string found = difference(graph, *read); !found.empty()) return found;
  return export_json(*read) == text ? "" : "the second text differs";
}

std::unique_ptr<Graph> at_stage(const std::function<std::unique_ptr<Graph>()>& make, CompileStage stage) {
  std::unique_ptr<Graph> graph = make();
  if (stage == CompileStage::import) return graph;
  CompileOptions options;
  options.stop_after = stage;
  return std::move(compile_graph(std::move(graph), options).graph);
}

std::vector<Tensor> run(std::unique_ptr<Graph> graph, const std::vector<Tensor>& inputs) {
  const Compiled compiled = compile_graph(std::move(graph));
  Instance instance(ModelCase::load(*compiled.model));
  return instance.run(inputs);
}

constexpr CompileStage stages[] = {CompileStage::import, CompileStage::infer, CompileStage::passes};

class TextFile {
 public:
  explicit TextFile(const std::string& text) : path_((fs::temp_directory_path() / ("ge_json_" + std::to_string(getpid()) + "_" + std::to_string(next_++) + ".json")).string()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TextFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static inline int next_ = 0;
  std::string path_;
};

}  // namespace

TEST_CASE("random graphs with branches and loops go through JSON at each stage and run the same", "[session][CR-1]") {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const DType dtype = seed % 2 ? DType::float32 : DType::int64;
    INFO("seed " << seed);
    const auto make = [&] {
      RandomGraph random(seed, dtype, false);
      auto graph = std::make_unique<Graph>("random");
      GraphBuild build(*graph);
      random.fill(build);
      return graph;
    };
    RandomGraph values(seed + 1000, dtype, false);
    const std::vector<Tensor> inputs{values.vector(4), values.vector(4), Tensor::scalar(2)};
    const std::vector<Tensor> expected = run(make(), inputs);
    for (CompileStage stage : stages) {
      INFO("after " << stage_names()[static_cast<size_t>(stage)]);
      std::unique_ptr<Graph> read;
      CHECK(through_json(*at_stage(make, stage), read) == "");
      CHECK((run(std::move(read), inputs) == expected));
    }
  }
}

TEST_CASE("real models go through JSON at each stage and run the same", "[session][CR-1]") {
  const char* zoo = std::getenv("GE_MODEL_ZOO");
  if (zoo == nullptr) {
    WARN("skipped: set GE_MODEL_ZOO to a folder of model folders, each with a model.onnx");
    return;
  }
  size_t models = 0;
  for (const auto& entry : fs::directory_iterator(zoo)) {
    const auto path = entry.path() / "model.onnx";
    if (!fs::exists(path)) continue;
    ++models;
    INFO(path.string());
    const auto make = [&] { return import_onnx_file(path.string()); };
    std::vector<std::unique_ptr<Graph>> read(std::size(stages));
    for (size_t i = 0; i < std::size(stages); ++i) CHECK(through_json(*at_stage(make, stages[i]), read[i]) == "");
    // Running all of them on the reference engine takes minutes: the small ones stand for all.
    if (fs::file_size(path) > 3'000'000) continue;
    std::vector<Tensor> inputs;
    for (int i = 0; fs::exists(entry.path() / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb")); ++i)
      inputs.push_back(read_tensor_pb((entry.path() / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb")).string()));
    const std::vector<Tensor> expected = run(make(), inputs);
    for (auto& graph : read) CHECK((run(std::move(graph), inputs) == expected));
  }
  CHECK(models > 0);
}

TEST_CASE("a JSON file is compiled like a model file", "[session][CR-1]") {
  Graph graph("sum");
  GraphBuild b(graph);
  b.outputs({b.op("Add", {b.input("x", {"N"}), b.scalar(2)})});
  const TextFile file(export_json(graph));
  const Compiled compiled = compile_file(file.path());
  REQUIRE(compiled.model);
  Instance instance(ModelCase::load(*compiled.model));
  CHECK(instance.shown({Tensor::from<float>(DType::float32, {2}, std::vector<float>{1, -2})}) == "float32[2] 3 0");

  CompileOptions options;
  options.import.input_shapes["x"] = {3};
  CHECK_THROWS_WITH(compile_file(file.path(), options), Contains("input shapes cannot be given for a JSON graph"));
  CHECK_THROWS_WITH(compile_json("/nowhere/model.json"), Contains("importing '/nowhere/model.json'"));
}

TEST_CASE("writing JSON where it cannot be is an error, and leaves nothing", "[session][CR-1]") {
  Graph graph("g");
  CHECK_THROWS_WITH(export_json_file(graph, "/nowhere/at/all.json"), Contains("cannot write '/nowhere/at/all.json'"));
}

TEST_CASE("hand-written types of inputs that make no sense end in an error or a model, never in a crash", "[session][CR-1][CR-10]") {
  for (const char* type : {"float32[2*N]", "float32[N - M]", "float32[?]", "undefined[?]", "float32[N, N]", "float32[select(N == 1, M, 3)]", "float32[9223372036854775807]", "float32[floordiv(N, 0)]",
                           "string[N]", "int4[N]", "int64[2]{N, M}", "int64[2]{N + 1, 7}", "int64[]{N*M}", "bool[1]{5}", "int32[1]{9223372036854775807}"}) {
    INFO(type);
    const std::string text = std::string(R"({"format": "ge graph", "version": 1, "name": "g", "symbols": [{"name": "N", "min": -5}, {"name": "M"}], "graphs": [{"nodes": [
      {"name": "x", "op": "Data", "outputs": [{"name": "x", "type": ")") + type + R"("}]},
      {"name": "a", "op": "Shape", "inputs": ["x"], "outputs": [{"name": "a"}]},
      {"name": "b", "op": "Concat", "inputs": ["x", "x"], "attributes": {"axis": 0}, "outputs": [{"name": "b"}]},
      {"name": "c", "op": "Identity", "inputs": ["b"], "outputs": [{"name": "c"}]},
      {"name": "out", "op": "NetOutput", "inputs": ["a", "c"]}], "outputs": ["a", "c"]}]})";
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{2}, {0}, {}, {3, 3}}) {
      try {
        const Compiled compiled = compile_graph(import_json(text));
        Instance instance(ModelCase::load(*compiled.model));
        instance.run({Tensor::zeros(std::string(type).starts_with("int64") ? DType::int64 : DType::float32, dims)});
      } catch (const Error& error) {
        CHECK(error.code() != ErrorCode::internal);
      }
    }
  }
}
