#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "recognise_gelu";
constexpr uint32_t seed = 54;
constexpr float half_root = 0.70710678f, root = 1.41421356f, tanh_root = 0.7978845608f;

std::vector<std::vector<Tensor>> inputs() {
  std::mt19937 random(seed);
  return {{random_floats(random, {1, 8})}, {random_floats(random, {3, 8})}};
}

/// x/√2
OutputRef argument(GraphBuild& b, Forms& forms, OutputRef x) {
  return forms.choose(2) ? b.op("Div", {x, b.scalar(root)}) : joined(b, forms, "Mul", {x, b.scalar(half_root)});
}
/// x/2 · sum
OutputRef halved(GraphBuild& b, Forms& forms, OutputRef x, OutputRef sum) {
  switch (forms.choose(3)) {
    case 0: return joined(b, forms, "Mul", {b.scalar(0.5f), x, sum});
    case 1: return b.op("Div", {joined(b, forms, "Mul", {x, sum}), b.scalar(2)});
    default: return joined(b, forms, "Mul", {b.op("Div", {x, b.scalar(2)}), sum});
  }
}
/// x/2 · (1 + gate)
OutputRef gated(GraphBuild& b, Forms& forms, OutputRef x, OutputRef gate) {
  return halved(b, forms, x, joined(b, forms, "Add", {gate, b.scalar(1)}));
}
OutputRef exact(GraphBuild& b, OutputRef x, float factor = half_root, float half = 0.5f, float one = 1) {
  const OutputRef sum = b.op("Add", {b.op("Erf", {b.op("Mul", {x, b.scalar(factor)})}), b.scalar(one)});
  return b.op("Mul", {b.op("Mul", {x, sum}), b.scalar(half)});
}
/// √(2/π) (x + 0.044715 x³)
OutputRef cubic(GraphBuild& b, OutputRef x, float factor = 0.044715f, float power = 3) {
  const OutputRef cube = b.op("Mul", {b.op("Pow", {x, b.scalar(power)}), b.scalar(factor)});
  return b.op("Mul", {b.scalar(tanh_root), b.op("Add", {x, cube})});
}

/// One form after the other.
template <class Build>
size_t check_forms(const std::string& after, Build build) {
  Forms forms;
  size_t count = 0;
  do {
    INFO("seed " << seed << ", form " << count);
    const Forms fresh = forms;
    check_recognised(pass, 1, after, inputs(), [&](GraphBuild& b) {
      forms = fresh;
      const OutputRef x = b.input("x", {"N", 8});
      return Refs{build(b, forms, x)};
    });
    ++count;
  } while (forms.next());
  return count;
}

}  // namespace

TEST_CASE("GELU with erf is recognised in every order of factors and terms", "[passes][CR-3][CR-9]") {
  // Mul(0.5, Mul(x, Add(1, Erf(Div(x, 1.41421))))) and so on → Gelu(x)
  CHECK(check_forms("Gelu(x)", [](GraphBuild& b, Forms& forms, OutputRef x) { return gated(b, forms, x, b.op("Erf", {argument(b, forms, x)})); }) == 96);
}

TEST_CASE("GELU with the half inside the sum, and multiplied out, is recognised", "[passes][CR-3][CR-9]") {
  // x (0.5 + 0.5 erf(x/√2)) → Gelu(x)
  check_forms("Gelu(x)", [](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef erf = b.op("Erf", {argument(b, forms, x)}), half = joined(b, forms, "Mul", {erf, b.scalar(0.5f)});
    return joined(b, forms, "Mul", {x, joined(b, forms, "Add", {half, b.scalar(0.5f)})});
  });
  // h + h erf(x/√2), with h = x/2 → Gelu(x)
  check_forms("Gelu(x)", [](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef erf = b.op("Erf", {argument(b, forms, x)}), h = b.op("Mul", {x, b.scalar(0.5f)});
    return joined(b, forms, "Add", {h, joined(b, forms, "Mul", {h, erf})});
  });
}

TEST_CASE("GELU with tanh is recognised in every order of factors and terms", "[passes][CR-3][CR-9]") {
  // 0.5 x (1 + tanh(0.79788 (x + 0.044715 x³))) → Gelu(x), approximate
  check_forms("Gelu(x)", [](GraphBuild& b, Forms& forms, OutputRef x) { return gated(b, forms, x, b.op("Tanh", {cubic(b, x)})); });
  // The cube as a power or as products, 0.044715 anywhere among them.
  const auto plainly_gated = [](GraphBuild& b, OutputRef x, OutputRef gate) {
    return b.op("Mul", {b.op("Mul", {x, b.scalar(0.5f)}), b.op("Add", {b.scalar(1), gate})});
  };
  check_forms("Gelu(x)", [&](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef factor = b.scalar(0.044715f);
    const OutputRef cube = forms.choose(2) ? joined(b, forms, "Mul", {factor, x, b.op("Pow", {x, b.scalar(2)})}) : joined(b, forms, "Mul", {factor, x, x, x});
    const OutputRef sum = joined(b, forms, "Add", {x, cube});
    return plainly_gated(b, x, b.op("Tanh", {joined(b, forms, "Mul", {sum, b.scalar(tanh_root)})}));
  });
  // tanh(0.79788 x (1 + 0.044715 x²))
  check_forms("Gelu(x)", [&](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef square = joined(b, forms, "Mul", {b.scalar(0.044715f), b.op("Mul", {x, x})});
    const OutputRef sum = joined(b, forms, "Add", {b.scalar(1), square});
    return plainly_gated(b, x, b.op("Tanh", {joined(b, forms, "Mul", {x, sum, b.scalar(tanh_root)})}));
  });
}

TEST_CASE("the approximation is part of the Gelu that takes its place", "[passes][CR-3]") {
  FormulaCase c;
  const OutputRef x = c.input("x", {"N", 8});
  Forms forms;
  c.outputs({exact(c, x), gated(c, forms, x, c.op("Tanh", {cubic(c, x)}))});
  CHECK(c.recognise(pass) == 2);
  CHECK(c.text() == "Gelu(x); Gelu(x)");
  CHECK(c.graph.node(c.graph.outputs()[0].node).attributes().get_string("approximate", "none") == "none");
  CHECK(c.graph.node(c.graph.outputs()[1].node).attributes().get_string("approximate", "none") == "tanh");
}

TEST_CASE("the argument of a GELU may itself be arithmetic, also of another GELU", "[passes][CR-3][CR-9]") {
  // Gelu(2 x + b), then Gelu of that → Gelu(Gelu(Add(Mul(x, 2), b)))
  check_recognised(pass, 2, "Gelu(Gelu(Add(Mul(x, 2), [1, 1, 1, 1, 1, 1, 1, 1])))", inputs(), [](GraphBuild& b) {
    const OutputRef x = b.op("Add", {b.op("Mul", {b.input("x", {"N", 8}), b.scalar(2)}), b.filled({8}, 1)});
    return Refs{exact(b, exact(b, x))};
  });
}

TEST_CASE("GELU constants may be of one element and any rank that does not enlarge the result", "[passes][CR-3][CR-9]") {
  check_recognised(pass, 1, "Gelu(x)", inputs(), [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N", 8}), erf = b.op("Erf", {b.op("Div", {x, b.filled({1, 1}, root)})});
    return Refs{b.op("Mul", {b.op("Mul", {x, b.op("Add", {erf, b.filled({1}, 1)})}), b.filled({1}, 0.5f)})};
  });
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N", 8}), erf = b.op("Erf", {b.op("Div", {x, b.filled({1, 1, 1}, root)})});
    return Refs{b.op("Mul", {b.op("Mul", {x, b.op("Add", {erf, b.filled({1}, 1)})}), b.filled({1}, 0.5f)})};
  });
}

TEST_CASE("rounded constants count, others do not", "[passes][CR-3]") {
  check_recognised(pass, 1, "Gelu(x)", inputs(), [](GraphBuild& b) { return Refs{exact(b, b.input("x", {"N", 8}), 0.7071f)}; });
  check_left_alone(pass, [](GraphBuild& b) { return Refs{exact(b, b.input("x", {"N", 8}), 0.7073f)}; });
  check_left_alone(pass, [](GraphBuild& b) { return Refs{exact(b, b.input("x", {"N", 8}), -half_root)}; });
  check_left_alone(pass, [](GraphBuild& b) { return Refs{exact(b, b.input("x", {"N", 8}), half_root, 0.51f)}; });
  check_left_alone(pass, [](GraphBuild& b) { return Refs{exact(b, b.input("x", {"N", 8}), half_root, 0.5f, 1.01f)}; });
  for (const auto& [factor, power] : {std::pair(0.0448f, 3.0f), std::pair(0.044715f, 2.0f), std::pair(0.044715f, 4.0f)})
    check_left_alone(pass, [f = factor, p = power](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 8});
      Forms forms;
      return Refs{gated(b, forms, x, b.op("Tanh", {cubic(b, x, f, p)}))};
    });
}

TEST_CASE("what only resembles GELU is left alone", "[passes][CR-3]") {
  const auto tail = [](GraphBuild& b, OutputRef x, OutputRef gate, const char* join = "Add") {
    return b.op("Mul", {b.op("Mul", {x, b.op(join, {gate, b.scalar(1)})}), b.scalar(0.5f)});
  };
  const auto erf = [](GraphBuild& b, OutputRef x) { return b.op("Erf", {b.op("Div", {x, b.scalar(root)})}); };
  SECTION("another value is gated") {
    check_left_alone(pass, [&](GraphBuild& b) { return Refs{tail(b, b.input("y", {"N", 8}), erf(b, b.input("x", {"N", 8})))}; });
  }
  SECTION("1 is taken away, or from 1") {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 8});
      return Refs{tail(b, x, erf(b, x), "Sub")};
    });
  }
  SECTION("the constant is larger than one element") {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 8});
      return Refs{tail(b, x, b.op("Erf", {b.op("Div", {x, b.filled({8}, root)})}))};
    });
  }
  SECTION("a sum cancels: rounding is then part of the meaning") {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 8}), far = b.op("Add", {x, b.scalar(1e6f)});
      return Refs{tail(b, x, erf(b, b.op("Sub", {far, b.scalar(1e6f)})))};
    });
  }
}

TEST_CASE("GELU whose inner values somebody else needs is left alone", "[passes][CR-3]") {
  const auto build = [](GraphBuild& b, const char* other) {
    const OutputRef x = b.input("x", {"N", 8}), u = b.op("Div", {x, b.scalar(root)}), erf = b.op("Erf", {u}), sum = b.op("Add", {erf, b.scalar(1)});
    const OutputRef product = b.op("Mul", {x, sum}), y = b.op("Mul", {product, b.scalar(0.5f)});
    const std::string name = other;
    const OutputRef inner = name == "argument" ? u : name == "erf" ? erf : name == "sum" ? sum : product;
    return std::pair(y, inner);
  };
  for (const char* other : {"argument", "erf", "sum", "product"}) {
    check_left_alone(pass, [&](GraphBuild& b) {  // an output of the graph
      const auto [y, inner] = build(b, other);
      return Refs{y, inner};
    });
    check_left_alone(pass, [&](GraphBuild& b) {  // another reader
      const auto [y, inner] = build(b, other);
      return Refs{y, b.op("Neg", {inner})};
    });
    check_left_alone(pass, [&](GraphBuild& b) {  // read by a branch
      const auto [y, inner] = build(b, other);
      return Refs{y, b.branch(b.input("p", {}, DType::boolean), {inner}, [](GraphBuild& s, const Refs& in) { return Refs{s.op("Neg", {in[0]})}; },
                              [](GraphBuild&, const Refs& in) { return Refs{in[0]}; })};
    });
    check_left_alone(pass, [&](GraphBuild& b) {  // something runs after it
      const auto [y, inner] = build(b, other);
      const OutputRef z = b.op("Neg", {b.input("z", {2})});
      b.graph.add_control_edge(inner.node, z.node);
      return Refs{y, z};
    });
  }
}

TEST_CASE("GELU in a branch, and with dims that only a run knows, is recognised", "[passes][CR-3]") {
  FormulaCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {"N", "M"});
  c.outputs({c.branch(p, {x}, [](GraphBuild& b, const Refs& in) { return Refs{exact(b, in[0])}; }, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Neg", {in[0]})}; })});
  CHECK(c.recognise(pass) == 1);
  CHECK(c.text() == "If(p, x){Gelu(c0) | Neg(c0)}");
}

TEST_CASE("float16 constants are compared as float16 rounds them", "[passes][CR-3]") {
  FormulaCase c;
  const auto half = [&](float value) {
    const uint16_t bits = float_to_half(value);
    return c.constant(Tensor::from<uint16_t>(DType::float16, {}, std::span<const uint16_t>(&bits, 1)));
  };
  const OutputRef x = c.input("x", {"N", 8}, DType::float16), erf = c.op("Erf", {c.op("Div", {x, half(root)})});
  c.outputs({c.op("Mul", {c.op("Mul", {x, c.op("Add", {erf, half(1)})}), half(0.5f)})});
  CHECK(c.recognise(pass) == 1);
  CHECK(c.text() == "Gelu(x)");
}

TEST_CASE("a new Gelu keeps the names of what it replaces", "[passes][CR-3][CR-8]") {
  FormulaCase c;
  const OutputRef y = exact(c, c.input("x", {"N", 8}));
  c.graph.set_output_name(y, "activated");
  const std::string node = c.graph.node(y.node).name();
  c.outputs({y});
  CHECK(c.recognise(pass) == 1);
  CHECK(c.graph.tensor_name(c.graph.outputs()[0]) == "activated");
  CHECK(c.graph.node(c.graph.outputs()[0].node).name().starts_with(node));
}
