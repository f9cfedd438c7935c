#pragma once
#include "passes/graph_case.hpp"

#include <random>
#include <utility>

namespace ge::testing {

/// Random graphs over vectors of one length N: elementwise ops and views, shape arithmetic, sizes that only a run knows,
/// branches and loops, nested. Every vector that an op makes in another length is brought back to N.
class RandomGraph {
 public:
  RandomGraph(uint32_t seed, DType dtype, bool elementwise_only) : random_(seed), dtype_(dtype), elementwise_only_(elementwise_only) {}

  /// Inputs x0, x1 [N] and a trip count m; several outputs, some of them views or given twice.
  void fill(GraphBuild& c) {
    c.graph.symbols().symbol("N", {0, INT32_MAX});
    Pool pool{c.input("x0", {"N"}, dtype_), c.input("x1", {"N"}, dtype_)};
    trips_ = c.input("m", {}, DType::int64);
    add_ops(c, pool, 8 + below(8), 2, trips_);
    Pool outputs{pool.back()};
    for (uint32_t i = 0; i < 3; ++i) outputs.push_back(pick(pool));
    outputs.push_back(c.op("Reshape", {pick(pool), c.ints({1, -1})}));
    if (!wholes_.empty()) outputs.push_back(pick(wholes_));
    c.outputs(outputs);
  }
  Tensor vector(int64_t n) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < n; ++i) values.push_back(below(7) < 2 ? 0 : static_cast<int64_t>(below(21)) - 10);
    if (dtype_ == DType::int64) return Tensor::ints(values);
    return Tensor::from<float>(DType::float32, {n}, std::vector<float>(values.begin(), values.end()));
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  using Pool = std::vector<OutputRef>;

  OutputRef pick(const Pool& pool) { return pool[pool.size() - 1 - std::min(below(static_cast<uint32_t>(pool.size())), below(static_cast<uint32_t>(pool.size())))]; }
  OutputRef number(GraphBuild& b, int64_t value) { return dtype_ == DType::int64 ? b.constant(Tensor::scalar(value)) : b.scalar(static_cast<float>(value)); }
  OutputRef concat(GraphBuild& b, Pool parts) { return b.op("Concat", std::move(parts), attributes({{"axis", int64_t{0}}})); }
  OutputRef largest(GraphBuild& b, OutputRef x, bool keep = false) { return b.op("ReduceMax", {concat(b, {x, b.op("Reshape", {number(b, -5), b.ints({1})})})}, attributes({{"keepdims", int64_t{keep}}})); }
  /// The first N elements of `longer`.
  OutputRef cut_to(GraphBuild& b, OutputRef longer, OutputRef like) { return b.op("Slice", {longer, b.ints({0}), b.op("Shape", {like})}); }

  void add_ops(GraphBuild& b, Pool& pool, uint32_t count, int depth, OutputRef trips) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t kind = below(elementwise_only_ ? 10 : 20);
      if (kind < 5) pool.push_back(binary(b, pool));
      else if (kind < 7) pool.push_back(b.op(below(2) ? "Neg" : "Identity", {pick(pool)}));
      else if (kind < 9) pool.push_back(through_view(b, pick(pool)));
      else if (kind < 11) take_apart(b, pool);
      else if (kind == 11) pool.push_back(only_nonzero(b, pick(pool), pool));
      else if (kind == 12) pool.push_back(shape_from_values(b, pick(pool)));
      else if (depth > 0 && kind < 16) branch(b, pool, depth - 1, trips);
      else if (depth > 0) loop(b, pool, depth - 1, trips);
      else pool.push_back(binary(b, pool));
    }
  }

  OutputRef binary(GraphBuild& b, const Pool& pool) {
    static const char* const ops[] = {"Add", "Sub", "Max", "Min"};
    return b.op(ops[below(4)], {pick(pool), below(4) ? pick(pool) : number(b, below(9))});
  }
  OutputRef through_view(GraphBuild& b, OutputRef x) {
    const OutputRef view = below(2) ? b.op("Unsqueeze", {x, b.ints({0})}) : b.op("Reshape", {x, b.ints({1, -1})});
    return b.op("Reshape", {below(2) ? b.op("Neg", {view}) : view, b.ints({-1})});
  }
  /// Two or three vectors side by side, perhaps with one more, perhaps changed as one; then one of them or all again.
  void take_apart(GraphBuild& b, Pool& pool) {
    Pool given;
    for (uint32_t i = 2 + below(2); i > 0; --i) given.push_back(pick(pool));
    size_t count = given.size();
    OutputRef whole = concat(b, std::move(given));
    if (below(3) == 0) ++count, whole = below(2) ? concat(b, {whole, pick(pool)}) : concat(b, {pick(pool), whole});
    if (below(2)) whole = b.op("Neg", {whole});
    if (b.graph.is_root()) wholes_.push_back(whole);
    const OutputRef n = b.op("Shape", {pool[0]});
    const uint32_t way = below(3);
    if (way == 0) return pool.push_back(cut_to(b, whole, pool[0]));
    if (way == 1) return pool.push_back(b.op("Slice", {whole, n, b.op("Add", {n, n})}));
    const OutputRef parts = b.op("Split", {whole, concat(b, Pool(count, n))}, attributes({{"axis", int64_t{0}}}), count);
    for (uint32_t i = 0; i < count; ++i)
      if (below(4)) pool.push_back({parts.node, i});
  }
  OutputRef only_nonzero(GraphBuild& b, OutputRef x, const Pool& pool) {
    const OutputRef at = b.op("Reshape", {b.op("NonZero", {x}), b.ints({-1})});
    return cut_to(b, concat(b, {b.op("Gather", {pick(pool), at}), pick(pool)}), pool[0]);
  }
  OutputRef shape_from_values(GraphBuild& b, OutputRef x) {
    const OutputRef top = largest(b, x, true);
    const OutputRef one = b.op("Cast", {b.op("Not", {b.op("Less", {top, top})})}, attributes({{"to", int64_t{7}}}));
    return b.op("Reshape", {b.op("Neg", {b.op("Reshape", {x, concat(b, {one, b.ints({-1})})})}), b.ints({-1})});
  }
  OutputRef predicate(GraphBuild& b, OutputRef x) {
    if (below(3) == 0) return b.op("Greater", {b.op("Size", {x}), b.constant(Tensor::scalar(below(6)))});
    return b.op(below(2) ? "Greater" : "Less", {largest(b, x), number(b, below(12))});
  }

  void branch(GraphBuild& b, Pool& pool, int depth, OutputRef trips) {
    const bool odd = below(4) == 0;  // one side is twice as long
    const auto side = [&](bool longer) {
      return [this, depth, longer](GraphBuild& s, Pool in) {
        const OutputRef inner_trips = in.back();
        in.pop_back();
        Pool own(in);
        add_ops(s, own, below(4), depth, inner_trips);
        const OutputRef first = pick(own);
        return Pool{longer ? concat(s, {first, pick(own)}) : first, pick(own)};
      };
    };
    const OutputRef p = predicate(b, pick(pool));
    const OutputRef y = b.branch(p, {pick(pool), pick(pool), pool[0], trips}, side(odd), side(false), 2);
    pool.push_back(odd ? cut_to(b, concat(b, {y, pool[0]}), pool[0]) : y);
    pool.push_back({y.node, 1});
  }

  void loop(GraphBuild& b, Pool& pool, int depth, OutputRef trips) {
    const bool grows = below(4) == 0, scans = below(2) == 0, decides = below(3) == 0, swaps = below(3) == 0;
    const int64_t constant_count = below(4);
    const bool constant = below(3) != 0;
    const OutputRef count = constant ? b.constant(Tensor::scalar(constant_count)) : trips;
    // Without an iteration nobody can say what sizes a body would have found.
    const bool simple = scans && (!constant || constant_count == 0), outer_simple = std::exchange(elementwise_only_, elementwise_only_ || simple);
    const OutputRef y = b.loop(count, {}, {pick(pool), pick(pool), pool[0]}, {pick(pool), pool[0], trips}, [&](GraphBuild& s, Pool in) {
      Pool own{in[6], in[5], in[2], in[3]};  // what is first says N
      add_ops(s, own, 1 + below(3), depth, in[7]);
      const OutputRef a = swaps ? in[3] : pick(own), other = swaps ? in[2] : pick(own);
      const OutputRef stays = decides ? s.op("Less", {largest(s, pick(own)), number(s, 12)}) : in[1];
      Pool out{stays, a, other, grows ? concat(s, {in[4], pick(own)}) : pick(own)};
      if (scans) out.push_back(pick(own));
      return out;
    });
    elementwise_only_ = outer_simple;
    pool.push_back(y);
    pool.push_back({y.node, 1});
    pool.push_back(cut_to(b, concat(b, {{y.node, 2}, pool[0]}), pool[0]));
    if (!scans) return;
    const OutputRef rows = concat(b, {{y.node, 3}, b.op("Unsqueeze", {pick(pool), b.ints({0})})});
    pool.push_back(b.op("ReduceMax", {rows, b.ints({0})}, attributes({{"keepdims", int64_t{0}}})));
  }

  std::mt19937 random_;
  DType dtype_;
  bool elementwise_only_;
  OutputRef trips_;
  Pool wholes_;  ///< joined vectors of the root graph
};

}  // namespace ge::testing
