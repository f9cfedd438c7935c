#include "ge/session/compile.hpp"

#include "ge/base/log.hpp"
#include "ge/build/build_program.hpp"
#include "ge/graph/infer.hpp"
#include "ge/graph/verify.hpp"
#include "ge/import/attribute_file.hpp"
#include "ge/import/json.hpp"
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/function_bodies.hpp"
#include "ge/session/describe_compile.hpp"
#include "ge/session/kernel_evaluator.hpp"
#include "ge/session/report/gather.hpp"
#include "ge/session/stage_dumper.hpp"

#include <algorithm>

namespace ge {

const std::vector<std::string_view>& stage_names() {
  static const std::vector<std::string_view> names{"import", "infer", "passes", "gears", "split", "lower", "plan", "model"};
  return names;
}

CompileStage stage_from_name(std::string_view name) {
  const auto& names = stage_names();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<CompileStage>(i);
  std::string text = "no stage named '" + std::string(name) + "'; the stages are:";
  for (std::string_view known : names) text += " " + std::string(known);
  throw Error(ErrorCode::unknown_name, text);
}

namespace {

/// Runs the body of one stage with its name as context; says whether the walk goes on.
class Walk {
 public:
  explicit Walk(const CompileOptions& options) : options_(options), dumper_(options.dump_folder) {}

  template <class Body>
  bool stage(CompileStage stage, Body&& body) {
    if (options_.progress) options_.progress(stage);
    in_context([&] { return "compiling, stage " + std::string(stage_names()[static_cast<size_t>(stage)]); }, [&] { body(dumper_.at(stage)); });
    return !options_.stop_after || *options_.stop_after > stage;
  }

 private:
  const CompileOptions& options_;
  StageDumper dumper_;
};

double constant_elements(const Graph& root) {
  double count = 0;
  const auto add = [&](const Graph& graph) {
    for (const Node& node : graph.nodes())
      if (node.is(op_types::constant) && !node.dead()) count += static_cast<double>(graph.constant_value(node.output(0))->count());
  };
  add(root);
  for (uint32_t i = 0; i < root.subgraph_count(); ++i) add(root.subgraph(GraphId(i)));
  return count;
}

/// How each constant is stored is the choice of the kernel that will read it.
Packing packing_for(const std::vector<std::string>& engines);
/// Whether instantiate will find a kernel for the node.
bool has_kernel(const Graph& graph, const Node& node, const std::vector<std::string>& engines);
/// Throws where an op that is made of others was left whole and has no kernel; `failures` may say why.
/// Branches are not looked at: they may never run.
void refuse_not_expanded(const Graph& root, const std::vector<std::string>& engines, const std::vector<PassContext::NotExpanded>& failures);

void walk_from_infer(Walk& walk, Compiled& out, const CompileOptions& options) {
  for (const std::string& engine : options.engines) engines().at(engine);  // an unknown name is refused with the list
  InferResult inferred;
  const bool to_passes = walk.stage(CompileStage::infer, [&](const StageDump& dump) {
    verify(*out.graph);
    out.imported_ops = op_count(*out.graph);
    inferred = infer(*out.graph);
    dump.graph(*out.graph, inferred.dump(*out.graph));
  });
  if (!to_passes) return;

  std::vector<PassContext::NotExpanded> not_expanded;
  const bool to_plan = walk.stage(CompileStage::passes, [&](const StageDump& dump) {
    KernelEvaluator evaluator(options.engines, options.max_memory_bytes);
    PassContext context{&evaluator, options.fold_limit_bytes};
    context.fold_growth_bytes = std::min(context.fold_growth_bytes, options.max_memory_bytes);
    context.fold_work += 16 * constant_elements(*out.graph);  // a few steps over a large model's weights are no waste
    context.has_kernel = [&](const Graph& graph, const Node& node) { return has_kernel(graph, node, options.engines); };
    PassOptions pass_options;
    pass_options.disabled = options.disabled_passes;
    pass_options.verify = options.verify_passes;
    out.passes = run_passes(*out.graph, context, pass_options);
    not_expanded = std::move(context.not_expanded);
    inferred = infer(*out.graph);
    dump.graph(*out.graph, out.passes.dump());
  });
  if (!to_plan || (options.stop_after && *options.stop_after < CompileStage::plan)) return;

  walk.stage(CompileStage::plan, [&](const StageDump& dump) {
    refuse_not_expanded(*out.graph, options.engines, not_expanded);
    out.model = build_program(*out.graph, inferred, packing_for(options.engines));
    out.metadata_json = describe_compile(out, options);
    dump.program(*out.model, options);
  });
}

bool has_kernel(const Graph& graph, const Node& node, const std::vector<std::string>& engines) {
  for (const auto& candidate : kernel_choice(graph, node, engines))
    if (candidate.verdict == CompileReport::Verdict::chosen) return true;
  return false;
}

void refuse_not_expanded(const Graph& root, const std::vector<std::string>& engines, const std::vector<PassContext::NotExpanded>& failures) {
  for (const Node& node : root.nodes()) {
    if (node.dead() || function_bodies().find(op_key(node.domain(), node.op())) == nullptr || has_kernel(root, node, engines)) continue;
    for (const auto& failure : failures)
      if (!failure.graph && failure.node == node.id()) throw Error(ErrorCode::unsupported, failure.why);
    throw Error(ErrorCode::unsupported, "node '" + node.name() + "' (" + node.op() +
                                            "): no linked kernel runs it, and pass 'expand_functions', which would put other ops in its place, is left out; leave the pass on");
  }
}

Packing packing_for(const std::vector<std::string>& engines) {
  Packing packing;
  packing.choose = [engines](const Graph& graph, NodeId id, size_t input) -> std::string {
    const Node& node = graph.node(id);
    std::vector<DType> in, out;
    for (OutputRef ref : node.inputs()) in.push_back(ref ? graph.type(ref).dtype : DType::undefined);
    for (const NodeOutput& output : node.outputs()) out.push_back(output.name.empty() ? DType::undefined : output.type.dtype);
    const Target target;
    const KernelQuery query{node.domain(), node.op(), node.attributes(), in, out, target};
    for (const Kernel* kernel : kernels_of(node.domain(), node.op())) {
      if (!engines.empty() && std::find(engines.begin(), engines.end(), kernel->engine) == engines.end()) continue;
      if (kernel->supports != nullptr && !kernel->supports(query)) continue;
      return kernel->packing == nullptr ? std::string() : std::string(kernel->packing(query, input));
    }
    return {};
  };
  packing.apply = [](const std::string& name, const Tensor& plain) { return packings().at(name)(plain); };
  return packing;
}

}  // namespace

static void apply_attributes(Graph& graph, const CompileOptions& options) {
  if (options.attribute_file.empty()) return;
  if (set_attributes_from_file(graph, options.attribute_file).names_engines)
    log_warning("attribute '_engine' is kept on its nodes but not obeyed yet: the first engine with a kernel runs a node");
}

size_t op_count(const Graph& graph) {
  size_t count = 0;
  for (const Node& node : graph.nodes()) {
    count += !node.dead() && !node.is(op_types::data) && !node.is(op_types::constant) && !node.is(op_types::net_output);
    for (GraphId sub : node.subgraphs()) count += op_count(graph.subgraph(sub));
  }
  return count;
}

Compiled compile_onnx(const std::string& path, const CompileOptions& options) {
  Compiled out;
  Walk walk(options);
  const bool goes_on = walk.stage(CompileStage::import, [&](const StageDump& dump) {
    out.graph = import_onnx_file(path, options.import);
    apply_attributes(*out.graph, options);
    dump.graph(*out.graph, "imported from ONNX\n");
  });
  if (goes_on) walk_from_infer(walk, out, options);
  return out;
}

Compiled compile_json(const std::string& path, const CompileOptions& options) {
  if (!options.import.input_shapes.empty())
    throw Error(ErrorCode::invalid_argument, "input shapes cannot be given for a JSON graph; change the types of its Data nodes, or the bounds of its symbols");
  Compiled out;
  Walk walk(options);
  const bool goes_on = walk.stage(CompileStage::import, [&](const StageDump& dump) {
    out.graph = import_json_file(path, {options.max_memory_bytes == INT64_MAX ? 0 : static_cast<size_t>(options.max_memory_bytes)});
    apply_attributes(*out.graph, options);
    dump.graph(*out.graph, "imported from JSON\n");
  });
  if (goes_on) walk_from_infer(walk, out, options);
  return out;
}

Compiled compile_file(const std::string& path, const CompileOptions& options) {
  return path.ends_with(".json") ? compile_json(path, options) : compile_onnx(path, options);
}

Compiled compile_graph(std::unique_ptr<Graph> graph, const CompileOptions& options) {
  Compiled out;
  out.graph = std::move(graph);
  apply_attributes(*out.graph, options);
  Walk walk(options);
  walk_from_infer(walk, out, options);
  return out;
}

}  // namespace ge
