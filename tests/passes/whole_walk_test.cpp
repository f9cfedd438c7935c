// Public bugs of other runtimes, as cases for the whole walk: built or imported, all passes (or none), run from the
// model file.
#include "import/onnx_writer.hpp"
#include "passes/compiled_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

const Attributes along_rows = attributes({{"axis", int64_t{0}}});

/// What the model gives, by `expected` for all passes and for none.
template <class Build>
void check_runs(const std::vector<std::pair<std::vector<Tensor>, std::string>>& runs, Build build) {
  for (const CompileOptions& options : {CompileOptions{}, no_passes()}) {
    INFO((options.disabled_passes.empty() ? "all passes" : "no passes"));
    const auto model = compiled(build, options);
    for (const auto& [inputs, expected] : runs) CHECK(model->shown(inputs) == expected);
  }
}

std::unique_ptr<Instance> imported(const OnnxGraph& g, int64_t opset, const CompileOptions& options) {
  const Compiled result = compile_graph(import_onnx(OnnxModel(g).opset(opset)), options);
  return std::make_unique<Instance>(ModelCase::load(*result.model));
}
void check_imported(const std::vector<std::pair<std::vector<Tensor>, std::string>>& runs, const OnnxGraph& g, int64_t opset) {
  for (const CompileOptions& options : {CompileOptions{}, no_passes()}) {
    INFO((options.disabled_passes.empty() ? "all passes" : "no passes"));
    const auto model = imported(g, opset, options);
    for (const auto& [inputs, expected] : runs) CHECK(model->shown(inputs) == expected);
  }
}

const Tensor yes = bools({}, {1}), no = bools({}, {0});

}  // namespace

TEST_CASE("Concat of one input is that input, wherever it stands", "[passes][SX-3][CR-3]") {
  // of an input, an inner value that is read in place besides, a constant, an empty tensor, a view
  check_runs({{{floats({2}, {1, -2}), floats({0, 2}, {})}, "float32[2] 1 -2; float32[2] -1 -0; float32[2] 0 2; float32[2] 7 7; float32[0, 2]; float32[2, 1] -1 2; float32[2] -1 2"}},
             [](GraphBuild& b) {
               const OutputRef x = b.input("x", {2}), empty = b.input("empty", {0, 2}), y = b.op("Neg", {x}), z = b.op("Concat", {y}, along_rows);
               b.outputs({b.op("Concat", {x}, along_rows), b.op("Neg", {b.op("Relu", {x})}), b.op("Relu", {z}), b.op("Concat", {b.filled({2}, 7)}, along_rows),
                          b.op("Concat", {empty}, along_rows), b.op("Concat", {b.op("Reshape", {z, b.ints({2, 1})})}, attributes({{"axis", int64_t{-1}}})), z});
             });
}

TEST_CASE("Concat of one input in a loop keeps each iteration's value", "[passes][SX-17][CR-3]") {
  check_runs({{{floats({2}, {1, 2})}, "float32[2] 8 16; float32[3, 2] 1 2 2 4 4 8"}}, [](GraphBuild& b) {
    const OutputRef x = b.input("x", {2});
    const OutputRef y = b.loop(b.constant(Tensor::scalar(3)), {}, {x}, {}, [](GraphBuild& s, Refs in) {
      const OutputRef kept = s.op("Concat", {in[2]}, along_rows);
      return Refs{in[1], s.op("Concat", {s.op("Add", {kept, kept})}, along_rows), kept};
    });
    b.outputs({y, {y.node, 1}});
  });
}

TEST_CASE("an iteration number that escapes into a scan output is copied each time", "[passes][SX-17][CR-3]") {
  // plain, through a view, through an identity, and as the carried value that is scanned too
  check_runs({{{}, "int64[] 3; int64[4] 0 1 2 3; int64[4, 1] 0 1 2 3; int64[4] 0 1 2 3; int64[4] 100 0 1 2"}}, [](GraphBuild& b) {
    const OutputRef y = b.loop(b.constant(Tensor::scalar(4)), {}, {b.constant(Tensor::scalar(100))}, {}, [](GraphBuild& s, Refs in) {
      return Refs{in[1], in[0], in[0], s.op("Unsqueeze", {in[0], s.ints({0})}), s.op("Identity", {in[0]}), in[2]};
    });
    b.outputs({y, {y.node, 1}, {y.node, 2}, {y.node, 3}, {y.node, 4}});
  });
}

TEST_CASE("a loop over an input's size scans its iteration number", "[passes][SX-17][CR-2]") {
  check_runs({{{int64s({}, {3})}, "int64[3] 0 1 2; int64[3] 0 2 4"}, {{int64s({}, {0})}, "int64[0]; int64[0]"}, {{int64s({}, {1})}, "int64[1] 0; int64[1] 0"}}, [](GraphBuild& b) {
    const OutputRef n = b.input("n", {}, DType::int64);
    const OutputRef y = b.loop(n, {}, {n}, {}, [](GraphBuild& s, Refs in) { return Refs{in[1], in[2], in[0], s.op("Add", {in[0], in[0]})}; });
    b.outputs({{y.node, 1}, {y.node, 2}});
  });
}

TEST_CASE("an If whose branches hold only constants gives the right one", "[passes][SX-17][CR-3]") {
  OnnxGraph a("a"), other("b"), g;
  a.node(OnnxNode("Constant", {}, {"ka"}).set("value", floats({2}, {1, 2}))).output("ka");
  other.initializer("kb", floats({2}, {3, 4})).output("kb");
  g.input("c", DType::boolean, {});
  g.node(OnnxNode("If", {"c"}, {"z"}).set("then_branch", a).set("else_branch", other)).output("z");
  check_imported({{{yes}, "float32[2] 1 2"}, {{no}, "float32[2] 3 4"}, {{yes}, "float32[2] 1 2"}}, g, 13);

  // A predicate of the run, one of the sizes, and one that is a constant; the branches' constants have two sizes.
  const auto either = [](GraphBuild& b, OutputRef p) {
    return b.branch(p, {}, [](GraphBuild& s, Refs) { return Refs{s.filled({2}, 5)}; }, [](GraphBuild& s, Refs) { return Refs{s.scalar(6)}; });
  };
  const auto fill = [&](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N"}), sum = b.op("ReduceSum", {x}, attributes({{"keepdims", int64_t{0}}}));
    b.outputs({either(b, b.op("Greater", {sum, b.scalar(0)})), either(b, b.op("Equal", {b.op("Size", {x}), b.constant(Tensor::scalar(2))})),
               either(b, b.boolean(true)), either(b, b.boolean(false))});
  };
  check_runs({{{floats({1}, {1})}, "float32[2] 5 5; float32[] 6; float32[2] 5 5; float32[] 6"},
              {{floats({2}, {-1, 0})}, "float32[] 6; float32[2] 5 5; float32[2] 5 5; float32[] 6"}}, fill);
}

TEST_CASE("a subgraph reads an initializer of its parent that is no graph input", "[passes][CR-1][CR-3]") {
  // If in an If, and a Loop: w and k belong to the root, and no input has their names.
  OnnxGraph add("add"), pass("pass"), outer("outer"), none("none"), body("body"), g("root");
  add.node(OnnxNode("Add", {"x", "w"}, {"s"})).output("s");
  pass.node(OnnxNode("Identity", {"w"}, {"p"})).output("p");
  outer.node(OnnxNode("If", {"d"}, {"i"}).set("then_branch", add).set("else_branch", pass)).output("i");
  none.node(OnnxNode("Mul", {"x", "w"}, {"e"})).output("e");
  body.input("n", DType::int64, {}).input("go", DType::boolean, {}).input("v", DType::float32, {"2"});
  body.node(OnnxNode("Identity", {"go"}, {"on"})).node(OnnxNode("Add", {"v", "w"}, {"next"})).node(OnnxNode("Mul", {"v", "k"}, {"row"}));
  body.output("on").output("next").output("row");
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {}).input("d", DType::boolean, {});
  g.initializer("w", floats({2}, {10, 20})).initializer("k", floats({}, {3})).initializer("trips", int64s({}, {2}));
  g.node(OnnxNode("If", {"c"}, {"z"}).set("then_branch", outer).set("else_branch", none));
  g.node(OnnxNode("Loop", {"trips", "", "z"}, {"last", "rows"}).set("body", body)).output("z").output("last").output("rows");
  const Tensor x = floats({2}, {1, 2});
  check_imported({{{x, yes, yes}, "float32[2] 11 22; float32[2] 31 62; float32[2, 2] 33 66 63 126"},
                  {{x, yes, no}, "float32[2] 10 20; float32[2] 30 60; float32[2, 2] 30 60 60 120"},
                  {{x, no, no}, "float32[2] 10 40; float32[2] 30 80; float32[2, 2] 30 120 60 180"}}, g, 16);
}

TEST_CASE("sizes that agreed in the first run may differ in the next", "[passes][CR-2][CR-3]") {
  // a [A, 2], b [B, 2], first with A = B = 3, then A = 3, B = 5
  const auto matrix = [](int64_t rows, float first) {
    std::vector<float> values;
    for (int64_t i = 0; i < 2 * rows; ++i) values.push_back(first + static_cast<float>(i));
    return floats({rows, 2}, values);
  };
  check_runs({{{matrix(3, 0), matrix(3, 10)}, "float32[6, 2] 0 1 2 3 4 5 10 11 12 13 14 15; int64[2] 3 2; int64[2] 3 2; float32[2, 3] 10 12 14 11 13 15; float32[3, 3] 11 13 15 53 63 73 95 113 131; bool[2] 1 1"},
              {{matrix(3, 0), matrix(5, 10)}, "float32[8, 2] 0 1 2 3 4 5 10 11 12 13 14 15 16 17 18 19; int64[2] 3 2; int64[2] 5 2; float32[2, 5] 10 12 14 16 18 11 13 15 17 19; float32[3, 5] 11 13 15 17 19 53 63 73 83 93 95 113 131 149 167; bool[2] 0 1"},
              {{matrix(1, 0), matrix(2, 10)}, "float32[3, 2] 0 1 10 11 12 13; int64[2] 1 2; int64[2] 2 2; float32[2, 2] 10 12 11 13; float32[1, 2] 11 13; bool[2] 0 1"}},
             [](GraphBuild& b) {
               const OutputRef x = b.input("a", {"A", 2}), y = b.input("b", {"B", 2}), turned = b.op("Transpose", {y});
               b.outputs({b.op("Concat", {x, y}, along_rows), b.op("Shape", {x}), b.op("Shape", {y}), turned, b.op("MatMul", {x, turned}),
                          b.op("Equal", {b.op("Shape", {x}), b.op("Shape", {y})})});
             });
}

TEST_CASE("Relu followed by Clip works with bounds that are absent or computed", "[passes][CR-3][CR-9]") {
  const Tensor x = floats({4}, {-3, 1, 5, 9}), low = floats({}, {2}), high = floats({}, {6});
  check_runs({{{x, low, high}, "float32[4] 0 1 5 9; float32[4] 2 2 5 9; float32[4] 0 1 5 6; float32[4] 2 2 5 6; float32[4] 0 1 5 6; float32[4] 0 1 5 7; float32[4] 4 4 5 9; float32[4] 6 6 6 6"}}, [](GraphBuild& b) {
    const OutputRef y = b.op("Relu", {b.input("x", {4})}), l = b.input("low", {}), h = b.input("high", {});
    b.outputs({b.op("Clip", {y}), b.op("Clip", {y, l}), b.op("Clip", {y, {}, h}), b.op("Clip", {y, l, h}), b.op("Clip", {y, b.scalar(0), h}),
               b.op("Clip", {y, {}, b.op("Add", {h, b.scalar(1)})}), b.op("Clip", {y, b.op("Mul", {l, l})}), b.op("Clip", {y, h, h})});
  });
}

TEST_CASE("a sum after a Conv keeps its broadcasting and its other readers", "[passes][CR-3][CR-9]") {
  // y = 1x1 Conv of x [N, 2, 1, 2] with weights 1, 2 / 3, 4; then sums: a bias by channel, a residual of the same shape, one
  // of another batch (which enlarges), one by row, and a residual that is changed and read elsewhere.
  const Tensor x = floats({1, 2, 1, 2}, {1, 2, 3, 4});
  const std::string y = "7 10 15 22";
  check_runs({{{x, floats({2, 1, 1, 1}, {100, 200})},
               "float32[1, 2, 1, 2] 8 11 17 24; float32[1, 2, 1, 2] 8 12 18 26; float32[2, 2, 1, 2] 107 110 115 122 207 210 215 222; float32[1, 2, 1, 2] 17 30 25 42; "
               "float32[1, 2, 1, 2] 6 8 12 18; float32[1, 2, 1, 2] -1 -2 -3 -4; float32[1, 2, 1, 2] " + y}},
             [](GraphBuild& b) {
               const OutputRef in = b.input("x", {"N", 2, 1, 2}), batch = b.input("batch", {"M", 1, 1, 1});
               const OutputRef conv = b.op("Conv", {in, b.constant(floats({2, 2, 1, 1}, {1, 2, 3, 4}))}), changed = b.op("Neg", {in});
               b.outputs({b.op("Add", {conv, b.constant(floats({1, 2, 1, 1}, {1, 2}))}), b.op("Add", {conv, in}), b.op("Add", {conv, batch}),
                          b.op("Add", {b.constant(floats({2}, {10, 20})), conv}), b.op("Add", {changed, conv}), changed, conv});
             });
}
