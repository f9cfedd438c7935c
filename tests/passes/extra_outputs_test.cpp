// Graph outputs are barriers: whatever else is asked of a model, its results stay. (Public bugs of this kind: a fusion
// removes a tensor that is also an output; results are right only when more outputs are added.)
#include "executor/graph_interpreter.hpp"
#include "executor/random_graph.hpp"
#include "passes/compiled_case.hpp"
#include "passes/formulas.hpp"
#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr int64_t width = 6;

/// x [N, 6] through seven random formulas, with an identity here and there and a residual; then every value that was
/// made on the way.
void fill_formulas(GraphBuild& b, uint32_t seed) {
  Formulas f(b, width, seed);
  const OutputRef x = b.input("x", {"N", width});
  OutputRef y = f.linear(x);
  for (int i = 0; i < 6; ++i) {
    const OutputRef before = y;
    switch (f.below(8)) {
      case 0: y = f.gelu(y); break;
      case 1: y = f.tanh_gelu(y); break;
      case 2: y = f.swish(y); break;
      case 3: y = f.hard_swish(y); break;
      case 4: y = f.rms_norm(y); break;
      case 5: y = f.softmax(y); break;
      case 6: y = b.op("Identity", {b.op("Mul", {y, b.op("Add", {b.scalar(0.25f), b.scalar(0.75f)})})}); break;
      default: y = f.linear(y);
    }
    if (f.below(3) == 0) y = b.op("Add", {y, before});
    if (f.below(2) == 0) y = f.layer_norm(y);
  }
  b.outputs({y, f.layer_norm(y)});
}

/// All values of the root that are no outputs yet, constants included.
Refs inner_values(const Graph& graph) {
  Refs all;
  for (const Node& node : graph.nodes())
    for (uint32_t i = 0; i < node.outputs().size(); ++i) all.push_back(node.output(i));
  return all;
}

void add_outputs(GraphBuild& b, const Refs& extra) {
  Refs all(b.graph.outputs().begin(), b.graph.outputs().end());
  all.insert(all.end(), extra.begin(), extra.end());
  b.outputs(all);
}

}  // namespace

TEST_CASE("every inner value of formulas may be an output, and changes no other", "[passes][CR-3][CR-9]") {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Tensor> inputs{random_floats(random, {3, width})};
    Refs inner;
    const auto everything = compiled([&](GraphBuild& b) { fill_formulas(b, seed), inner = inner_values(b.graph), add_outputs(b, inner); }, no_passes())->run(inputs);
    const auto check = [&](const std::string& what, const std::vector<Tensor>& found, const Refs& extra) {
      INFO("seed " << seed << ", " << what);
      for (size_t i = 0; i < 2; ++i) CHECK(difference(everything[i], found[i]) == "");
      for (size_t i = 0; i < extra.size(); ++i)
        CHECK(difference(everything[2 + static_cast<size_t>(std::find(inner.begin(), inner.end(), extra[i]) - inner.begin())], found[2 + i]) == "");
    };
    check("no further outputs", compiled([&](GraphBuild& b) { fill_formulas(b, seed); })->run(inputs), {});
    check("all inner values", compiled([&](GraphBuild& b) { fill_formulas(b, seed), add_outputs(b, inner); })->run(inputs), inner);
    for (const OutputRef one : inner)
      check("node " + std::to_string(one.node.value), compiled([&](GraphBuild& b) { fill_formulas(b, seed), add_outputs(b, {one}); })->run(inputs), {one});
  }
}

TEST_CASE("leaving out any pass changes no result of formulas", "[passes][CR-3][CR-9]") {
  for (uint32_t seed = 11; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Tensor> inputs{random_floats(random, {3, width})};
    const auto fill = [&](GraphBuild& b) { fill_formulas(b, seed); };
    const auto expected = compiled(fill, no_passes())->run(inputs);
    for (const Registered& pass : passes().list()) {
      INFO("seed " << seed << " without " << pass.key);
      CompileOptions options;
      options.disabled_passes = {pass.key};
      const auto found = compiled(fill, options)->run(inputs);
      for (size_t i = 0; i < expected.size(); ++i) CHECK(difference(expected[i], found[i]) == "");
    }
  }
}

TEST_CASE("every inner value of graphs with branches and loops may be an output, and changes no other", "[passes][CR-3][CR-9]") {
  for (uint32_t seed = 2001; seed <= 2008; ++seed) {
    const auto fill = [&](GraphBuild& b) {
      RandomGraph random(seed, DType::int64, false);
      random.fill(b);
    };
    RandomGraph random(seed, DType::int64, false);
    Graph graph("interpreted");
    GraphBuild b(graph);
    random.fill(b);
    const size_t outputs = graph.outputs().size();
    const Refs inner = inner_values(graph);
    add_outputs(b, inner);
    const std::vector<Tensor> inputs{random.vector(4), random.vector(4), Tensor::scalar(2)};
    const auto everything = GraphInterpreter::evaluate(graph, inputs);
    for (size_t k = 0; k < inner.size(); ++k) {
      INFO("seed " << seed << ", node " << inner[k].node.value << " '" << graph.node(inner[k].node).op() << "' as a further output");
      const auto found = compiled([&](GraphBuild& c) { fill(c), add_outputs(c, {inner[k]}); })->run(inputs);
      CHECK(std::equal(everything.begin(), everything.begin() + static_cast<std::ptrdiff_t>(outputs), found.begin()));
      CHECK(found.back() == everything[outputs + k]);
    }
  }
}
