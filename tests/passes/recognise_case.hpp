#pragma once
#include "executor/model_case.hpp"

#include <cmath>
#include <random>

namespace ge::testing {

/// Goes systematically through all ways to write something: the builder asks `choose(n)` at each fork, and is called
/// again until next() says that every combination has been seen.
class Forms {
 public:
  size_t choose(size_t n) {
    if (at_ == taken_.size()) taken_.push_back({0, n});
    return taken_[at_++].first;
  }
  bool next() {
    at_ = 0;
    while (!taken_.empty() && taken_.back().first + 1 == taken_.back().second) taken_.pop_back();
    if (taken_.empty()) return false;
    ++taken_.back().first;
    return true;
  }
  /// "0.2.1": so that a failure names its form.
  std::string name() const {
    std::string out;
    for (const auto& [choice, n] : taken_) out += (out.empty() ? "" : ".") + std::to_string(choice);
    return out;
  }

 private:
  std::vector<std::pair<size_t, size_t>> taken_;
  size_t at_ = 0;
};

/// The operands joined two by two, in every order and association that `forms` goes through.
inline OutputRef joined(GraphBuild& b, Forms& forms, const char* op, std::vector<OutputRef> operands) {
  while (operands.size() > 1) {
    const size_t n = operands.size(), pair = forms.choose(n * (n - 1));
    const size_t i = pair / (n - 1), j = pair % (n - 1) + (pair % (n - 1) >= i ? 1 : 0);
    const OutputRef both = b.op(op, {operands[i], operands[j]});
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
    operands[std::min(i, j)] = both;
  }
  return operands[0];
}

/// A model built by a test, on which one pass may run.
class FormulaCase : public ModelCase {
 public:
  /// How many formulas the pass recognised.
  size_t recognise(const std::string& pass) {
    PassOptions options;
    for (const Registered& item : passes().list())
      if (item.key != pass) options.disabled.insert(item.key);
    infer(graph);
    PassContext context;
    for (const PassCount& count : run_passes(graph, context, options).passes)
      if (count.name == pass) return count.matches;
    return 0;
  }
  std::string text() const { return testing::text(graph); }
};

/// Normally distributed numbers times 3, so that gates are open, shut and in between.
inline Tensor random_floats(std::mt19937& random, std::vector<int64_t> dims) {
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (float& value : values) value = normal(random);
  return Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values));
}

/// "" where both are within CR-9 of each other: 1e-5 + 1e-4 of the value, shapes equal.
inline std::string difference(const Tensor& expected, const Tensor& found) {
  if (expected.dtype() != found.dtype() || expected.dims() != found.dims()) return "expected " + show(expected) + ", found " + show(found);
  const auto a = *expected.to_doubles(), b = *found.to_doubles();
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i] - b[i]) <= 1e-5 + 1e-4 * std::fabs(a[i])) && !(std::isnan(a[i]) && std::isnan(b[i])))
      return "element " + std::to_string(i) + ": expected " + std::to_string(a[i]) + ", found " + std::to_string(b[i]);
  return "";
}

/// Builds a graph twice, runs the pass on one of them, and compares text and, through the reference engine, values.
/// `build(c)` gives the outputs; the inputs are `inputs`.
template <class Build>
void check_recognised(const char* pass, size_t matches, const std::string& after, const std::vector<std::vector<Tensor>>& runs, Build build) {
  FormulaCase written, recognised;
  written.outputs(build(written));
  recognised.outputs(build(recognised));
  const std::string before = written.text();
  INFO("before: " << before);
  CHECK(recognised.recognise(pass) == matches);
  CHECK(recognised.text() == after);
  auto model = written.instance(), other = recognised.instance();
  for (const auto& inputs : runs) {
    const auto expected = model->run(inputs), found = other->run(inputs);
    for (size_t i = 0; i < expected.size(); ++i) CHECK(difference(expected[i], found[i]) == "");
  }
}

/// The pass recognises every form that `build(b, forms, x)` goes through, over `x(b)`, and gives the same each time.
template <class Input, class Build>
void check_forms(const char* pass, uint32_t seed, const std::string& after, const std::vector<std::vector<Tensor>>& runs, Input x, Build build) {
  Forms forms;
  do {
    INFO("seed " << seed << ", form " << forms.name());
    const Forms fresh = forms;
    check_recognised(pass, 1, after, runs, [&](GraphBuild& b) {
      forms = fresh;
      return std::vector{build(b, forms, x(b))};
    });
  } while (forms.next());
}

/// The pass finds nothing, and the graph stays as it is.
template <class Build>
void check_left_alone(const char* pass, Build build) {
  FormulaCase c;
  c.outputs(build(c));
  const std::string before = c.text();
  INFO("before: " << before);
  const size_t nodes = c.graph.node_count();
  CHECK(c.recognise(pass) == 0);
  CHECK(c.text() == before);
  CHECK(c.graph.node_count() == nodes);
}

}  // namespace ge::testing
