/// Finds the first node whose value differs:
///  1. the graph under test goes through its passes first, so that looking at its tensors changes nothing there;
///  2. a tensor of the source graph is looked at where one of its name is left, an output of the model always;
///  3. in batches, both sides give these tensors as outputs; the first that differs, in the source's order, is the result;
///  4. if that is an If, its taken branch takes its place, and all is done again.
#include "ge/session/bisect.hpp"

#include "ge/graph/infer.hpp"
#include "ge/graph/order.hpp"
#include "ge/session/compile.hpp"
#include "ge/session/open_branches.hpp"
#include "ge/session/run_graph.hpp"

#include <algorithm>
#include <unordered_map>

namespace ge {
namespace {

using RefsByName = std::unordered_map<std::string, OutputRef>;

bool is_given(const Node& node) { return node.is(op_types::data) || node.is(op_types::constant); }

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// Adds what is looked at behind the graph's own outputs.
void add_outputs(Graph& graph, const std::vector<OutputRef>& added) {
  std::vector<OutputRef> refs(graph.outputs().begin(), graph.outputs().end());
  std::vector<std::string> names(graph.output_names().begin(), graph.output_names().end());
  for (size_t i = 0; i < added.size(); ++i) {
    refs.push_back(added[i]);
    names.push_back("looked_at_" + std::to_string(i));
  }
  graph.set_outputs(std::move(refs), std::move(names));
}

/// Where the source graph's tensors are found in the graph under test, by their names in the source graph.
RefsByName find_tensors(const Graph& source, const Graph& tested) {
  RefsByName by_name;
  for (const Node& node : tested.nodes())
    for (uint32_t i = 0; i < node.outputs().size() && !node.dead(); ++i)
      if (!node.outputs()[i].name.empty()) by_name.emplace(node.outputs()[i].name, node.output(i));
  for (size_t i = 0; i < source.outputs().size(); ++i) by_name[source.tensor_name(source.outputs()[i])] = tested.outputs()[i];
  return by_name;
}

class NodeBisection {
 public:
  NodeBisection(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options)
      : source_(source), inputs_(inputs), options_(options), reference_(source()), tested_(optimised()) {
    infer(*reference_);
    tensors_ = find_tensors(*reference_, *tested_);
  }

  BisectResult run() {
    const std::string unobserved = difference_of_outputs();
    const std::vector<OutputRef> all = tensors_in_order();
    const std::vector<int64_t> sizes = sizes_of(all);
    for (size_t begin = 0; begin < all.size() && !result_.first;) {
      int64_t bytes = sizes[begin];
      size_t end = begin + 1;
      while (end < all.size() && sizes[end] <= options_.batch_bytes - bytes) bytes += sizes[end++];
      compare_batch({all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)});
      begin = end;
    }
    if (!result_.first) result_.only_unobserved = unobserved;
    return std::move(result_);
  }

 private:
  std::unique_ptr<Graph> optimised() const {
    CompileOptions compile;
    compile.engines = options_.engines;
    compile.disabled_passes = options_.disabled_passes;
    compile.max_memory_bytes = options_.max_memory_bytes;
    compile.stop_after = CompileStage::passes;
    return compile_graph(source_(), compile).graph;
  }

  std::vector<Value> run_side(std::unique_ptr<Graph> graph, bool tested, const std::vector<OutputRef>& added) const {
    add_outputs(*graph, added);
    const auto describe = [&] { return std::string(tested ? "running the graph under test" : "running the reference"); };
    return in_context(describe, [&] { return run_graph(std::move(graph), inputs_, {tested ? options_.engines : options_.reference_engines, options_.runner, options_.max_memory_bytes}); });
  }

  std::string difference_of_outputs() const {
    const auto expected = run_side(source_(), false, {}), got = run_side(optimised(), true, {});
    for (size_t i = 0; i < expected.size(); ++i) {
      const std::string text = describe_difference(got[i], expected[i], options_.tolerance);
      if (!text.empty()) return "output " + std::to_string(i) + " " + quoted(reference_->output_names()[i]) + ": " + text;
    }
    return "";
  }

  std::vector<OutputRef> tensors_in_order() {
    std::vector<OutputRef> refs;
    for (NodeId id : topological_order(*reference_)) {
      const Node& node = reference_->node(id);
      for (uint32_t i = 0; i < node.outputs().size() && !is_given(node); ++i) {
        const std::string& name = node.outputs()[i].name;
        if (name.empty() || !reference_->type(node.output(i)).is_tensor()) continue;  // what is in a sequence is looked at where it is made
        if (tensors_.contains(name)) refs.push_back(node.output(i));
        else ++result_.vanished;
      }
    }
    return refs;
  }

  /// From inference with the inputs' dims. What stays open counts as an eighth of a batch.
  std::vector<int64_t> sizes_of(const std::vector<OutputRef>& refs) const {
    const auto sized = source_();
    for (size_t i = 0; i < sized->inputs().size(); ++i) {
      if (inputs_[i].kind != ValueKind::tensor) continue;
      const Tensor& input = inputs_[i].tensors.at(0);
      Shape shape;
      for (int64_t dim : input.dims()) shape.push_back(sized->symbols().constant(dim));
      sized->set_type(sized->node(sized->inputs()[i]).output(), {input.dtype(), std::move(shape), std::nullopt});
    }
    infer(*sized);
    std::vector<int64_t> sizes;
    for (OutputRef ref : refs) sizes.push_back(size_of(sized->type(ref)).value_or(options_.batch_bytes / 8));
    return sizes;
  }
  static std::optional<int64_t> size_of(const TensorType& type) {
    if (!type.shape) return std::nullopt;
    std::vector<int64_t> dims;
    for (Expr dim : *type.shape) {
      if (!dim.is_constant()) return std::nullopt;
      dims.push_back(dim.value());
    }
    const auto count = element_count(dims);
    return count ? bytes_for(type.dtype, *count) : std::nullopt;
  }

  void compare_batch(const std::vector<OutputRef>& refs) {
    std::vector<OutputRef> tested_refs;
    for (OutputRef ref : refs) tested_refs.push_back(tensors_.at(reference_->tensor_name(ref)));
    const auto expected = run_side(source_(), false, refs), got = run_side(optimised(), true, tested_refs);
    const size_t own = expected.size() - refs.size();
    for (size_t i = 0; i < refs.size(); ++i) {
      ++result_.compared;
      const TensorDifference figures = compare_tensors(got[own + i].tensors.at(0), expected[own + i].tensors.at(0), options_.tolerance);
      if (figures) {
        result_.first = describe(refs[i], figures);
        result_.first->text = describe_difference(got[own + i], expected[own + i], options_.tolerance);
        return;
      }
      errors_[reference_->tensor_name(refs[i])] = figures.absolute;
    }
  }

  NodeDifference describe(OutputRef ref, const TensorDifference& figures) const {
    using Input = NodeDifference::Input;
    const Node& node = reference_->node(ref.node);
    NodeDifference out;
    out.node = node.name(), out.op = node.op(), out.tensor = reference_->tensor_name(ref), out.output = ref.index, out.figures = figures;
    const Node& tested = tested_->node(tensors_.at(out.tensor).node);
    out.computed_by = "node " + quoted(tested.name()) + " (" + tested.op() + ")";
    for (OutputRef input : node.inputs()) {
      if (!input) continue;
      const std::string& name = reference_->tensor_name(input);
      const auto error = errors_.find(name);
      if (is_given(reference_->node(input.node))) out.inputs.push_back({name, Input::Kind::given, 0});
      else if (error == errors_.end()) out.inputs.push_back({name, Input::Kind::vanished, 0});
      else out.inputs.push_back({name, Input::Kind::compared, error->second});
    }
    return out;
  }

  const GraphSource& source_;
  const std::vector<Value>& inputs_;
  const BisectOptions& options_;
  std::unique_ptr<Graph> reference_, tested_;  ///< to look at; what runs is made anew
  RefsByName tensors_;
  std::unordered_map<std::string, double> errors_;  ///< of the tensors that agree
  BisectResult result_;
};

std::string input_text(const NodeDifference::Input& input) {
  using Kind = NodeDifference::Input::Kind;
  if (input.kind == Kind::given) return quoted(input.tensor) + ": given";
  if (input.kind == Kind::vanished) return quoted(input.tensor) + ": not compared, the passes removed it";
  if (input.largest_error == 0) return quoted(input.tensor) + ": equal";
  char number[32];
  std::snprintf(number, sizeof number, "%.3g", input.largest_error);
  return quoted(input.tensor) + ": agrees, largest error " + number;
}

}  // namespace

bool NodeDifference::begins_here() const {
  return std::none_of(inputs.begin(), inputs.end(), [](const Input& input) { return input.kind == Input::Kind::vanished; });
}

std::string BisectResult::to_text() const {
  const std::string gone = vanished == 0 ? "" : "; " + std::to_string(vanished) + " more do not exist behind the passes";
  const std::string none = "no difference in " + std::to_string(compared) + " tensors" + gone + "\n";
  if (!only_unobserved.empty())
    return none + "but without looking at them, " + only_unobserved +
           "\n  looking at tensors changes where they lie in memory: suspect the memory plan, or kernels that write over their input\n";
  if (!first) return none;
  std::string text = "first difference: node " + quoted(first->node) + " (" + first->op + "), output " + std::to_string(first->output) + " " + quoted(first->tensor) + "\n";
  if (!first->inside.empty()) text += "  in the branch that these inputs take, of " + quoted(first->inside) + " (If)\n";
  text += "  " + first->text + "\n";
  const std::string in_source = "node " + quoted(first->node) + " (" + first->op + ")";
  if (first->computed_by != in_source) text += "  in the graph under test it is computed by " + first->computed_by + "\n";
  for (const auto& input : first->inputs) text += "  input " + input_text(input) + "\n";
  text += first->begins_here() ? "  all inputs agree: the difference begins at this node\n" : "  the difference begins at this node or at one of those that made the inputs not compared\n";
  return text + "  " + std::to_string(compared - 1) + " tensors before it agree" + gone + "\n";
}

BisectResult bisect_nodes(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options) {
  BisectResult result = NodeBisection(source, inputs, options).run();
  if (!result.first || result.first->op != "If") return result;
  // What the branches look like inside is only worth the effort, and the change of the graph, where they are in question.
  const GraphSource opened = open_branches(source, inputs, options);
  BisectResult inside = NodeBisection(opened, inputs, options).run();
  if (!inside.first) return result;
  inside.first->inside = result.first->node;
  return inside;
}

}  // namespace ge
