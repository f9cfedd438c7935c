#pragma once
#include "executor/model_case.hpp"

#include <map>

namespace ge::testing {

/// Evaluates a graph node by node, straight from the ONNX operators' meaning: what executed models are compared with.
/// Takes float32, int64 and bool; elementwise ops broadcast single elements only. Nodes' ids must be in topological
/// order, as they are in graphs built by hand.
class GraphInterpreter {
 public:
  static std::vector<Tensor> evaluate(const Graph& graph, const std::vector<Tensor>& inputs) {
    GraphInterpreter run(graph);
    for (size_t i = 0; i < inputs.size(); ++i) run.values_[{graph.inputs()[i], 0}] = inputs[i];
    for (const Node& node : graph.nodes()) {
      if (node.is(op_types::data) || node.is(op_types::net_output)) continue;
      std::vector<Tensor> results = run.node(node);
      for (uint32_t k = 0; k < results.size(); ++k) run.values_[node.output(k)] = results[k];
    }
    std::vector<Tensor> outputs;
    for (OutputRef ref : graph.outputs()) outputs.push_back(run.values_.at(ref));
    return outputs;
  }

 private:
  explicit GraphInterpreter(const Graph& graph) : graph_(graph) {}

  std::vector<Tensor> node(const Node& node) {
    std::vector<Tensor> in;
    for (OutputRef ref : node.inputs()) in.push_back(ref ? values_.at(ref) : Tensor());
    const std::string& op = node.op();
    if (op == "Const") return {*graph_.constant_value(node.output())};
    if (op == "If") return branch(node, in);
    if (op == "Loop") return loop(node, in);
    if (op == "Shape") return {Tensor::ints(in[0].dims())};
    if (op == "Size") return {Tensor::scalar(in[0].count())};
    if (op == "Identity") return {in[0]};
    if (op == "Reshape") return {reshaped(in[0], *in[1].to_ints())};
    if (op == "Unsqueeze") return {unsqueezed(in[0])};
    if (op == "Cast") return {Tensor::ints(*in[0].to_ints())};
    if (op == "Not") return {flags(in[0].dims(), [&](size_t i) { return in[0].at<uint8_t>(static_cast<int64_t>(i)) == 0; })};
    return in[0].dtype() == DType::float32 ? numbers<float>(node, in) : numbers<int64_t>(node, in);
  }

  std::vector<Tensor> branch(const Node& node, const std::vector<Tensor>& in) {
    const bool taken = in[0].at<uint8_t>(0) != 0;
    return evaluate(graph_.subgraph(node.subgraphs()[taken ? 0 : 1]), {in.begin() + 1, in.end()});
  }

  std::vector<Tensor> loop(const Node& node, const std::vector<Tensor>& in) {
    const Graph& body = graph_.subgraph(node.subgraphs()[0]);
    const auto carried = static_cast<size_t>(node.attributes().need_int("_carried"));
    const size_t scans = body.outputs().size() - 1 - carried;
    const int64_t trips = in[0] ? in[0].at<int64_t>(0) : INT64_MAX;
    bool going = !in[1] || in[1].at<uint8_t>(0) != 0;
    std::vector<Tensor> state(in.begin() + 2, in.begin() + 2 + static_cast<std::ptrdiff_t>(carried));
    std::vector<std::vector<Tensor>> slices(scans);
    for (int64_t i = 0; i < trips && going; ++i) {
      std::vector<Tensor> given{Tensor::scalar(i), flags({}, [](size_t) { return true; })};
      given.insert(given.end(), state.begin(), state.end());
      given.insert(given.end(), in.begin() + 2 + static_cast<std::ptrdiff_t>(carried), in.end());
      const std::vector<Tensor> out = evaluate(body, given);
      going = out[0].at<uint8_t>(0) != 0;
      for (size_t k = 0; k < carried; ++k) state[k] = out[1 + k];
      for (size_t k = 0; k < scans; ++k) slices[k].push_back(unsqueezed(out[1 + carried + k]));
    }
    for (size_t k = 0; k < scans; ++k) {
      if (slices[k].empty()) slices[k].push_back(Tensor::zeros(state[0].dtype(), {0, state[0].count()}));  // scans have the shape of the first carried value
      state.push_back(state[0].dtype() == DType::float32 ? joined<float>(slices[k]) : joined<int64_t>(slices[k]));
    }
    return state;
  }

  template <class T>
  std::vector<Tensor> numbers(const Node& node, const std::vector<Tensor>& in) {
    const std::string& op = node.op();
    using U = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, float>;  // int64 wraps
    const auto each = [&](auto f) { return std::vector<Tensor>{elementwise<T>(in, f)}; };
    if (op == "Add") return each([](T a, T b) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(b)); });
    if (op == "Sub") return each([](T a, T b) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(b)); });
    if (op == "Max") return each([](T a, T b) { return a > b ? a : b; });
    if (op == "Min") return each([](T a, T b) { return a < b ? a : b; });
    if (op == "Neg") return each([](T a, T) { return static_cast<T>(U{0} - static_cast<U>(a)); });
    if (op == "Greater") return {compared<T>(in, [](T a, T b) { return a > b; })};
    if (op == "Less") return {compared<T>(in, [](T a, T b) { return a < b; })};
    if (op == "Concat") return {joined<T>(in)};
    if (op == "Slice") return {sliced<T>(in[0], in[1].at<int64_t>(0), in[2].at<int64_t>(0))};
    if (op == "Split") return parts<T>(in[0], *in[1].to_ints());
    if (op == "Gather") return {gathered<T>(in[0], *in[1].to_ints())};
    if (op == "NonZero") return {nonzero<T>(in[0])};
    if (op == "ReduceMax") return {largest<T>(in[0], in.size() > 1, node.attributes().get_int("keepdims", 1) != 0)};
    throw Error(ErrorCode::internal, "the interpreter has no " + op);
  }

  template <class T>
  static Tensor elementwise(const std::vector<Tensor>& in, auto f) {
    const Tensor& a = in[0];
    const Tensor& b = in.back();
    const Tensor& larger = b.dims().size() > a.dims().size() || (b.dims().size() == a.dims().size() && b.count() != 1) ? b : a;
    Tensor out = Tensor::zeros(a.dtype(), larger.dims());
    for (int64_t i = 0; i < larger.count(); ++i) reinterpret_cast<T*>(out.mutable_data())[i] = f(a.at<T>(a.count() == 1 ? 0 : i), b.at<T>(b.count() == 1 ? 0 : i));
    return out;
  }
  template <class T>
  static Tensor compared(const std::vector<Tensor>& in, auto f) {
    return flags(in[0].dims(), [&](size_t i) { return f(in[0].at<T>(static_cast<int64_t>(i)), in[1].at<T>(in[1].count() == 1 ? 0 : static_cast<int64_t>(i))); });
  }
  static Tensor flags(std::vector<int64_t> dims, auto f) {
    Tensor out = Tensor::zeros(DType::boolean, std::move(dims));
    for (int64_t i = 0; i < out.count(); ++i) out.mutable_data()[i] = std::byte{f(static_cast<size_t>(i))};
    return out;
  }
  static Tensor reshaped(const Tensor& x, std::vector<int64_t> dims) {
    int64_t known = 1;
    for (int64_t dim : dims) known *= dim == -1 ? 1 : dim;
    for (int64_t& dim : dims) dim = dim == -1 ? x.count() / known : dim;
    return Tensor(x.dtype(), dims, x.bytes(), x.owner());
  }
  static Tensor unsqueezed(const Tensor& x) {
    std::vector<int64_t> dims = x.dims();
    dims.insert(dims.begin(), 1);
    return Tensor(x.dtype(), dims, x.bytes(), x.owner());
  }
  /// Along axis 0.
  template <class T>
  static Tensor joined(const std::vector<Tensor>& parts) {
    std::vector<int64_t> dims = parts[0].dims();
    dims[0] = 0;
    std::vector<T> all;
    for (const Tensor& part : parts) {
      dims[0] += part.dims()[0];
      for (int64_t i = 0; i < part.count(); ++i) all.push_back(part.at<T>(i));
    }
    return Tensor::from<T>(parts[0].dtype(), dims, all);
  }
  template <class T>
  static Tensor sliced(const Tensor& x, int64_t begin, int64_t end) {
    std::vector<T> some;
    for (int64_t i = begin; i < std::min(end, x.count()); ++i) some.push_back(x.at<T>(i));
    return Tensor::from<T>(x.dtype(), {static_cast<int64_t>(some.size())}, some);
  }
  template <class T>
  static std::vector<Tensor> parts(const Tensor& x, const std::vector<int64_t>& sizes) {
    std::vector<Tensor> found;
    int64_t at = 0;
    for (int64_t size : sizes) found.push_back(sliced<T>(x, at, at + size)), at += size;
    return found;
  }
  template <class T>
  static Tensor gathered(const Tensor& x, const std::vector<int64_t>& at) {
    std::vector<T> picked;
    for (int64_t i : at) picked.push_back(x.at<T>(i));
    return Tensor::from<T>(x.dtype(), {static_cast<int64_t>(at.size())}, picked);
  }
  template <class T>
  static Tensor nonzero(const Tensor& x) {
    std::vector<int64_t> at;
    for (int64_t i = 0; i < x.count(); ++i)
      if (x.at<T>(i) != 0) at.push_back(i);
    return Tensor::from<int64_t>(DType::int64, {1, static_cast<int64_t>(at.size())}, at);
  }
  /// Of all elements, or over axis 0 of a matrix.
  template <class T>
  static Tensor largest(const Tensor& x, bool over_rows, bool keep) {
    const int64_t columns = over_rows ? x.dims()[1] : 1;
    std::vector<T> best;
    for (int64_t i = 0; i < x.count(); ++i) {
      if (i < columns) best.push_back(x.at<T>(i));
      else best[static_cast<size_t>(i % columns)] = std::max(best[static_cast<size_t>(i % columns)], x.at<T>(i));
    }
    if (over_rows) return Tensor::from<T>(x.dtype(), {columns}, best);
    return Tensor::from<T>(x.dtype(), keep ? std::vector<int64_t>(x.dims().size(), 1) : std::vector<int64_t>{}, best);
  }

  const Graph& graph_;
  std::map<OutputRef, Tensor> values_;
};

}  // namespace ge::testing
