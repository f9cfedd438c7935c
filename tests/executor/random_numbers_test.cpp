// Random ops run after run, and string ops whose output dims are known once they have run.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

Attributes uniform(bool seeded) {
  Attributes out = attributes({{"shape", std::vector<int64_t>{50'000}}, {"dtype", int64_t{11}}});
  if (seeded) out.set("seed", 3.0f);
  return out;
}

}  // namespace

TEST_CASE("numbers without a seed are others in each run and each node", "[executor][CR-9]") {
  ModelCase c;
  c.outputs({c.op("RandomUniform", {}, uniform(false)), c.op("RandomUniform", {}, uniform(false))});
  const auto model = c.instance(), again = c.instance();
  const auto first = model->run({}), second = model->run({}), third = again->run({});
  CHECK_FALSE(first[0] == first[1]);
  CHECK_FALSE(first[0] == second[0]);
  CHECK_FALSE(first[0] == second[1]);
  CHECK_FALSE(first[0] == third[0]);
}

TEST_CASE("numbers of a seed are the same in each run, with any number of threads", "[executor][CR-9][CR-12]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"}, DType::float64);
  const OutputRef ones = c.op("Dropout", {x, c.scalar(0.5f), c.boolean(true)}, attributes({{"seed", int64_t{11}}}), 2);
  c.outputs({c.op("RandomUniform", {}, uniform(true)), ones, c.second(ones)});
  ThreadPool one(1), three(3);
  ModelParam alone, together;
  alone.runner = &one, together.runner = &three;
  const auto model = c.instance(alone), parallel = c.instance(together);
  const Tensor input = doubles({40'000}, std::vector<double>(40'000, 1.0));
  const auto first = model->run({input});
  CHECK(model->run({input}) == first);
  CHECK(parallel->run({input}) == first);
  for (int64_t i = 0; i < 40'000; ++i) REQUIRE(first[1].at<double>(i) == (first[2].at<uint8_t>(i) ? 2.0 : 0.0));
}

TEST_CASE("Dropout drops as its inputs say at run time", "[executor][CR-9]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"}), ratio = c.input("ratio", {}), training = c.input("training", {}, DType::boolean);
  const OutputRef y = c.op("Dropout", {x, ratio, training}, {}, 2);
  c.outputs({y, c.second(y)});
  const auto model = c.instance();
  CHECK(model->shown({floats({2}, {1, 2}), floats({}, {0.5f}), bools({}, {0})}) == "float32[2] 1 2; bool[2] 1 1");
  CHECK(model->shown({floats({2}, {1, 2}), floats({}, {0}), bools({}, {1})}) == "float32[2] 1 2; bool[2] 1 1");
  CHECK_THAT(model->refusal({floats({2}, {1, 2}), floats({}, {1}), bools({}, {1})}), Contains("(Dropout)"));
  const auto all = model->run({floats({1000}, std::vector<float>(1000, 1)), floats({}, {0.5f}), bools({}, {1})});
  int64_t kept = 0;
  for (int64_t i = 0; i < 1000; ++i) kept += all[1].at<uint8_t>(i);
  CHECK(kept > 400);
  CHECK(kept < 600);
}

TEST_CASE("parts and words that are left decide dims while running", "[executor][CR-9]") {
  ModelCase c;
  c.may_be_zero("N");
  const OutputRef x = c.input("x", {"N"}, DType::string);
  const OutputRef left = c.op("StringNormalizer", {x}, attributes({{"case_change_action", std::string("UPPER")}, {"stopwords", std::vector<std::string>{"stop"}}}));
  const OutputRef parts = c.op("StringSplit", {left}, attributes({{"delimiter", std::string("-")}}), 2);
  c.outputs({parts, c.second(parts), c.op("StringConcat", {left, c.constant(Tensor::strings({1}, {"!"}))})});
  const auto model = c.instance();
  for (int round = 0; round < 2; ++round) {
    CHECK(model->shown({Tensor::strings({3}, {"a-b", "Stop", "c"})}) == "string[2, 2] 'A' 'B' 'C' ''; int64[2] 2 1; string[2] 'A-B!' 'C!'");
    CHECK(model->shown({Tensor::strings({1}, {"stop"})}) == "string[1, 1] ''; int64[1] 1; string[1] '!'");
    CHECK(model->shown({Tensor::strings({0}, {})}) == "string[1, 1] ''; int64[1] 1; string[1] '!'");
  }
}

TEST_CASE("a pattern that is none ends with the node's name", "[executor][CR-10]") {
  ModelCase c;
  c.outputs({c.op("RegexFullMatch", {c.input("x", {1}, DType::string)}, attributes({{"pattern", std::string("(")}}))});
  const auto model = c.instance();
  CHECK_THAT(model->refusal({Tensor::strings({1}, {"a"})}), Contains("RegexFullMatch") && Contains("'('"));
}
