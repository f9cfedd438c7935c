#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <limits>

using namespace ge;
using ge::testing::attributes;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;
using Ints = std::vector<int64_t>;

namespace {

constexpr auto pass = "fold_pad";
const Ints around{0, 0, 1, 2, 0, 0, 3, 4};  // begins of N, C, H, W; then ends

OutputRef pad(GraphBuild& b, OutputRef x, Ints pads = around, OutputRef value = {}) { return value ? b.op("Pad", {x, b.ints(pads), value}) : b.op("Pad", {x, b.ints(pads)}); }
OutputRef conv(GraphBuild& b, OutputRef x, Attributes attrs = {}) { return b.op("Conv", {x, b.filled({1, 2, 3, 3}, 1)}, std::move(attrs)); }
OutputRef pool(GraphBuild& b, const char* op, OutputRef x, Attributes attrs = {}) {
  attrs.set("kernel_shape", Ints{5, 5});
  return b.op(op, {x}, std::move(attrs));
}

/// Runs the pass over what `build` makes of x [N, 2, H, W]. Gives the attributes of the node that is left, where its Pad
/// has gone into it, and nullopt where nothing changed.
template <class Build>
std::optional<Attributes> folded(Build build, DType dtype = DType::float32) {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 2, "H", "W"}, dtype);
  c.outputs({build(c, x)});
  const std::string before = c.text();
  const size_t changes = c.run(pass);
  INFO("before: " << before);
  CHECK((changes == 0) == (c.text() == before));
  if (changes == 0) return std::nullopt;
  CHECK(c.text().find("Pad") == std::string::npos);
  return c.graph.node(c.graph.outputs()[0].node).attributes();
}

}  // namespace

TEST_CASE("a Pad with zeros goes into the Conv that reads it", "[passes][CR-3]") {
  // Conv(Pad(x)) → Conv(x), pads [1, 2, 3, 4]
  const auto plain = folded([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x)); });
  REQUIRE(plain);
  CHECK(plain->get_ints("pads") == Ints{1, 2, 3, 4});
  const auto added = folded([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x, around, c.scalar(0)), attributes({{"pads", Ints{10, 20, 30, 40}}, {"strides", Ints{2, 2}}})); });
  REQUIRE(added);
  CHECK(added->get_ints("pads") == Ints{11, 22, 33, 44});
  CHECK(added->get_ints("strides") == Ints{2, 2});
  // VALID means pads of 0.
  const auto valid = folded([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x), attributes({{"auto_pad", std::string("VALID")}})); });
  REQUIRE(valid);
  CHECK(valid->get_ints("pads") == Ints{1, 2, 3, 4});
  CHECK_FALSE(valid->has("auto_pad"));
}

TEST_CASE("axes may be given, in any order and from the end", "[passes][CR-3]") {
  const auto some = folded([](GraphCase& c, OutputRef x) { return conv(c, c.op("Pad", {x, c.ints({5, 6, 7, 8}), {}, c.ints({-1, 2})})); });
  REQUIRE(some);
  CHECK(some->get_ints("pads") == Ints{6, 5, 8, 7});
}

TEST_CASE("two Pads one after the other both go", "[passes][CR-3]") {
  const auto both = folded([](GraphCase& c, OutputRef x) { return conv(c, pad(c, pad(c, x))); });
  REQUIRE(both);
  CHECK(both->get_ints("pads") == Ints{2, 4, 6, 8});
}

TEST_CASE("padding that is no zero, crops, mirrors or lies on batch or channels is left alone", "[passes][CR-3]") {
  const auto stays = [](auto build) { CHECK_FALSE(folded(build)); };
  stays([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x, around, c.scalar(1))); });
  stays([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x, around, c.input("v", {}))); });
  stays([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x, {0, 0, -1, 0, 0, 0, 1, 0})); });
  stays([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x, {1, 0, 0, 0, 0, 0, 0, 0})); });
  stays([](GraphCase& c, OutputRef x) { return c.op("Conv", {pad(c, x, {0, 1, 1, 1, 0, 0, 1, 1}), c.filled({1, 3, 3, 3}, 1)}); });
  stays([](GraphCase& c, OutputRef x) { return conv(c, c.op("Pad", {x, c.input("pads", {8}, DType::int64)})); });
  for (const char* mode : {"reflect", "edge", "wrap"})
    stays([&](GraphCase& c, OutputRef x) { return conv(c, c.op("Pad", {x, c.ints(around)}, attributes({{"mode", std::string(mode)}}))); });
  for (const char* automatic : {"SAME_UPPER", "SAME_LOWER"})
    stays([&](GraphCase& c, OutputRef x) { return conv(c, pad(c, x), attributes({{"auto_pad", std::string(automatic)}})); });
  // More than an attribute may hold.
  stays([](GraphCase& c, OutputRef x) { return conv(c, pad(c, x, {0, 0, INT32_MAX, 0, 0, 0, 0, 0}), attributes({{"pads", Ints{1, 0, 0, 0}}})); });
  // Not into other ops, nor into the weights.
  stays([](GraphCase& c, OutputRef x) { return c.op("ConvTranspose", {pad(c, x), c.filled({2, 1, 3, 3}, 1)}); });
  stays([](GraphCase& c, OutputRef x) { return c.op("GlobalAveragePool", {pad(c, x)}); });
  stays([](GraphCase& c, OutputRef x) { return c.op("Conv", {c.input("y", {1, 2, "A", "B"}), pad(c, x)}); });
}

TEST_CASE("AveragePool then counts the padding, and cannot have some that it does not count", "[passes][CR-3]") {
  const auto counts = folded([](GraphCase& c, OutputRef x) { return pool(c, "AveragePool", pad(c, x)); });
  REQUIRE(counts);
  CHECK(counts->get_ints("pads") == Ints{1, 2, 3, 4});
  CHECK(counts->get_int("count_include_pad", 0) == 1);
  const auto more = attributes({{"pads", Ints{1, 1, 1, 1}}, {"count_include_pad", int64_t{1}}});
  const auto counted = folded([&](GraphCase& c, OutputRef x) { return pool(c, "AveragePool", pad(c, x), more); });
  REQUIRE(counted);
  CHECK(counted->get_ints("pads") == Ints{2, 3, 4, 5});
  CHECK_FALSE(folded([](GraphCase& c, OutputRef x) { return pool(c, "AveragePool", pad(c, x), attributes({{"pads", Ints{1, 1, 1, 1}}})); }));
  CHECK_FALSE(folded([](GraphCase& c, OutputRef x) { return pool(c, "AveragePool", pad(c, x, around, c.scalar(1))); }));
}

TEST_CASE("MaxPool takes padding with the lowest number", "[passes][CR-3]") {
  const auto of = [](float value) {
    return folded([=](GraphCase& c, OutputRef x) { return pool(c, "MaxPool", pad(c, x, around, c.scalar(value))); });
  };
  const auto lowest = of(-std::numeric_limits<float>::infinity());
  REQUIRE(lowest);
  CHECK(lowest->get_ints("pads") == Ints{1, 2, 3, 4});
  CHECK_FALSE(of(0));
  // A window of -inf, or of padding alone, would tell.
  CHECK_FALSE(of(-std::numeric_limits<float>::max()));
  const auto int8 = [](int8_t value) {
    return folded([=](GraphCase& c, OutputRef x) { return pool(c, "MaxPool", pad(c, x, around, c.constant(Tensor::from<int8_t>(DType::int8, {}, std::span(&value, 1))))); }, DType::int8);
  };
  CHECK(int8(-128));
  CHECK_FALSE(int8(0));
  CHECK(folded([](GraphCase& c, OutputRef x) { return pool(c, "MaxPool", pad(c, x)); }, DType::uint8));
}

TEST_CASE("MaxPool takes zeros where no input is negative and every window holds an input", "[passes][CR-3]") {
  const auto over = [](const char* op, Ints pads = around, Attributes attrs = {}) {
    return folded([=](GraphCase& c, OutputRef x) { return pool(c, "MaxPool", pad(c, c.op(op, {x}), pads), attrs); }).has_value();
  };
  CHECK(over("Relu"));
  CHECK(over("Sigmoid"));
  CHECK_FALSE(over("Tanh"));
  // A window of 5 lies in padding of 5.
  CHECK_FALSE(over("Relu", {0, 0, 5, 0, 0, 0, 0, 0}));
  CHECK_FALSE(over("Relu", {0, 0, 0, 0, 0, 0, 0, 5}));
  CHECK_FALSE(over("Relu", around, attributes({{"pads", Ints{4, 0, 0, 0}}})));
  CHECK_FALSE(over("Relu", around, attributes({{"dilations", Ints{1, 2}}})));
  const auto clipped = [](float least) {
    return folded([=](GraphCase& c, OutputRef x) { return pool(c, "MaxPool", pad(c, c.op("Clip", {x, c.scalar(least)}))); }).has_value();
  };
  CHECK(clipped(0));
  CHECK_FALSE(clipped(-1));
  CHECK_FALSE(folded([](GraphCase& c, OutputRef x) { return pool(c, "MaxPool", pad(c, c.op("Clip", {x}))); }));
}

TEST_CASE("indices of a MaxPool count in the padded input, so the Pad stays", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef lowest = c.scalar(-std::numeric_limits<float>::infinity());
  const OutputRef y = c.op("MaxPool", {pad(c, c.input("x", {"N", 2, "H", "W"}), around, lowest)}, attributes({{"kernel_shape", Ints{5, 5}}}), 2);
  c.outputs({y, {y.node, 1}});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("ceil_mode counts windows by where the input ends, so it must come out even", "[passes][CR-3]") {
  const auto up = attributes({{"ceil_mode", int64_t{1}}, {"strides", Ints{2, 2}}});
  CHECK_FALSE(folded([&](GraphCase& c, OutputRef x) { return pool(c, "AveragePool", pad(c, x), up); }));
  // H = 9 + 4 and W = 9 + 6 padded: (13 - 5) / 2 + 1 = 5 and (15 - 5) / 2 + 1 = 6 windows, all of which begin inside.
  GraphCase c;
  c.outputs({pool(c, "AveragePool", pad(c, c.input("x", {1, 2, 9, 9})), up)});
  CHECK(c.run(pass) != 0);
}

TEST_CASE("other readers keep the Pad", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef padded = pad(c, c.input("x", {"N", 2, "H", "W"}));
  c.outputs({conv(c, padded), padded, pool(c, "MaxPool", padded), conv(c, padded)});
  CHECK(c.run(pass) != 0);
  const std::string shown = "Pad(x, [0, 0, 1, 2, 0, 0, 3, 4])";
  CHECK(c.text() == "Conv(x, float32[1, 2, 3, 3]); " + shown + "; MaxPool(" + shown + "); Conv(x, float32[1, 2, 3, 3])");
  CHECK(c.graph.output_names()[1] == "out1");
}

TEST_CASE("nodes with control edges keep their Pad", "[passes][CR-3]") {
  for (const bool at_pad : {true, false}) {
    GraphCase c;
    const OutputRef x = c.input("x", {"N", 2, "H", "W"}), other = c.op("Exp", {x}), padded = pad(c, x), y = conv(c, padded);
    c.graph.add_control_edge(other.node, at_pad ? padded.node : y.node);
    c.outputs({y, other});
    CHECK(c.run(pass) == 0);
  }
}

TEST_CASE("Pads in subgraphs go too; those of captured values stay outside", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {"N", 2, "H", "W"});
  c.outputs({c.branch(p, {x, pad(c, x)}, [](GraphBuild& b, const Refs& in) { return Refs{conv(b, pad(b, in[0]))}; },
                      [](GraphBuild& b, const Refs& in) { return Refs{conv(b, in[1])}; })});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "If(p, x, Pad(x, [0, 0, 1, 2, 0, 0, 3, 4])){Conv(c0, float32[1, 2, 3, 3]) | Conv(c1, float32[1, 2, 3, 3])}");
}
