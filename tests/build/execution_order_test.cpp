// The order of execution against all orders there are.
#include "ge/build/execution_order.hpp"

#include "executor/model_case.hpp"
#include "ge/build/schedule.hpp"
#include "ge/graph/order.hpp"

#include <ctime>
#include <map>
#include <random>

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

/// Bytes alive at a step by the definition, slowly: a value lives from its producer to its last reader, a Reshape is the value that
/// it looks at, graph outputs and inputs are the caller's, and Neg writes over an input that it is the last to read.
int64_t live_at(const Graph& graph, const std::vector<NodeId>& order, size_t step) {
  std::vector<size_t> position(graph.node_count());
  for (size_t i = 0; i < order.size(); ++i) position[order[i].value] = i;
  const auto origin = [&](OutputRef ref) {
    while (graph.node(ref.node).is("Reshape")) ref = graph.node(ref.node).inputs()[0];
    return ref;
  };
  std::map<OutputRef, std::pair<size_t, size_t>> lives;
  std::map<OutputRef, int64_t> sizes;
  for (const Node& node : graph.nodes()) {
    if (node.is("Data") || node.is("Const") || node.is("NetOutput") || node.is("Reshape")) continue;
    for (uint32_t k = 0; k < node.outputs().size(); ++k) {
      lives[node.output(k)] = {position[node.id().value], position[node.id().value]};
      const auto dims = *constant_dims(*graph.type(node.output(k)).shape);
      sizes[node.output(k)] = (*element_count(dims) * 4 + 63) / 64 * 64;
    }
  }
  for (const Node& node : graph.nodes())
    for (OutputRef ref : node.inputs()) {
      const auto it = ref ? lives.find(origin(ref)) : lives.end();
      if (it == lives.end()) continue;
      if (node.is("NetOutput")) sizes[it->first] = 0;
      else it->second.second = std::max(it->second.second, position[node.id().value]);
    }
  int64_t live = 0;
  for (const auto& [ref, life] : lives)
    if (life.first <= step && step <= life.second) live += sizes[ref];
  const Node& node = graph.node(order[step]);
  if (node.is("Neg")) {
    const auto in = lives.find(origin(node.inputs()[0]));
    if (in != lives.end() && in->second.second == step && sizes[in->first] == sizes[node.output()]) live -= sizes[node.output()];
  }
  return live;
}
int64_t peak_of(const Graph& graph, const std::vector<NodeId>& order) {
  int64_t most = 0;
  for (size_t step = 0; step < order.size(); ++step) most = std::max(most, live_at(graph, order, step));
  return most;
}

bool runs_before_readers(const Graph& graph, const std::vector<NodeId>& order) {
  std::vector<bool> done(graph.node_count());
  for (NodeId id : order) {
    for (OutputRef ref : graph.node(id).inputs())
      if (ref && !done[ref.node.value]) return false;
    for (NodeId before : graph.node(id).control_inputs())
      if (!done[before.value]) return false;
    if (done[id.value]) return false;
    done[id.value] = true;
  }
  return order.size() == graph.live_node_count();
}

/// The smallest peak of all orders: what is alive at a step depends only on which nodes ran before.
int64_t smallest_peak(const Graph& graph) {
  int64_t best = INT64_MAX;
  std::vector<NodeId> order;
  std::vector<bool> done(graph.node_count());
  std::map<std::vector<bool>, int64_t> seen;  // the smallest peak with which this set was reached
  const auto extend = [&](auto&& self, int64_t peak) -> void {
    const auto [it, fresh] = seen.try_emplace(done, peak);
    if (peak >= best || (!fresh && it->second <= peak)) return;
    it->second = peak;
    if (order.size() == graph.live_node_count()) {
      best = peak;
      return;
    }
    bool free_one = false;  // inputs and constants cost nothing: any order of them will do
    for (const Node& node : graph.nodes()) {
      if (node.dead() || done[node.id().value]) continue;
      const bool is_free = node.is("Data") || node.is("Const");
      const bool ready = std::all_of(node.inputs().begin(), node.inputs().end(), [&](OutputRef ref) { return !ref || done[ref.node.value]; }) &&
                         std::all_of(node.control_inputs().begin(), node.control_inputs().end(), [&](NodeId before) { return done[before.value]; });
      if (!ready || free_one) continue;
      free_one = is_free;
      done[node.id().value] = true;
      order.push_back(node.id());
      std::vector<NodeId> whole = order;  // those still to run, in any order, so that the lives are right up to here
      for (const Node& other : graph.nodes())
        if (!other.dead() && !done[other.id().value]) whole.push_back(other.id());
      self(self, std::max(peak, live_at(graph, whole, order.size() - 1)));
      order.pop_back();
      done[node.id().value] = false;
    }
  };
  extend(extend, 0);
  return best;
}

/// Random ops over vectors of different lengths.
void fill(GraphBuild& c, std::mt19937& random, int ops) {
  const OutputRef x = c.input("x", {1});
  Refs pool;
  const auto pick = [&] { return pool.empty() || random() % 6 == 0 ? x : pool[random() % pool.size()]; };
  for (int i = 0; i < ops; ++i) {
    switch (random() % 5) {
      case 0: pool.push_back(c.op("Neg", {pick()})); break;
      case 1: pool.push_back(c.op("Reshape", {pick(), c.ints({1, -1})})), pool.push_back(c.op("Reshape", {pool.back(), c.ints({-1})})); pool.erase(pool.end() - 2); break;
      case 2: pool.push_back(c.op("ReduceMax", {pick()}, attributes({{"keepdims", int64_t{1}}}))), pool.back() = c.op("Reshape", {pool.back(), c.ints({1})}); break;
      case 3: pool.push_back(c.op("Concat", {pick(), pick()}, attributes({{"axis", int64_t{0}}}))); break;
      default: pool.push_back(c.op("Expand", {c.op("Reshape", {c.op("ReduceMax", {pick()}, attributes({{"keepdims", int64_t{1}}})), c.ints({1})}), c.ints({static_cast<int64_t>(16 * (1 + random() % 8))})}));
    }
  }
  c.outputs({pool.back(), pool[pool.size() / 2]});
  if (pool.size() > 3 && random() % 2 && pool[0].node != pool[2].node) c.graph.add_control_edge(pool[0].node, pool.back().node);
}

}  // namespace

TEST_CASE("orders are valid, never worse than the source's, and close to the best there is", "[build][SX-7]") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  double ratios = 0, source_ratios = 0;
  int counted = 0;
  for (int round = 0; round < 60; ++round) {
    Graph graph("case");
    GraphBuild c(graph);
    fill(c, random, 2 + static_cast<int>(random() % 4));
    try {
      infer(graph);
    } catch (const Error&) {
      continue;  // a control edge against the data made a cycle
    }
    const std::vector<NodeId> source = topological_order(graph), order = execution_order(graph);
    REQUIRE(runs_before_readers(graph, order));
    REQUIRE(execution_order(graph) == order);
    const Schedule schedule(graph);
    std::vector<uint32_t> ids;
    for (NodeId id : order) ids.push_back(id.value);
    REQUIRE(schedule.peak(ids) == peak_of(graph, order));
    const int64_t peak = peak_of(graph, order), at_source = peak_of(graph, source), best = smallest_peak(graph);
    REQUIRE(peak <= at_source);
    REQUIRE(peak >= best);
    REQUIRE(schedule.unavoidable() <= best);
    if (best == 0) continue;
    ratios += static_cast<double>(peak) / static_cast<double>(best), source_ratios += static_cast<double>(at_source) / static_cast<double>(best);
    ++counted;
  }
  INFO("mean of peak / best: " << ratios / counted << ", of the source's order " << source_ratios / counted);
  CHECK(counted > 20);
  CHECK(ratios <= 1.1 * counted);
}

TEST_CASE("wide independent work is done one piece after the other", "[build][SX-7]") {
  // Eight large values, each reduced to one element: the source makes all of them first.
  ModelCase c;
  const OutputRef x = c.input("x", {1, 1600});
  Refs large, small;
  for (int i = 0; i < 8; ++i) large.push_back(c.op("Concat", {x, x}, attributes({{"axis", int64_t{0}}})));
  for (OutputRef value : large) small.push_back(c.op("ReduceMax", {value}));
  c.outputs({c.op("Concat", small, attributes({{"axis", int64_t{0}}}))});
  infer(c.graph);
  CHECK(peak_of(c.graph, topological_order(c.graph)) >= 8 * 12800);
  CHECK(peak_of(c.graph, execution_order(c.graph)) <= 12800 + 8 * 64);
}

TEST_CASE("control edges hold whatever memory would say", "[build][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1, 1600});
  Refs large, small;
  for (int i = 0; i < 3; ++i) large.push_back(c.op("Concat", {x, x}, attributes({{"axis", int64_t{0}}})));
  for (OutputRef value : large) small.push_back(c.op("ReduceMax", {value}));
  for (OutputRef value : large)
    for (OutputRef reduced : small) c.graph.add_control_edge(value.node, reduced.node);
  c.outputs({c.op("Concat", small, attributes({{"axis", int64_t{0}}}))});
  infer(c.graph);
  const auto order = execution_order(c.graph);
  CHECK(runs_before_readers(c.graph, order));
  CHECK(peak_of(c.graph, order) >= 3 * 12800);
}

TEST_CASE("a hundred thousand nodes are ordered quickly", "[build][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16, 16});
  Refs pool{x};
  std::mt19937 random(7);
  for (int i = 0; i < 100'000; ++i) pool.push_back(random() % 3 == 0 ? c.op("MatMul", {pool[pool.size() - 1 - random() % std::min<size_t>(pool.size(), 50)], pool.back()}) : c.op("Neg", {pool[pool.size() - 1 - random() % std::min<size_t>(pool.size(), 50)]}));
  c.outputs({pool.back()});
  infer(c.graph);
  const std::clock_t start = std::clock();
  const auto order = execution_order(c.graph);
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;  // of the processor: others may be busy too
  INFO("took " << took << " s");
  CHECK(runs_before_readers(c.graph, order));
  CHECK(took < 5);  // about 0.2 s
}
