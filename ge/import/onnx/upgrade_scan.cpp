#include "ge/import/onnx/upgrade.hpp"

#include <algorithm>

// Scan becomes Loop, so that nothing later knows it (ONNX Scan 8 to 25).
//
//   Scan(state, x){ state, element → state, out }
// = Loop(n, , state){ t, go, state → Identity(go), state, out   with element = Gather(x, t, axis) }   n = Shape(x)[axis]
//
// An input scanned backwards is gathered at n-1-t. A scan output that grows at the front is reversed after the loop, one
// that is stacked along another axis than 0 is turned there.
namespace ge::onnx {
namespace {

NodeDraft draft(const std::string& op, const std::string& name, std::vector<std::string> inputs, std::vector<std::string> outputs, Attributes attributes = {}) {
  NodeDraft node;
  node.op = op;
  node.name = name;
  node.version = any_version;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attributes = std::move(attributes);
  return node;
}

Attributes with(const char* name, AttributeValue value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}

ValueInfo typed(DType dtype) {
  ValueInfo info;
  info.elem_type = static_cast<int64_t>(dtype);
  return info;
}

/// More axes than any tensor has: an axis beyond is no axis.
constexpr int64_t most_axes = 64;

/// Inputs and outputs of a Scan (opset 9 on) as counts, and its lists with their defaults.
struct ScanParts {
  GraphDraft* body = nullptr;
  size_t states = 0, scans = 0, outs = 0;
  std::vector<int64_t> in_axes, in_directions, out_axes, out_directions;
};

std::vector<int64_t> list_of(Upgrade& u, const char* name, size_t count) {
  std::vector<int64_t> list = u.node.attributes.get_ints(name, std::vector<int64_t>(count, 0));
  if (list.size() != count)
    u.finding("attribute '" + std::string(name) + "' has " + std::to_string(list.size()) + " elements, expected " + std::to_string(count));
  list.resize(count);
  return list;
}

bool read_counts(Upgrade& u, size_t first, ScanParts& parts) {
  const auto body = u.node.subgraphs.find("body");
  if (body == u.node.subgraphs.end()) return u.finding("attribute 'body' (graph) is missing"), false;
  parts.body = body->second.get();
  const int64_t count = u.node.attributes.get_int("num_scan_inputs", 0);
  const size_t inputs = u.node.inputs.size() - std::min(first, u.node.inputs.size());
  if (count < 1 || static_cast<uint64_t>(count) > inputs)
    return u.finding("attribute 'num_scan_inputs' is " + std::to_string(count) + ", expected 1 to the number of inputs, " + std::to_string(inputs)), false;
  parts.scans = static_cast<size_t>(count);
  parts.states = inputs - parts.scans;
  if (parts.body->input_names.size() != inputs || parts.body->inputs.size() != inputs)
    return u.finding("its body has " + std::to_string(parts.body->input_names.size()) + " inputs, expected " + std::to_string(inputs)), false;
  const size_t outputs = parts.body->output_names.size();
  if (outputs < parts.states || u.node.outputs.size() > outputs)
    return u.finding("its body has " + std::to_string(outputs) + " outputs, expected " + std::to_string(std::max(parts.states, u.node.outputs.size()))), false;
  parts.outs = outputs - parts.states;
  u.node.outputs.resize(outputs);
  for (size_t i = first; i < u.node.inputs.size(); ++i)
    if (u.node.inputs[i].empty()) return u.finding("input " + std::to_string(i) + " is missing"), false;
  return true;
}

std::string int_constant(Upgrade& u, int64_t value) { return u.add_constant("int", Tensor::scalar(value)); }
std::string list_constant(Upgrade& u, std::vector<int64_t> values) { return u.add_constant("ints", Tensor::ints(values)); }

/// Dim `axis` of a value, a scalar.
std::string dim_of(Upgrade& u, const std::string& value, int64_t axis) { return u.add_before("Gather", {u.add_before("Shape", {value}), int_constant(u, axis)}); }

/// Nodes after the Scan that turn `from`, stacked along axis 0, into `to`, stacked along `axis`:
/// [n, head…, tail…] as three axes, the first two exchanged, as [head…, n, tail…]. Works whatever the rank is.
void move_first_axis(Upgrade& u, const std::string& from, const std::string& to, int64_t axis) {
  const auto add = [&](const std::string& op, std::vector<std::string> inputs, Attributes attributes = {}) {
    const std::string name = u.new_name(op);
    u.after.push_back(draft(op, name, std::move(inputs), {name}, std::move(attributes)));
    return name;
  };
  const int64_t cut = axis >= 0 ? axis + 1 : axis == -1 ? INT64_MAX : axis + 1;
  const std::string zero = list_constant(u, {0}), one = list_constant(u, {1}), at = list_constant(u, {cut}), end = list_constant(u, {INT64_MAX});
  const std::string shape = add("Shape", {from});
  const std::string n = add("Slice", {shape, zero, one, zero});
  std::string head = add("Slice", {shape, one, at, zero}), tail = add("Slice", {shape, at, end, zero});
  // An axis that the output has not leaves fewer sizes than this, and is refused.
  std::string& counted = axis >= 0 ? head : tail;
  counted = add("Reshape", {counted, list_constant(u, {axis >= 0 ? axis : -axis - 1})}, with("allowzero", int64_t{1}));
  const std::string three = add("Concat", {n, add("ReduceProd", {head}), add("ReduceProd", {tail})}, with("axis", int64_t{0}));
  const std::string flat = add("Reshape", {from, three}, with("allowzero", int64_t{1}));
  const std::string turned = add("Transpose", {flat}, with("perm", std::vector<int64_t>{1, 0, 2}));
  const std::string whole = add("Concat", {head, n, tail}, with("axis", int64_t{0}));
  u.after.push_back(draft("Reshape", to, {turned, whole}, {to}, with("allowzero", int64_t{1})));
}

void arrange_output(Upgrade& u, std::string& output, bool reversed, int64_t axis) {
  if (output.empty() || (!reversed && axis == 0)) return;
  const std::string old = std::exchange(output, u.new_name("stacked"));
  std::string stacked = output;
  if (reversed) {
    const std::string to = axis == 0 ? old : u.new_name("reversed");
    u.after.push_back(draft("Slice", to, {stacked, list_constant(u, {-1}), list_constant(u, {INT64_MIN}), list_constant(u, {0}), list_constant(u, {-1})}, {to}));
    stacked = to;
  }
  if (axis != 0) move_first_axis(u, stacked, old, axis);
}

/// Scan of opset 9 on.
void scan_to_loop(Upgrade& u) {
  ScanParts parts;
  if (!read_counts(u, 0, parts)) return;
  parts.in_axes = list_of(u, "scan_input_axes", parts.scans);
  parts.in_directions = list_of(u, "scan_input_directions", parts.scans);
  parts.out_axes = list_of(u, "scan_output_axes", parts.outs);
  parts.out_directions = list_of(u, "scan_output_directions", parts.outs);
  for (const auto* directions : {&parts.in_directions, &parts.out_directions})
    for (int64_t direction : *directions)
      if (direction != 0 && direction != 1) return u.finding("a scan direction is " + std::to_string(direction) + ", expected 0 (forward) or 1 (backward)");
  for (int64_t axis : parts.out_axes)
    if (axis < -most_axes || axis >= most_axes) return u.finding("attribute 'scan_output_axes' names axis " + std::to_string(axis) + ", expected an axis of the output");
  GraphDraft& body = *parts.body;

  const std::string trips = dim_of(u, u.node.inputs[parts.states], parts.in_axes[0]);
  const std::string trips_list = parts.scans > 1 ? u.add_before("Unsqueeze", {trips, list_constant(u, {0})}) : std::string();
  const std::string t = u.new_name("iteration"), go = u.new_name("condition"), go_on = u.new_name("go_on"), back = u.new_name("backwards");
  std::vector<NodeDraft> elements;
  if (std::count(parts.in_directions.begin(), parts.in_directions.end(), 0) != static_cast<ptrdiff_t>(parts.scans)) {
    const std::string last = u.add_before("Sub", {trips, int_constant(u, 1)});
    body.captures.push_back(last);
    elements.push_back(draft("Sub", back, {last, t}, {back}));
  }
  for (size_t i = 0; i < parts.scans; ++i) {
    // A name of its own, whatever the body calls its values. Split into one part, which must be as long as the first
    // input, sees to it that all have one length.
    const std::string& input = u.node.inputs[parts.states + i];
    const std::string scanned = i == 0 ? u.add_before("Identity", {input}) : u.add_before("Split", {input, trips_list}, with("axis", parts.in_axes[i]));
    body.captures.push_back(scanned);
    elements.push_back(draft("Gather", u.new_name("element"), {scanned, parts.in_directions[i] == 0 ? t : back}, {body.input_names[parts.states + i]}, with("axis", parts.in_axes[i])));
  }
  body.nodes.insert(body.nodes.begin(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
  body.nodes.push_back(draft("Identity", go_on, {go}, {go_on}));
  body.input_names.resize(parts.states);
  body.inputs.resize(parts.states);
  body.input_names.insert(body.input_names.begin(), {t, go});
  body.inputs.insert(body.inputs.begin(), {typed(DType::int64), typed(DType::boolean)});
  body.output_names.insert(body.output_names.begin(), go_on);

  u.node.inputs.resize(parts.states);
  u.node.inputs.insert(u.node.inputs.begin(), {trips, ""});
  for (size_t i = 0; i < parts.outs; ++i) arrange_output(u, u.node.outputs[parts.states + i], parts.out_directions[i] != 0, parts.out_axes[i]);
  u.node.op = "Loop";
  u.node.attributes = {};
}

/// Opset 8 → 9: the old form has a batch axis and a first input of lengths. It becomes a Loop over the batch around a
/// Scan of one sample, cut to its length; scan outputs are filled up with zeros where "the remaining values are undefined".
void batch_to_loop(Upgrade& u) {
  ScanParts parts;
  if (!read_counts(u, 1, parts)) return;
  parts.in_directions = list_of(u, "directions", parts.scans);
  const bool lengths = u.node.has_input(0);
  const auto around = std::make_shared<GraphDraft>();
  around->name = u.node.name + ".batch";
  const std::string& first_scan = u.node.inputs[1 + parts.states];
  const std::string batch = dim_of(u, first_scan, 0), longest = dim_of(u, first_scan, 1);
  around->captures = parts.body->captures;

  const auto add = [&](const std::string& op, std::vector<std::string> inputs, Attributes attributes = {}) {
    const std::string name = u.new_name(op);
    around->nodes.push_back(draft(op, name, std::move(inputs), {name}, std::move(attributes)));
    return name;
  };
  const auto constant = [&](Tensor value) {
    const std::string name = u.new_name("constant");
    around->constants.emplace(name, std::move(value));
    return name;
  };
  const std::string b = u.new_name("sample"), go = u.new_name("condition");
  const std::string zero = constant(Tensor::ints(std::vector<int64_t>{0}));
  // A name of its own for what is captured, whatever the graph inside calls its values.
  const auto sample_of = [&](const std::string& value) {
    const std::string captured = u.add_before("Identity", {value});
    around->captures.push_back(captured);
    return add("Gather", {captured, b});
  };
  std::string length, missing;
  if (lengths) {
    length = add("Unsqueeze", {sample_of(u.node.inputs[0]), zero});
    around->captures.push_back(longest);
    missing = add("Concat", {zero, add("Sub", {longest, length})}, with("axis", int64_t{0}));
  }
  NodeDraft scan = draft("Scan", u.node.name, {}, {}, with("num_scan_inputs", static_cast<int64_t>(parts.scans)));
  scan.version = 9;
  scan.attributes.set("scan_input_directions", parts.in_directions);
  scan.subgraphs = std::move(u.node.subgraphs);
  for (size_t i = 1; i < u.node.inputs.size(); ++i) {
    std::string sample = sample_of(u.node.inputs[i]);
    if (lengths && i > parts.states) sample = add("Slice", {sample, zero, length, zero});
    scan.inputs.push_back(std::move(sample));
  }
  for (size_t i = 0; i < u.node.outputs.size(); ++i) scan.outputs.push_back(u.new_name("of_sample"));
  around->output_names.push_back(add("Identity", {go}));
  const std::vector<std::string> results = scan.outputs;
  around->nodes.push_back(std::move(scan));
  for (size_t i = 0; i < results.size(); ++i) {
    const bool fill = lengths && i >= parts.states;
    around->output_names.push_back(fill ? add("Pad", {results[i], missing, "", zero}) : results[i]);
  }
  around->input_names = {b, go};
  around->inputs = {typed(DType::int64), typed(DType::boolean)};

  u.node.op = "Loop";
  u.node.inputs = {batch, ""};
  u.node.attributes = {};
  u.node.subgraphs.clear();
  u.node.subgraphs.emplace("body", around);
}

}  // namespace

REGISTER_ONNX_UPGRADE(Scan, 9, "a Loop over the batch around a Scan of one sample", batch_to_loop);
REGISTER_ONNX_UPGRADE(Scan, any_version, "becomes a Loop", scan_to_loop);

}  // namespace ge::onnx
