#include "ge/model/program_checks.hpp"

#include <algorithm>
#include <vector>

namespace ge::checks {
namespace {

constexpr uint32_t max_depth = 64;

/// Walks the ranges from main into the bodies in the order of execution, keeping for each value whether it can be read
/// here. Each range, op and value is met once, so a range that is met again (a recursion, two owners) is refused.
class Walk {
 public:
  explicit Walk(const Program& program) : p_(program), state_(p_.values.size(), State::undefined), met_(p_.ranges.size(), false) {}

  void run() {
    if (p_.ranges.empty()) throw Error(ErrorCode::corrupt_file, "table 'ranges' is empty, expected the main graph as row 0");
    check_disjoint();
    for (size_t i = 0; i < state_.size(); ++i)
      if (p_.values[i].constant != no_index) state_[i] = State::readable;
    for (size_t i = 0; i < p_.inputs.size(); ++i) define({"inputs", i}, p_.inputs[i].value);
    for (uint32_t value : p_.operands_of(p_.ranges[0].inputs)) need({"ranges", 0}, "input", value);
    met_[0] = true;
    walk(0, 0);
    for (size_t i = 0; i < p_.outputs.size(); ++i) need({"outputs", i}, "value", p_.outputs[i].value);
    const auto lost = std::ranges::find(met_, false);
    if (lost != met_.end()) refuse({"ranges", static_cast<size_t>(lost - met_.begin())}, "is the body of no op that can run");
  }

 private:
  enum class State : uint8_t { undefined, readable, out_of_scope };

  void check_disjoint() const {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < p_.ranges.size(); ++i)
      if (p_.ranges[i].ops.count != 0) order.push_back(i);
    std::ranges::sort(order, {}, [&](uint32_t i) { return std::pair(p_.ranges[i].ops.first, i); });
    uint64_t end = 0;
    for (uint32_t i : order) {
      const RowRange ops = p_.ranges[i].ops;
      if (ops.first != end)
        refuse({"ranges", i}, "ops begin at row " + std::to_string(ops.first) + ", expected " + std::to_string(end) + ": each op is in one range");
      end = uint64_t{ops.first} + ops.count;
    }
    if (end != p_.ops.size()) refuse({"ops", end}, "is in no range");
  }

  std::string describe(uint32_t value) const {
    return std::to_string(value) + " ('" + std::string(p_.text_of(p_.values[value].name).substr(0, 80)) + "')";
  }
  void define(Row row, uint32_t value) {
    if (state_[value] != State::undefined) refuse(row, "defines value " + describe(value) + ", which is defined already");
    state_[value] = State::readable;
  }
  void need(Row row, const char* role, uint32_t value) const {
    if (state_[value] != State::readable)
      refuse(row, std::string(role) + " is value " + describe(value) +
                      (state_[value] == State::undefined ? ", which nothing before it defines" : ", which lives in another branch or body"));
  }

  void walk(uint32_t range, uint32_t depth) {
    const RangeRow& row = p_.ranges[range];
    for (uint32_t i = row.ops.first; i < row.ops.first + row.ops.count; ++i) {
      const OpRow& op = p_.ops[i];
      for (uint32_t value : p_.operands_of(op.inputs))
        if (value != no_index) need({"ops", i}, "input", value);
      check_control_flow({"ops", i}, op);
      for (uint32_t body : p_.operands_of(op.bodies)) enter({"ops", i}, body, depth + 1);
      for (uint32_t value : p_.operands_of(op.outputs))
        if (value != no_index) define({"ops", i}, value);
    }
    for (uint32_t value : p_.operands_of(row.outputs)) need({"ranges", range}, "output", value);
  }

  void enter(Row owner, uint32_t body, uint32_t depth) {
    if (met_[body]) refuse(owner, "body is range " + std::to_string(body) + (body == 0 ? ", the main graph" : ", which is a body already"));
    met_[body] = true;
    if (depth > max_depth) refuse(owner, "bodies are nested deeper than " + std::to_string(max_depth));
    const RangeRow& row = p_.ranges[body];
    for (uint32_t value : p_.operands_of(row.inputs)) define({"ranges", body}, value);
    walk(body, depth);
    for (uint32_t value : p_.operands_of(row.inputs)) state_[value] = State::out_of_scope;
    for (const OpRow& op : p_.ops.subspan(row.ops.first, row.ops.count))
      for (uint32_t value : p_.operands_of(op.outputs))
        if (value != no_index) state_[value] = State::out_of_scope;
  }

  void check_control_flow(Row row, const OpRow& op) const {
    const std::string_view name = op.domain.count == 0 ? p_.text_of(op.op) : std::string_view();
    if (name == "If") return check_if(row, op);
    if (name == "Loop") return check_loop(row, op);
    if (name == "SequenceMap") return check_map(row, op);
    if (op.bodies.count != 0) refuse(row, "'" + std::string(p_.text_of(op.op).substr(0, 80)) + "' has bodies, expected only If, Loop and SequenceMap to have some");
  }

  void expect_count(Row row, const std::string& what, uint64_t found, uint64_t expected) const {
    if (found != expected) refuse(row, what + " number " + std::to_string(found) + ", expected " + std::to_string(expected));
  }
  uint32_t operand(RowRange list, uint32_t i) const { return p_.operands[list.first + i]; }
  /// Bytes pass from `from` to `to` unconverted.
  void expect_same_dtype(Row row, const std::string& what, uint32_t from, uint32_t to) const {
    if (from == no_index) refuse(row, what + " is absent");
    if (to == no_index) return;
    if (p_.dtype_of(from) != p_.dtype_of(to))
      refuse(row, what + " is " + std::string(to_string(p_.dtype_of(from))) + ", expected " + std::string(to_string(p_.dtype_of(to))));
    // An optional may get what it would hold, and the other way round: instantiate looks inside.
    const ValueKind given = p_.kind_of(from), taken = p_.kind_of(to);
    if (given != taken && given != optional_of(taken) && optional_of(given) != taken) refuse_kind(row, what, given, taken);
  }
  [[noreturn]] void refuse_kind(Row row, const std::string& what, ValueKind found, ValueKind expected) const {
    refuse(row, what + " is a " + std::string(to_string(found)) + ", expected a " + std::string(to_string(expected)));
  }
  void expect_kind(Row row, const std::string& what, uint32_t value, ValueKind kind) const {
    if (p_.kind_of(value) != kind) refuse_kind(row, what, p_.kind_of(value), kind);
  }
  void expect_dtype(Row row, const std::string& what, uint32_t value, DType dtype) const {
    expect_kind(row, what, value, ValueKind::tensor);
    if (p_.dtype_of(value) != dtype)
      refuse(row, what + " is " + std::string(to_string(p_.dtype_of(value))) + ", expected " + std::string(to_string(dtype)));
  }

  void check_if(Row row, const OpRow& op) const {
    expect_count(row, "bodies of If", op.bodies.count, 2);
    if (op.inputs.count == 0 || operand(op.inputs, 0) == no_index) refuse(row, "If has no condition");
    expect_dtype(row, "the condition of If", operand(op.inputs, 0), DType::boolean);
    for (uint32_t id : p_.operands_of(op.bodies)) {
      const RangeRow& body = p_.ranges[id];
      expect_count(row, "own inputs of If's range " + std::to_string(id), body.inputs.count, 0);
      expect_count(row, "outputs of If's range " + std::to_string(id), body.outputs.count, op.outputs.count);
      for (uint32_t i = 0; i < op.outputs.count; ++i)
        expect_same_dtype(row, "branch output " + std::to_string(i), operand(body.outputs, i), operand(op.outputs, i));
    }
  }

  int64_t carried_attribute(Row row, const OpRow& op) const {
    for (const AttributeRow& attribute : p_.attributes.subspan(op.attributes.first, op.attributes.count)) {
      if (p_.text_of(attribute.name) != "_carried") continue;
      if (attribute.kind != AttributeKind::integer) break;
      return p_.numbers[attribute.payload.first];
    }
    refuse(row, "'" + std::string(p_.text_of(op.op)) + "' has no integer attribute '_carried'");
  }
  uint32_t carried_count(Row row, const OpRow& op) const {
    const int64_t carried = carried_attribute(row, op);
    if (op.inputs.count < 2 || carried < 0 || carried > op.inputs.count - 2)
      refuse(row, "Loop carries " + std::to_string(carried) + " values, but has " + std::to_string(op.inputs.count) + " inputs, of which two are count and condition");
    return static_cast<uint32_t>(carried);
  }

  /// Elements of sequences, and what every call of the body gets, enter it; its results become elements.
  void check_map(Row row, const OpRow& op) const {
    expect_count(row, "bodies of SequenceMap", op.bodies.count, 1);
    const int64_t own = carried_attribute(row, op);
    if (own < 1 || own > op.inputs.count)
      refuse(row, "SequenceMap gives its body " + std::to_string(own) + " of its " + std::to_string(op.inputs.count) + " inputs, expected at least one");
    const RangeRow& body = p_.ranges[operand(op.bodies, 0)];
    expect_count(row, "own inputs of SequenceMap's body", body.inputs.count, static_cast<uint64_t>(own));
    expect_count(row, "outputs of SequenceMap's body", body.outputs.count, op.outputs.count);
    for (uint32_t i = 0; i < body.inputs.count; ++i) {
      const std::string what = "input " + std::to_string(i) + " of SequenceMap";
      const uint32_t given = operand(op.inputs, i);
      if (given == no_index) refuse(row, what + " is absent");
      expect_kind(row, what, given, i > 0 && p_.kind_of(given) == ValueKind::tensor ? ValueKind::tensor : ValueKind::sequence);
      expect_dtype(row, "what SequenceMap's body takes", operand(body.inputs, i), p_.dtype_of(given));
    }
    for (uint32_t i = 0; i < op.outputs.count; ++i) {
      const uint32_t result = operand(op.outputs, i);
      if (result == no_index) continue;
      expect_kind(row, "output " + std::to_string(i) + " of SequenceMap", result, ValueKind::sequence);
      expect_dtype(row, "what SequenceMap's body gives", operand(body.outputs, i), p_.dtype_of(result));
    }
  }

  void check_loop(Row row, const OpRow& op) const {
    expect_count(row, "bodies of Loop", op.bodies.count, 1);
    const uint32_t carried = carried_count(row, op);
    const RangeRow& body = p_.ranges[operand(op.bodies, 0)];
    expect_count(row, "own inputs of Loop's body", body.inputs.count, uint64_t{carried} + 2);
    expect_count(row, "outputs of Loop's body", body.outputs.count, uint64_t{op.outputs.count} + 1);
    if (op.outputs.count < carried) refuse(row, "Loop carries " + std::to_string(carried) + " values, but has " + std::to_string(op.outputs.count) + " outputs");
    if (operand(op.inputs, 0) != no_index) expect_dtype(row, "the count of Loop", operand(op.inputs, 0), DType::int64);
    if (operand(op.inputs, 1) != no_index) expect_dtype(row, "the condition of Loop", operand(op.inputs, 1), DType::boolean);
    expect_dtype(row, "the iteration number of Loop's body", operand(body.inputs, 0), DType::int64);
    expect_dtype(row, "the condition that enters Loop's body", operand(body.inputs, 1), DType::boolean);
    expect_dtype(row, "the condition that leaves Loop's body", operand(body.outputs, 0), DType::boolean);
    for (uint32_t i = 0; i < carried; ++i) {
      const std::string what = "carried value " + std::to_string(i);
      expect_same_dtype(row, what, operand(op.inputs, 2 + i), operand(body.inputs, 2 + i));
      expect_same_dtype(row, what, operand(body.outputs, 1 + i), operand(body.inputs, 2 + i));
    }
    for (uint32_t i = 0; i < op.outputs.count; ++i) {
      const std::string what = "loop output " + std::to_string(i);
      expect_same_dtype(row, what, operand(body.outputs, 1 + i), operand(op.outputs, i));
      if (i < carried) continue;
      expect_kind(row, what, operand(body.outputs, 1 + i), ValueKind::tensor);
      if (operand(op.outputs, i) != no_index) expect_kind(row, what, operand(op.outputs, i), ValueKind::tensor);
    }
  }

  const Program& p_;
  std::vector<State> state_;
  std::vector<bool> met_;
};

}  // namespace

void check_scopes(const Program& program) { Walk(program).run(); }

}  // namespace ge::checks
