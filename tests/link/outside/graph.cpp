// ge-graph alone: a graph built, inferred, dumped, and walked by an algorithm of Boost.Graph.
#include "check.hpp"

#include "ge/graph/bgl.hpp"
#include "ge/graph/dump.hpp"
#include "ge/graph/infer.hpp"
#include "ge/graph/order.hpp"
#include "ge/graph/verify.hpp"

#include <boost/graph/topological_sort.hpp>

#include <iterator>

using outside::check;

int main() {
  ge::Graph graph("outside");
  ge::SymbolTable& symbols = graph.symbols();
  const ge::OutputRef x = graph.add_input("x", {ge::DType::float32, ge::Shape{symbols.symbol("N"), symbols.constant(4)}, {}});
  ge::NodeSpec spec;
  spec.op = "Mul", spec.name = "square", spec.inputs = {x, x}, spec.outputs = {"y"};
  const ge::NodeId square = graph.add_node(spec);
  graph.set_outputs({{square, 0}}, {"y"});
  ge::infer(graph);
  ge::verify(graph);
  check(ge::to_string(graph.type({square, 0})) == "float32[N, 4]", "the product has its operands' type");
  check(outside::mentions(ge::to_text(graph), "Mul(%x, %x)"), "the dump shows the node");
  check(ge::topological_order(graph).size() == graph.live_node_count(), "the order has every node");

  std::vector<ge::BoostAdjacency::vertex_descriptor> order;
  boost::topological_sort(graph.boost().adjacency, std::back_inserter(order));
  check(order.size() == 3 && order.back() == x.node.value, "Boost sorts the graph: the input comes last in reverse order");
  check(boost::out_degree(x.node.value, graph.boost().adjacency) == 2, "x * x has two edges");

  ge::NodeSpec bad;
  bad.op = "Relu", bad.inputs = {ge::OutputRef{ge::NodeId{99}, 0}}, bad.outputs = {"z"};
  check(!outside::text_of<ge::Error>([&] { graph.add_node(bad); }).empty(), "an input that is not there is an Error");
  return outside::done();
}
