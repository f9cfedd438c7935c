#pragma once
#include "ge/passes/pass.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The vocabulary of the passes that recognise a formula written out in small ops and put one composite op in its place.
/// All of it only looks; each question costs a bounded number of steps, whatever the size of the graph.
namespace ge {

/// The node (of the domain of ops with no domain) whose first output `ref` is, when it is that op; else null.
const Node* made_by(const Graph& graph, OutputRef ref, std::string_view op);

/// The value of a constant of one element, of any numeric type and rank.
std::optional<double> scalar_constant(const Graph& graph, OutputRef ref);

/// Whether a number found in a graph of that dtype means `expected`: exporters write 0.7071 for the root of 1/2, and
/// a float16 constant is rounded to 11 bits. Relative: 1e-6 for float64, 1e-4 for float32, 1e-3 and 1e-2 below.
bool stands_for(double found, double expected, DType dtype);

/// The same elements in every run: one value, equal small constants, or made by equal ops from the same values (an
/// exporter may write x - mean(x) twice). Looks a few nodes deep.
bool same_value(const Graph& graph, OutputRef a, OutputRef b);

/// The one node that reads the value, once; null when there are more, or none. NetOutput is a reader.
const Node* only_reader(const Graph& graph, OutputRef ref);

/// The operand of a node with two inputs that is not `one`; none when both are, neither is, or there are not two.
OutputRef other_operand(const Node& node, OutputRef one);

/// The axes of a ReduceMean, ReduceSum or ReduceMax (opset 18: axes are an input) that keeps them with size 1, from 0
/// and ascending; none when they are not known.
std::optional<std::vector<size_t>> kept_axes(const Graph& graph, const Node& reduction);

/// Both are known and the same expressions, in a float type.
bool same_float_type(const Graph& graph, OutputRef a, OutputRef b);

/// What the composite op reads: a value of the graph, or a constant still to be added to it.
struct Operand {
  OutputRef value;
  Tensor constant;
};

/// A formula found in a graph and the composite op that says the same.
struct Recognised {
  OutputRef result;          ///< what the composite op takes over
  std::vector<NodeId> nodes; ///< all nodes of the formula, that of the result included; constants are not counted
  std::string op;
  Attributes attributes;
  std::vector<Operand> inputs;
};

/// Adds the node that makes `ref` to a formula's nodes, once.
void add_node_of(std::vector<NodeId>& nodes, OutputRef ref);

/// Looks at one node, from which the formula around it can be found.
using Recogniser = std::optional<Recognised> (*)(const Graph& graph, const Node& node);

/// Asks the recogniser about every node and replaces what it finds. Barriers: a formula stays as it is when anything
/// outside it reads an inner value (NetOutput: then that is an output of the graph), when a node of it has a control
/// edge, or when nobody reads its result. Counts context.matches.
Patch replace_recognised(Graph& graph, PassContext& context, Recogniser recognise);

}  // namespace ge
