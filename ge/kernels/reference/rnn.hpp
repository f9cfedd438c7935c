#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/rnn_activation.hpp"

namespace ge::reference {

/// Sizes and attributes that RNN-22, GRU-22 and LSTM-22 share.
struct RnnShape {
  LoadDoubles load;
  StoreDoubles store;
  int64_t steps, batch, input, hidden, directions;
  int64_t gates;           ///< blocks of `hidden` rows in w and r
  bool batch_first;        ///< layout 1
  bool first_is_reverse;   ///< direction "reverse"
  double clip;             ///< of what goes into an activation; infinity: none
  RnnActivations activations;
  bool option;             ///< LSTM: input_forget; GRU: linear_before_reset
  uint32_t chunks;

  /// First elements of x's row of a step, of y's, and of a state's.
  int64_t x_at(int64_t step, int64_t sequence) const { return (batch_first ? sequence * steps + step : step * batch + sequence) * input; }
  int64_t y_at(int64_t step, int64_t direction, int64_t sequence) const {
    return (batch_first ? (sequence * steps + step) * directions + direction : (step * directions + direction) * batch + sequence) * hidden;
  }
  int64_t state_at(int64_t direction, int64_t sequence) const { return (batch_first ? sequence * directions + direction : direction * batch + sequence) * hidden; }
  double clipped(double x) const { return x < -clip ? -clip : x > clip ? clip : x; }
  /// Doubles of scratch memory per chunk.
  int64_t scratch() const { return input + (2 * gates + 3) * hidden; }
};

/// The argument block of all three; what an op or a node does not have is null.
struct RnnArgs {
  const void *x, *w, *r, *b, *initial_h, *initial_c, *p;
  const int32_t* lengths;
  void *y, *y_h, *y_c;
  double* scratch;
  RnnShape shape;
};

/// One sequence in one direction while it runs. All values stay double from step to step.
struct RnnState {
  const RnnArgs& args;
  int64_t direction;
  double* x;      ///< [input], this step's
  double* gates;  ///< [gates, hidden]: w * x + its bias
  double* recurrent;  ///< [gates, hidden]: for the step's use
  double *h, *c, *extra;  ///< [hidden]
};

/// out[row] += matrix[first + row * columns + k] * vector[k], summed over k in order.
void add_matrix_vector(LoadDoubles load, const void* matrix, int64_t first, int64_t rows, int64_t columns, const double* vector, double* out) noexcept;
/// out[row] += r[direction, gate * hidden + row, :] * vector for `count` gates.
void add_recurrent(const RnnState& state, int64_t gate, int64_t count, const double* vector, double* out) noexcept;
/// out[i] += the bias of `count` gates; the second half of b belongs to r.
void add_bias(const RnnState& state, bool of_r, int64_t gate, int64_t count, double* out) noexcept;

/// One step: turns h (and c) into the next ones.
using RnnStep = void (*)(const RnnState& state) noexcept;
/// Runs the sequences of a chunk, each by itself: x and its bias into `gates`, then `step`, then y.
Status run_rnn(const RnnArgs& args, uint32_t chunk, RnnStep step) noexcept;
/// Checks the node and appends the task. Inputs: x, w, r, b, sequence_lens, initial_h (, initial_c, p).
void append_rnn(const KernelSite& site, TaskBuilder& builder, int64_t gates, std::span<const std::string_view> activations, bool option, RunFn run);

}  // namespace ge::reference
