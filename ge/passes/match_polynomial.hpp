#pragma once
#include "ge/passes/match.hpp"

#include <array>
#include <vector>

/// Formulas in one value x and one gate, a bounded function of x: x · sigmoid(x), x/2 · (1 + erf(x/√2)), … Written out
/// with scalar constants they take dozens of forms; multiplied out they take one. So they are compared multiplied out.
namespace ge {

/// plain(x) + gated(x) · gate: coefficients by power of x, elementwise.
struct Polynomial {
  std::array<double, 4> plain{}, gated{};
};

/// Each coefficient stands for the expected one; where 0 is expected, it is 0.
bool stands_for(const Polynomial& found, const Polynomial& expected, DType dtype);

/// What `value` may be a polynomial of: itself and what the arithmetic below it reads, nearest first.
std::vector<OutputRef> possible_variables(const Graph& graph, OutputRef value);

/// Multiplies out what is computed from x and the gate by Add, Sub, Mul, Neg, Div by a scalar and Pow with exponent 2
/// or 3, and remembers the nodes that do it. Refuses a sum in which terms cancel, since rounding is then part of the
/// meaning, and work beyond a small bound.
class Expansion {
 public:
  Expansion(const Graph& graph, OutputRef x, OutputRef gate = {}) : graph_(graph), x_(x), gate_(gate) {}

  std::optional<Polynomial> of(OutputRef value) { return expand(value, 0); }
  /// Whether `value` is this polynomial of x (as precisely as x's dtype allows).
  bool is(OutputRef value, const Polynomial& expected);
  /// Follows the readers of the gate, as long as there is one each, to the first value that is this polynomial of x and
  /// the gate; none when there is none.
  OutputRef climb_to(const Polynomial& expected);
  /// The nodes gone through, those of x and constants excluded.
  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  std::optional<Polynomial> expand(OutputRef value, int depth);

  const Graph& graph_;
  OutputRef x_, gate_;
  std::vector<NodeId> nodes_;
  int steps_ = 0;
};

/// `op` of x in place of `result`: when x and the result have one float type and one shape (no constant made it larger).
std::optional<Recognised> elementwise_of(const Graph& graph, OutputRef x, OutputRef result, std::vector<NodeId> nodes, std::string op);

}  // namespace ge
