// Random chains of views, with open dims: simplify_views, alone and with all passes, keeps every bit. A failure prints
// its seed.
#include "session/with_passes.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

using Ints = std::vector<int64_t>;

class RandomViews {
 public:
  explicit RandomViews(uint32_t seed) : random_(seed) {}

  void fill(GraphBuild& b) {
    for (const char* name : {"N", "M"}) b.graph.symbols().symbol(name, {0, INT32_MAX});
    pool_ = {b.input("x", {"N", 1, "M"}), b.input("y", {2, 3, 4}), b.input("z", {"N", 6})};
    for (uint32_t i = 0; i < 14; ++i) {
      infer(b.graph);
      const OutputRef x = pick();
      if (b.graph.type(x).rank() < 6) pool_.push_back(view(b, x));
    }
    std::vector<OutputRef> outputs{pool_.back()};
    for (uint32_t i = 0; i < 4; ++i) outputs.push_back(pick());
    b.outputs(outputs);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  /// Mostly the newest values, so that chains grow.
  OutputRef pick() { return pool_[pool_.size() - 1 - std::min({below(static_cast<uint32_t>(pool_.size())), below(static_cast<uint32_t>(pool_.size())), below(3)})]; }
  size_t axis_of(size_t rank) { return below(static_cast<uint32_t>(rank)); }

  OutputRef view(GraphBuild& b, OutputRef x) {
    const Shape shape = *b.graph.type(x).shape;
    if (shape.empty()) return b.op("Unsqueeze", {x, b.ints({0})});
    switch (below(11)) {
      case 0: return transpose(b, x, shape.size());
      case 1: return transpose(b, x, shape.size());
      case 2: return b.op("Flatten", {x}, attributes({{"axis", static_cast<int64_t>(axis_of(shape.size() + 1))}}));
      case 3: return b.op("Unsqueeze", {x, b.ints({static_cast<int64_t>(axis_of(shape.size() + 1))})});
      case 4: return squeeze(b, x, shape);
      case 5: return reshape(b, x, shape);
      case 6:
      case 7: return slice(b, x, shape.size());
      case 8: return expand(b, x, shape);
      case 9: return below(2) ? b.op("Neg", {x}) : b.op("Identity", {x});
      default: return parts(b, x, shape);
    }
  }
  OutputRef transpose(GraphBuild& b, OutputRef x, size_t rank) {
    Ints perm(rank);
    for (size_t i = 0; i < rank; ++i) perm[i] = static_cast<int64_t>(i);
    if (below(4) == 0) return b.op("Transpose", {x});
    std::shuffle(perm.begin(), perm.end(), random_);
    return b.op("Transpose", {x}, attributes({{"perm", perm}}));
  }
  OutputRef squeeze(GraphBuild& b, OutputRef x, const Shape& shape) {
    Ints axes;
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d].is_constant(1) && below(3)) axes.push_back(below(2) ? static_cast<int64_t>(d) : static_cast<int64_t>(d) - static_cast<int64_t>(shape.size()));
    return axes.empty() ? b.op("Unsqueeze", {x, b.ints({-1})}) : b.op("Squeeze", {x, b.ints(axes)});
  }
  /// Joins two neighbours, or takes a constant apart.
  OutputRef reshape(GraphBuild& b, OutputRef x, const Shape& shape) {
    Ints target(shape.size(), 0);
    const size_t d = axis_of(shape.size());
    if (shape[d].is_constant() && shape[d].value() % 2 == 0 && shape[d].value() > 0) {
      target[d] = 2;
      target.resize(d + 1);
      target.push_back(-1);
      for (size_t rest = d + 1; rest < shape.size(); ++rest) {
        if (!shape[rest].is_constant() || shape[rest].is_constant(0)) return b.op("Reshape", {x, b.ints({-1})});
        target.push_back(shape[rest].value());
      }
      return b.op("Reshape", {x, b.ints(target)});
    }
    target.resize(d + 1);
    target[d] = -1;
    return b.op("Reshape", {x, b.ints(target)});
  }
  OutputRef slice(GraphBuild& b, OutputRef x, size_t rank) {
    Ints starts, ends, axes, steps;
    for (size_t d = 0; d < rank; ++d) {
      if (below(2)) continue;
      static constexpr int64_t steps_to_pick[] = {1, 1, 1, 2, 3, -1, -2};
      const int64_t step = steps_to_pick[below(7)];
      axes.push_back(below(2) ? static_cast<int64_t>(d) : static_cast<int64_t>(d) - static_cast<int64_t>(rank));
      steps.push_back(step);
      starts.push_back(below(3) == 0 ? bound(step < 0) : step < 0 ? -1 : below(2));
      ends.push_back(below(2) ? bound(step > 0) : step > 0 ? INT64_MAX : INT64_MIN);
    }
    if (axes.empty()) return b.op("Identity", {x});
    return b.op("Slice", {x, b.ints(starts), b.ints(ends), b.ints(axes), b.ints(steps)});
  }
  int64_t bound(bool high) {
    if (below(5) == 0) return high ? INT32_MAX : INT64_MIN;
    return static_cast<int64_t>(below(9)) - 4;
  }
  OutputRef expand(GraphBuild& b, OutputRef x, const Shape& shape) {
    Ints target;
    if (below(2)) target.push_back(2);
    for (Expr dim : shape) target.push_back(dim.is_constant(1) && below(2) ? 3 : 1);
    return b.op("Expand", {x, b.ints(target)});
  }
  /// Concatenated with itself or what is not itself, and maybe cut at borders or elsewhere.
  OutputRef parts(GraphBuild& b, OutputRef x, const Shape& shape) {
    const size_t axis = axis_of(shape.size());
    const auto along = attributes({{"axis", below(2) ? static_cast<int64_t>(axis) : static_cast<int64_t>(axis) - static_cast<int64_t>(shape.size())}});
    const OutputRef two = b.op("Concat", {x, below(2) ? x : b.op("Neg", {x})}, along);
    const OutputRef whole = below(2) ? b.op("Concat", {two, x}, along) : two;
    if (!shape[axis].is_constant() || shape[axis].is_constant(0)) return whole;
    const int64_t dim = shape[axis].value();
    switch (below(3)) {
      case 0: return whole;
      case 1: {
        const OutputRef split = b.op("Split", {two, b.ints({dim, dim})}, along, 2);
        pool_.push_back(split);
        return {split.node, 1};
      }
      default: return b.op("Slice", {whole, b.ints({dim - below(2)}), b.ints({below(2) ? INT64_MAX : 2 * dim}), b.ints({static_cast<int64_t>(axis)})});
    }
  }

  std::mt19937 random_;
  std::vector<OutputRef> pool_;
};

Tensor counted(Ints dims) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values));
}

}  // namespace

TEST_CASE("views keep every value when simplify_views shortens them", "[session][CR-3]") {
  size_t compared = 0, refused = 0, changed = 0;
  for (uint32_t seed = 1; seed <= seeds(300); ++seed) {
    INFO("seed " << seed);
    WithPasses c([&](GraphBuild& b) { RandomViews(seed).fill(b); });
    const auto plain = c.compiled(all_but({}));
    const std::string before = c.shown;
    const auto alone = c.compiled(all_but({"simplify_views"}));
    INFO("before: " << before << "\nafter: " << c.shown);
    changed += c.changes["simplify_views"] != 0;
    const auto all = c.compiled({});
    for (const int64_t n : {3, 1, 0, 2, 5}) {
      const std::vector<Tensor> inputs{counted({n, 1, n + 2}), counted({2, 3, 4}), counted({n, 6})};
      std::vector<Tensor> expected;
      try {
        expected = plain->run(inputs);
      } catch (const Error&) {
        ++refused;  // an empty axis beside a -1
        continue;
      }
      ++compared;
      CHECK(difference(expected, alone->run(inputs), 0, 0) == "");
      CHECK(difference(expected, all->run(inputs), 0, 0) == "");
    }
  }
  INFO(compared << " runs compared, " << refused << " refused, " << changed << " graphs changed");
  CHECK(compared > 3 * refused);
  CHECK(changed > compared / 10);  // five runs each
}

TEST_CASE("Slices of open dims are composed right for every length", "[session][CR-3]") {
  // Against positions counted by hand: out[j] = x[s1 + t1 * (s2 + t2 * j)] while both Slices still have elements.
  const Ints starts{0, 1, 3}, ends{INT64_MAX, INT32_MAX, 0, 2, 5, -1, -3}, steps{1, 2};
  size_t composed = 0;
  for (const int64_t s1 : starts)
    for (const int64_t e1 : ends)
      for (const int64_t t1 : steps)
        for (const int64_t s2 : starts)
          for (const int64_t e2 : ends) {
            const int64_t t2 = e2 > 0 ? 1 + (s1 + e2 % 2) % 2 : 1;
            const auto cut = [](const std::vector<double>& x, int64_t s, int64_t e, int64_t t) {
              const auto n = static_cast<int64_t>(x.size());
              const int64_t to = std::min(e == INT32_MAX ? n : e < 0 ? e + n : e, n);
              std::vector<double> out;
              for (int64_t i = s; i < to; i += t) out.push_back(x[static_cast<size_t>(i)]);
              return out;
            };
            INFO("x[" << s1 << ":" << e1 << ":" << t1 << "][" << s2 << ":" << e2 << ":" << t2 << "]");
            WithPasses c([&](GraphBuild& b) {
              b.graph.symbols().symbol("N", {0, INT32_MAX});
              const auto slice = [&](OutputRef x, int64_t s, int64_t e, int64_t t) { return b.op("Slice", {x, b.ints({s}), b.ints({e}), b.ints({0}), b.ints({t})}); };
              b.outputs({slice(slice(b.input("x", {"N"}), s1, e1, t1), s2, e2, t2)});
            });
            const auto model = c.compiled(all_but({"simplify_views"}));
            composed += c.changes["simplify_views"] != 0;
            for (int64_t n = 0; n < 9; ++n) {
              const Tensor x = counted({n});
              CHECK(model->run({x})[0].to_doubles() == cut(cut(*x.to_doubles(), s1, e1, t1), s2, e2, t2));
            }
          }
  CHECK(composed > 400);
}
