// Graph::apply, case by case. A case says which slots a patch changes: "before → after".
#include "ge/graph/verify.hpp"
#include "graph/any_op.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// x, y inputs; a, b, c read x; r reads (a, b), s reads a; outputs r, s.
struct Case {
  Graph graph{"g"};
  OutputRef x = float_input(graph, "x"), y = float_input(graph, "y");
  OutputRef a{add_any(graph, {x}, 1, "a"), 0}, b{add_any(graph, {x}, 1, "b"), 0}, c{add_any(graph, {x}, 1, "c"), 0};
  OutputRef r{add_any(graph, {a, b}, 1, "r"), 0}, s{add_any(graph, {a}, 1, "s"), 0};
  Patch patch;
  Case() { graph.set_outputs({r, s}, {"r", "s"}); }

  size_t apply() {
    const size_t changes = graph.apply(patch);
    verify(graph);
    patch = {};
    return changes;
  }
  std::string refused() {
    const std::string before = snapshot(graph);
    const std::string text = error_of(ErrorCode::invalid_argument, [&] { graph.apply(patch); });
    CHECK(snapshot(graph) == before);
    verify(graph);
    patch = {};
    return text;
  }
  OutputRef read(OutputRef node, size_t slot = 0) const { return graph.node(node.node).inputs()[slot]; }
};

}  // namespace

TEST_CASE("An empty patch changes nothing", "[graph][CR-3]") {
  Case k;
  CHECK(k.patch.empty());
  CHECK(k.apply() == 0);
}

TEST_CASE("A replacement moves every reader, except the one excepted", "[graph][CR-3]") {
  Case k;
  k.patch.replace(k.a, k.c, k.s.node);  // r(a, b), s(a) → r(c, b), s(a)
  CHECK(k.apply() == 1);
  CHECK(k.read(k.r) == k.c);
  CHECK(k.read(k.s) == k.a);
  k.patch.replace(k.x, k.x);
  CHECK(k.apply() == 0);
}

TEST_CASE("A chain of replacements leads every reader to its end, in any order", "[graph][CR-3]") {
  const bool forward = GENERATE(true, false);
  Case k;
  if (forward) k.patch.replace(k.a, k.b), k.patch.replace(k.b, k.c), k.patch.replace(k.c, k.y);
  else k.patch.replace(k.c, k.y), k.patch.replace(k.b, k.c), k.patch.replace(k.a, k.b);
  for (OutputRef gone : {k.a, k.b, k.c}) k.patch.remove(gone.node);
  CHECK(k.apply() == 6);  // three slots, three nodes
  CHECK(k.read(k.r, 0) == k.y);
  CHECK(k.read(k.r, 1) == k.y);
  CHECK(k.read(k.s) == k.y);
  CHECK(k.graph.node(k.a.node).dead());
  CHECK(k.graph.users(k.y).size() == 3);
}

TEST_CASE("An exception holds in the middle of a chain too", "[graph][CR-3]") {
  Case k;
  k.patch.replace(k.a, k.b);
  k.patch.replace(k.b, k.c, k.s.node);  // s stops at b, r goes on to c
  CHECK(k.apply() == 3);
  CHECK(k.read(k.s) == k.b);
  CHECK(k.read(k.r, 0) == k.c);
  CHECK(k.read(k.r, 1) == k.c);
}

TEST_CASE("A chain of 100,000 replacements is followed once, not once per link", "[graph][CR-10]") {
  Graph graph("g");
  const OutputRef x = float_input(graph, "x");
  OutputRef last = x;
  Patch patch;
  for (int i = 0; i < 100'000; ++i) {
    const OutputRef next{add_any(graph, {last}), 0};
    patch.replace(next, last);
    patch.remove(next.node);
    last = next;
  }
  graph.set_outputs({last}, {"out"});
  graph.apply(patch);
  CHECK(graph.outputs()[0] == x);
  CHECK(graph.live_node_count() == 2);
  verify(graph);
}

TEST_CASE("Replacements that form a circle are refused, with nothing changed", "[graph][CR-3]") {
  Case k;
  k.patch.replace(k.a, k.b);
  k.patch.replace(k.b, k.c);
  k.patch.replace(k.c, k.a);
  CHECK_THAT(k.refused(), Contains("circle") && Contains("patch of graph 'g'"));
  k.patch.replace(k.x, k.y);  // a lead-in to the circle
  k.patch.replace(k.y, k.a);
  k.patch.replace(k.a, k.y, k.r.node);
  CHECK_THAT(k.refused(), Contains("circle"));
}

TEST_CASE("One value replaced in two ways is refused; twice in the same way is once", "[graph][CR-3]") {
  Case k;
  k.patch.replace(k.a, k.b);
  k.patch.replace(k.a, k.c);
  CHECK_THAT(k.refused(), Contains("replaced twice"));
  k.patch.replace(k.a, k.c);
  k.patch.replace(k.a, k.c);
  CHECK(k.apply() == 2);
}

TEST_CASE("A node can be put between a value and its readers", "[graph][CR-3]") {
  Case k;
  const OutputRef between{add_any(k.graph, {k.a}, 1, "between"), 0};
  k.patch.replace(k.a, between, between.node);
  CHECK(k.apply() == 2);
  CHECK(k.read(between) == k.a);
  CHECK(k.read(k.r) == between);
  CHECK(k.read(k.s) == between);
}

TEST_CASE("Of two rewires of one slot the last one counts", "[graph][CR-3]") {
  Case k;
  k.patch.rewire({k.r.node, 0}, k.b);
  k.patch.rewire({k.r.node, 0}, k.c);
  CHECK(k.apply() == 1);
  CHECK(k.read(k.r) == k.c);
  CHECK(k.graph.users(k.b) == std::vector<InputRef>{{k.r.node, 1}});
  k.patch.rewire({k.r.node, 0}, k.a);
  k.patch.rewire({k.r.node, 0}, k.c);  // back again: nothing changes
  CHECK(k.apply() == 0);
}

TEST_CASE("A rewire counts more than a replacement of what the slot read", "[graph][CR-3]") {
  Case k;
  k.patch.rewire({k.s.node, 0}, k.y);
  k.patch.replace(k.a, k.c);
  CHECK(k.apply() == 2);
  CHECK(k.read(k.s) == k.y);
  CHECK(k.read(k.r) == k.c);
}

TEST_CASE("A rewire to a replaced value follows the replacement", "[graph][CR-3]") {
  Case k;
  k.patch.rewire({k.s.node, 0}, k.b);
  k.patch.replace(k.b, k.c);
  k.patch.remove(k.b.node);
  CHECK(k.apply() == 3);
  CHECK(k.read(k.s) == k.c);
}

TEST_CASE("A slot can be made absent and given a value again", "[graph][CR-3]") {
  Case k;
  k.patch.rewire({k.r.node, 1}, OutputRef{});
  CHECK(k.apply() == 1);
  CHECK_FALSE(k.read(k.r, 1));
  CHECK(k.graph.users(k.b).empty());
  k.patch.rewire({k.r.node, 1}, k.c);
  CHECK(k.apply() == 1);
  CHECK(k.graph.users(k.c) == std::vector<InputRef>{{k.r.node, 1}});
}

TEST_CASE("The removal of a node that is read is refused, with nothing changed", "[graph][CR-3]") {
  Case k;
  k.patch.replace(k.b, k.c);
  k.patch.rewire({k.s.node, 0}, k.y);
  k.patch.remove(k.b.node);
  k.patch.remove(k.a.node);  // r still reads it
  CHECK_THAT(k.refused(), Contains("node 'a' is removed but 'r' reads it"));
  k.patch.rewire({k.r.node, 0}, k.b);  // a new reader
  k.patch.remove(k.b.node);
  CHECK_THAT(k.refused(), Contains("node 'b' is removed but 'r' reads it"));
  k.patch.replace(k.a, k.c, k.s.node);
  k.patch.remove(k.a.node);
  CHECK_THAT(k.refused(), Contains("node 'a' is removed but 's' reads it"));
}

TEST_CASE("Nodes that read each other are removed together, and twice named is once", "[graph][CR-3]") {
  Case k;
  k.patch.rewire({k.graph.net_output(), 0}, k.y);
  k.patch.rewire({k.graph.net_output(), 1}, k.y);
  for (OutputRef gone : {k.s, k.r, k.b, k.a, k.s}) k.patch.remove(gone.node);
  CHECK(k.apply() == 6);
  CHECK(k.graph.live_node_count() == 4);
  CHECK(k.graph.users(k.x) == std::vector<InputRef>{{k.c.node, 0}});
  k.patch.remove(k.s.node);
  CHECK(k.apply() == 0);
  k.patch.replace(k.s, k.c);
  CHECK_THAT(k.refused(), Contains("is not there"));
}

TEST_CASE("A patch that names what is not there is refused, with nothing changed", "[graph][CR-3]") {
  Case k;
  const OutputRef nowhere{NodeId(1000), 0}, second{k.a.node, 1};
  const auto refuses = [&](auto edit) {
    k.patch.replace(k.a, k.c);  // this much would work
    edit();
    CHECK_THAT(k.refused(), Contains("which is not there"));
  };
  refuses([&] { k.patch.replace(nowhere, k.a); });
  refuses([&] { k.patch.replace(k.b, second); });
  refuses([&] { k.patch.replace(k.b, OutputRef{}); });
  refuses([&] { k.patch.rewire({k.r.node, 0}, second); });
  refuses([&] { k.patch.rewire({k.r.node, 2}, k.b); });
  refuses([&] { k.patch.rewire({NodeId(1000), 0}, k.b); });
  refuses([&] { k.patch.remove(NodeId(1000)); });
}

TEST_CASE("Inputs and NetOutput are not a patch's to remove", "[graph][CR-3]") {
  Case k;
  k.patch.remove(k.y.node);
  CHECK_THAT(k.refused(), Contains("'y' is an input of the graph"));
  k.patch.remove(k.graph.net_output());
  CHECK_THAT(k.refused(), Contains("NetOutput cannot be removed"));
}

TEST_CASE("A removed node's control edges go with it", "[graph][CR-3]") {
  Case k;
  k.graph.add_control_edge(k.b.node, k.c.node);
  k.graph.add_control_edge(k.c.node, k.s.node);
  k.graph.add_control_edge(k.b.node, k.s.node);
  k.patch.remove(k.c.node);
  CHECK(k.apply() == 1);
  CHECK(k.graph.control_users(k.b.node) == std::vector<NodeId>{k.s.node});
  CHECK(k.graph.node(k.s.node).control_inputs().size() == 1);
  CHECK(k.graph.node(k.c.node).control_inputs().empty());
}

TEST_CASE("A hub with 100,000 readers is rewired in one patch", "[graph][CR-10]") {
  const bool slot_by_slot = GENERATE(false, true);
  Graph graph("g");
  const OutputRef x = float_input(graph, "x"), y = float_input(graph, "y");
  std::vector<OutputRef> readers;
  Patch patch;
  for (uint32_t i = 0; i < 50'000; ++i) {
    readers.push_back({add_any(graph, {x, x}), 0});
    if (slot_by_slot) patch.rewire({readers.back().node, 1}, y), patch.rewire({readers.back().node, 0}, y);
  }
  graph.set_outputs({readers.back()}, {"out"});
  if (!slot_by_slot) patch.replace(x, y);
  CHECK(graph.apply(patch) == 100'000);
  CHECK(graph.users(x).empty());
  CHECK(graph.users(y).size() == 100'000);
  verify(graph);
}
