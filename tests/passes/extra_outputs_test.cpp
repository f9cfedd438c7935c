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

/// x [N, 6] or [6] through six random formulas, with an identity, a residual and a norm here and there.
void fill_formulas(GraphBuild& b, uint32_t seed, bool vector = false) {
  Formulas f(b, width, seed);
  const OutputRef x = vector ? b.input("x", {width}) : b.input("x", {"N", width});
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

/// Makes a few inputs read another value of the same type that was there before.
void move_wires(GraphBuild& b, uint32_t seed) {
  std::mt19937 random(seed);
  infer(b.graph);
  Patch patch;
  for (int moved = 0; moved < 2;) {
    const Node& node = b.graph.node(NodeId(static_cast<uint32_t>(random() % b.graph.node_count())));
    if (node.inputs().empty()) continue;
    const auto slot = static_cast<uint32_t>(random() % node.inputs().size());
    const TensorType& type = b.graph.type(node.inputs()[slot]);
    Refs others;
    for (const Node& earlier : b.graph.nodes().first(node.id().value))
      if (!earlier.outputs().empty() && b.graph.type(earlier.output()).dtype == type.dtype && b.graph.type(earlier.output()).shape == type.shape) others.push_back(earlier.output());
    if (!others.empty() && type.dtype == DType::float32) patch.rewire({node.id(), slot}, others[random() % others.size()]);
    ++moved;
  }
  b.graph.apply(patch);
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

TEST_CASE("formulas with wires moved keep what they compute", "[passes][CR-3][CR-9]") {
  for (uint32_t seed = 101; seed <= 900; ++seed) {
    INFO("seed " << seed);
    const bool vector = seed % 2 == 0;
    std::mt19937 random(seed);
    const Tensor x = random_floats(random, vector ? std::vector<int64_t>{width} : std::vector<int64_t>{3, width});
    const std::vector<double> values = *x.to_doubles();
    std::vector<float> shaken;
    for (double value : values) shaken.push_back(static_cast<float>(value * (random() % 2 ? 1.00002 : 0.99998)));
    const auto fill = [&](GraphBuild& b) { fill_formulas(b, seed, vector), move_wires(b, seed); };
    std::vector<Tensor> expected, found;
    const auto reference = compiled(fill, no_passes());
    REQUIRE_NOTHROW(expected = reference->run({x}));
    REQUIRE_NOTHROW(found = compiled(fill)->run({x}));
    // A moved wire may make a formula that magnifies rounding: as much as it magnifies a small change of x is allowed.
    const auto other = reference->run({Tensor::from<float>(DType::float32, x.dims(), std::span<const float>(shaken))});
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto a = *expected[i].to_doubles(), b = *found[i].to_doubles(), c = *other[i].to_doubles();
      REQUIRE(a.size() == b.size());
      double magnified = 0;
      for (size_t k = 0; k < a.size(); ++k) magnified = std::max(magnified, std::fabs(a[k] - c[k]));
      for (size_t k = 0; k < a.size(); ++k)
        if (std::isfinite(a[k]) && std::isfinite(magnified)) CHECK(std::fabs(a[k] - b[k]) <= 1e-5 + 1e-4 * std::fabs(a[k]) + 4 * magnified);
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
