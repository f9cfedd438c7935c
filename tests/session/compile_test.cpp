// The compile pipeline: stages, dumps, options.
#include "executor/graph_interpreter.hpp"
#include "executor/random_graph.hpp"
#include "ge/session/compile.hpp"
#include "ge/session/kernel_evaluator.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone afterwards.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("ge_compile_test_" + std::to_string(getpid()) + "_" + std::to_string(next_++))) { fs::create_directories(path_); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string text(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(path_ / name).rdbuf();
    return out.str();
  }

 private:
  static inline int next_ = 0;
  fs::path path_;
};

/// y = -(x + (1 + 2)) over x[dim, 2]
std::unique_ptr<Graph> small(Dim dim) {
  auto graph = std::make_unique<Graph>("small");
  GraphBuild b(*graph);
  const OutputRef x = b.input("x", {dim, 2});
  b.outputs({b.op("Neg", {b.op("Add", {x, b.op("Add", {b.scalar(1), b.scalar(2)})})})});
  return graph;
}

ErrorCode code_of(auto body, std::string& text) {
  try {
    body();
  } catch (const Error& error) {
    text = error.what();
    return error.code();
  }
  text = "(no error)";
  return ErrorCode::internal;
}

}  // namespace

TEST_CASE("the stages have names", "[session][CR-7]") {
  CHECK(stage_names() == std::vector<std::string_view>{"import", "infer", "passes", "gears", "split", "lower", "plan", "model"});
  for (size_t i = 0; i < stage_names().size(); ++i) CHECK(stage_from_name(stage_names()[i]) == static_cast<CompileStage>(i));
  std::string text;
  CHECK(code_of([] { stage_from_name("linking"); }, text) == ErrorCode::unknown_name);
  CHECK_THAT(text, Contains("'linking'") && Contains("import infer passes gears split lower plan model"));
}

TEST_CASE("a compile stops after any stage and shows it", "[session][CR-7][CR-8]") {
  for (size_t last = 1; last < stage_names().size(); ++last) {
    INFO("stop after " << stage_names()[last]);
    Folder folder;
    CompileOptions options;
    options.stop_after = static_cast<CompileStage>(last);
    options.dump_folder = folder.path();
    std::vector<CompileStage> begun;
    options.progress = [&](CompileStage stage) { begun.push_back(stage); };
    const Compiled compiled = compile_graph(small("N"), options);
    REQUIRE(compiled.graph);
    CHECK(compiled.model.has_value() == (*options.stop_after >= CompileStage::plan));
    CHECK(compiled.metadata_json.empty() != compiled.model.has_value());
    CHECK(std::is_sorted(begun.begin(), begun.end()));
    CHECK(begun.front() == CompileStage::infer);
    CHECK(begun.back() <= *options.stop_after);

    std::vector<std::string> expected{"1_infer.dot", "1_infer.txt"};
    if (*options.stop_after >= CompileStage::passes) expected.insert(expected.end(), {"2_passes.dot", "2_passes.txt"});
    if (*options.stop_after >= CompileStage::plan) expected.push_back("6_plan.txt");
    CHECK(folder.files() == expected);
    for (const std::string& name : folder.files()) CHECK(folder.text(name).size() > 20);
    CHECK_THAT(folder.text("1_infer.txt"), Contains("float32[N, 2]"));
    // The constants' sum is folded by the passes only.
    CHECK(compiled.graph->live_node_count() == (*options.stop_after >= CompileStage::passes ? 5 : 7));
  }
}

TEST_CASE("the plan of fixed sizes shows tasks and memory", "[session][CR-8]") {
  Folder folder;
  CompileOptions options;
  options.dump_folder = folder.path();
  compile_graph(small(3), options);
  CHECK_THAT(folder.text("6_plan.txt"), Contains("2 tasks") && Contains("(Neg)") && Contains("arena: 24 bytes") && Contains("output 0"));
  compile_graph(small("N"), options);
  CHECK_THAT(folder.text("6_plan.txt"), Contains("sizes are open"));
}

TEST_CASE("asking for dumps never ends a compile that would succeed without", "[session][CR-8]") {
  const auto unknown_rank = [] {
    auto graph = std::make_unique<Graph>("open");
    GraphBuild b(*graph);
    b.outputs({b.op("MatMul", {b.input_of_unknown_rank("x"), b.filled({2, 2}, 1)})});
    return graph;
  };
  const auto contradicts_when_run = [] {
    auto graph = std::make_unique<Graph>("contradiction");
    GraphBuild b(*graph);
    const OutputRef x = b.input("x", {3});
    const OutputRef shape = b.op("Concat", {b.op("Mul", {b.op("Shape", {x}), b.ints({2})}), b.ints({2})}, attributes({{"axis", int64_t{0}}}));
    b.outputs({b.op("Expand", {x, shape})});
    return graph;
  };
  for (const auto make : {+unknown_rank, +contradicts_when_run}) {
    std::string without, with;
    Folder folder;
    CompileOptions options;
    const ErrorCode plain = code_of([&] { compile_graph(make(), options); }, without);
    options.dump_folder = folder.path();
    const ErrorCode dumped = code_of([&] { compile_graph(make(), options); }, with);
    CHECK(plain == dumped);
    CHECK(without == with);
  }
}

TEST_CASE("wrong options are refused with what there is", "[session][CR-3][CR-7]") {
  std::string text;
  CompileOptions options;
  options.disabled_passes = {"fold_constant"};
  CHECK(code_of([&] { compile_graph(small(2), options); }, text) == ErrorCode::unknown_name);
  CHECK_THAT(text, Contains("'fold_constant'") && Contains("fold_constants") && Contains("remove_dead"));

  options = {};
  options.dump_folder = "/dev/null/dumps";
  CHECK(code_of([&] { compile_graph(small(2), options); }, text) == ErrorCode::io);
  CHECK_THAT(text, Contains("/dev/null/dumps") && Contains("stage infer"));

  CHECK(code_of([&] { compile_onnx("/dev/null/no_model.onnx"); }, text) == ErrorCode::io);
  CHECK_THAT(text, Contains("no_model.onnx") && Contains("stage import"));
}

TEST_CASE("an engine that is not there is refused", "[session][CR-7]") {
  std::string text;
  CompileOptions options;
  options.engines = {"quantum"};
  CHECK(code_of([&] { compile_graph(small("N"), options); }, text) == ErrorCode::unknown_name);
  CHECK_THAT(text, Contains("'quantum'") && Contains("reference") && Contains("host"));
}

TEST_CASE("an error of inference says which stage and node it is", "[session][CR-2]") {
  auto graph = std::make_unique<Graph>("wrong");
  GraphBuild b(*graph);
  b.outputs({b.op("Add", {b.input("x", {2}), b.input("y", {3})})});
  std::string text;
  CHECK(code_of([&] { compile_graph(std::move(graph)); }, text) == ErrorCode::invalid_model);
  CHECK_THAT(text, Contains("stage infer") && Contains("(Add)"));
}

TEST_CASE("a pass that is off changes nothing and is reported", "[session][CR-3]") {
  CompileOptions options;
  options.disabled_passes = {"fold_constants"};
  const Compiled compiled = compile_graph(small(2), options);
  CHECK(compiled.graph->live_node_count() == 7);
  for (const PassCount& pass : compiled.passes.passes) {
    CHECK(pass.disabled == (pass.name == "fold_constants"));
    if (pass.disabled) CHECK(pass.changes == 0);
  }
  CHECK_THAT(compiled.metadata_json, Contains("\"fold_constants\"") && Contains("\"small\"") && Contains("float32[2, 2]"));
}

TEST_CASE("engines that are left out are not used", "[session][CR-7]") {
  CompileOptions options;
  options.engines = {"reference"};
  auto graph = std::make_unique<Graph>("shape");
  GraphBuild b(*graph);
  b.outputs({b.op("Shape", {b.input("x", {"N", 2})})});
  const Compiled compiled = compile_graph(std::move(graph), options);
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, compiled.metadata_json));
  Instance model(std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), options.engines));
  CHECK(model.shown({Tensor::zeros(DType::float32, {4, 2})}) == "int64[2] 4 2");
  CHECK(model.ops_on("host") == 0);
  CHECK(model.ops_on("reference") == 1);
  CHECK_THAT(model.model.inputs()[0].text, Contains("float32[N, 2]"));
}

TEST_CASE("passes change no result of random graphs", "[session][CR-3][CR-9]") {
  for (uint32_t seed = 1001; seed <= 1060; ++seed) {
    for (const bool folding : {true, false}) {
      INFO("seed " << seed << ", folding " << folding);
      RandomGraph random(seed, DType::int64, false);
      auto graph = std::make_unique<Graph>("random");
      GraphBuild b(*graph);
      random.fill(b);
      std::vector<std::vector<Tensor>> inputs, expected;
      for (const int64_t n : {3, 0, 5}) {
        inputs.push_back({random.vector(n), random.vector(n), Tensor::scalar(random.below(4))});
        expected.push_back(GraphInterpreter::evaluate(*graph, inputs.back()));
      }
      CompileOptions options;
      if (!folding) options.disabled_passes = {"fold_constants"};
      std::string text;
      std::vector<std::vector<Tensor>> found;
      code_of(
          [&] {
            const Compiled compiled = compile_graph(std::move(graph), options);
            Instance model(ModelCase::load(*compiled.model));
            for (const auto& set : inputs) found.push_back(model.run(set));
          },
          text);
      CHECK(text == "(no error)");
      CHECK(found == expected);
    }
  }
}

TEST_CASE("single nodes are evaluated with the kernels of the run", "[session][CR-3]") {
  ModelCase c;
  const OutputRef a = c.constant(floats({2}, {1, 2})), b = c.constant(floats({2}, {10, 20})), texts = c.constant(Tensor::strings({1}, {"-7"}));
  const OutputRef sum = c.op("Add", {a, b}), number = c.op("Cast", {texts}, attributes({{"to", int64_t{7}}})), back = c.op("Cast", {number}, attributes({{"to", int64_t{8}}}));
  const OutputRef top = c.op("TopK", {a, c.ints({1})}, {}, 2), bad = c.op("Div", {c.ints({1}), c.ints({0})});
  const OutputRef branch = c.branch(
      c.boolean(true), {a}, [](GraphBuild&, std::vector<OutputRef> in) { return in; }, [](GraphBuild&, std::vector<OutputRef> in) { return in; });
  c.outputs({sum, back, top, bad, branch});
  infer(c.graph);
  KernelEvaluator evaluator;
  const auto one = [&](OutputRef ref, std::vector<Tensor> in) { return evaluator.evaluate(c.graph, ref.node, in); };
  CHECK(show(one(sum, {floats({2}, {1, 2}), floats({2}, {10, 20})})[0]) == "float32[2] 11 22");
  CHECK(show(one(number, {Tensor::strings({1}, {"-7"})})[0]) == "int64[1] -7");
  CHECK(show(one(back, {int64s({1}, {-7})})[0]) == "string[1] '-7'");
  const auto largest = one(top, {floats({2}, {1, 2}), int64s({1}, {1})});
  REQUIRE(largest.size() == 2);
  CHECK(show(largest[0]) == "float32[1] 2");
  CHECK(show(largest[1]) == "int64[1] 1");
  CHECK_THROWS_WITH(one(bad, {int64s({1}, {1}), int64s({1}, {0})}), Contains("(Div)"));
  CHECK_THROWS_WITH(one(branch, {bools({}, {1}), floats({2}, {1, 2})}), Contains("subgraphs"));
}
