#include "ge/kernels/reference/rnn.hpp"

#include "ge/kernels/reference/gemm_chunks.hpp"

#include <algorithm>
#include <limits>

namespace ge::reference {

void add_matrix_vector(LoadDoubles load, const void* matrix, int64_t first, int64_t rows, int64_t columns, const double* vector, double* out) noexcept {
  // Several rows at a time: their sums do not wait for each other.
  constexpr int64_t together = 8, depth = 256;
  double block[together * depth];
  for (int64_t row = 0; row < rows; row += together) {
    const int64_t count = std::min(together, rows - row);
    double sum[together] = {};
    std::copy_n(out + row, count, sum);
    if (count < together) std::fill(block + count * depth, block + together * depth, 0.0);
    for (int64_t k = 0; k < columns; k += depth) {
      const int64_t width = std::min(depth, columns - k);
      for (int64_t i = 0; i < count; ++i) load(matrix, first + (row + i) * columns + k, width, 1, block + i * depth);
      for (int64_t j = 0; j < width; ++j)
        for (int64_t i = 0; i < together; ++i) sum[i] += block[i * depth + j] * vector[k + j];
    }
    std::copy_n(sum, count, out + row);
  }
}

void add_recurrent(const RnnState& state, int64_t gate, int64_t count, const double* vector, double* out) noexcept {
  const RnnShape& s = state.args.shape;
  const int64_t first = (state.direction * s.gates + gate) * s.hidden * s.hidden;
  add_matrix_vector(s.load, state.args.r, first, count * s.hidden, s.hidden, vector, out);
}

void add_bias(const RnnState& state, bool of_r, int64_t gate, int64_t count, double* out) noexcept {
  if (state.args.b == nullptr) return;
  const RnnShape& s = state.args.shape;
  double values[block_size];
  const int64_t first = (state.direction * 2 * s.gates + (of_r ? s.gates : 0) + gate) * s.hidden;
  for (int64_t i = 0; i < count * s.hidden; i += block_size) {
    const int64_t n = std::min(block_size, count * s.hidden - i);
    s.load(state.args.b, first + i, n, 1, values);
    for (int64_t j = 0; j < n; ++j) out[i + j] += values[j];
  }
}

static Status run_sequence(const RnnState& state, int64_t sequence, RnnStep step) noexcept {
  const RnnArgs& args = state.args;
  const RnnShape& s = args.shape;
  const int64_t length = args.lengths == nullptr ? s.steps : args.lengths[sequence];
  if (length < 0 || length > s.steps) return Status::invalid_value;
  const bool reverse = state.direction == 1 || s.first_is_reverse;
  const auto start = [&](const void* initial, double* to) {
    if (initial == nullptr)
      std::fill_n(to, s.hidden, 0.0);
    else
      s.load(initial, s.state_at(state.direction, sequence), s.hidden, 1, to);
  };
  start(args.initial_h, state.h);
  start(args.initial_c, state.c);
  for (int64_t i = 0; i < length; ++i) {
    const int64_t at = reverse ? length - 1 - i : i;
    s.load(args.x, s.x_at(at, sequence), s.input, 1, state.x);
    std::fill_n(state.gates, s.gates * s.hidden, 0.0);
    add_bias(state, false, 0, s.gates, state.gates);
    add_matrix_vector(s.load, args.w, state.direction * s.gates * s.hidden * s.input, s.gates * s.hidden, s.input, state.x, state.gates);
    step(state);
    if (args.y != nullptr) s.store(args.y, s.y_at(at, state.direction, sequence), s.hidden, 1, state.h);
  }
  if (args.y_h != nullptr) s.store(args.y_h, s.state_at(state.direction, sequence), s.hidden, 1, state.h);
  if (args.y_c != nullptr) s.store(args.y_c, s.state_at(state.direction, sequence), s.hidden, 1, state.c);
  // Beyond its length a sequence's outputs are 0.
  if (args.y != nullptr && length < s.steps) {
    std::fill_n(state.extra, s.hidden, 0.0);
    for (int64_t at = length; at < s.steps; ++at) s.store(args.y, s.y_at(at, state.direction, sequence), s.hidden, 1, state.extra);
  }
  return Status::ok;
}

Status run_rnn(const RnnArgs& args, uint32_t chunk, RnnStep step) noexcept {
  const RnnShape& s = args.shape;
  double* scratch = args.scratch + chunk * s.scratch();
  double* gates = scratch + s.input;
  double* h = gates + 2 * s.gates * s.hidden;
  const auto [first, last] = chunk_range(s.directions * s.batch, s.chunks, chunk);
  for (int64_t n = first; n < last; ++n) {
    const RnnState state{args, n / s.batch, scratch, gates, gates + s.gates * s.hidden, h, h + s.hidden, h + 2 * s.hidden};
    if (const Status status = run_sequence(state, n % s.batch, step); status != Status::ok) return status;
  }
  return Status::ok;
}

void append_rnn(const KernelSite& site, TaskBuilder& builder, int64_t gates, std::span<const std::string_view> activations, bool option, RunFn run) {
  const auto x = site.inputs[0].dims, w = site.inputs[1].dims, r = site.inputs[2].dims;
  const std::string direction = site.attributes.get_string("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    throw Error(ErrorCode::invalid_model, "attribute direction is '" + direction + "', expected forward, reverse or bidirectional");
  RnnArgs args{};
  RnnShape& s = args.shape;
  s.load = double_loader(site.inputs[0].dtype);
  s.store = double_storer(site.inputs[0].dtype);
  s.batch_first = site.attributes.get_int("layout", 0) != 0;
  s.steps = x[s.batch_first ? 1 : 0];
  s.batch = x[s.batch_first ? 0 : 1];
  s.input = x[2];
  s.hidden = r[2];
  s.directions = direction == "bidirectional" ? 2 : 1;
  s.gates = gates;
  s.first_is_reverse = direction == "reverse";
  s.option = option;
  s.clip = site.attributes.has("clip") ? static_cast<double>(site.attributes.get_float("clip", 0)) : std::numeric_limits<double>::infinity();
  s.activations = read_rnn_activations(site.attributes, s.directions, activations);
  const int64_t hidden_size = site.attributes.get_int("hidden_size", s.hidden);
  const auto check = [&](const char* name, std::span<const int64_t> found, std::initializer_list<int64_t> expected) {
    if (!std::equal(found.begin(), found.end(), expected.begin(), expected.end()))
      throw Error(ErrorCode::invalid_model, std::string(name) + " is " + dims_to_string(found) + ", expected " + dims_to_string(std::vector(expected)));
  };
  check("w", w, {s.directions, gates * hidden_size, s.input});
  check("r", r, {s.directions, gates * hidden_size, hidden_size});
  if (site.has_input(3)) check("b", site.inputs[3].dims, {s.directions, 2 * gates * s.hidden});
  if (site.has_input(4)) check("sequence_lens", site.inputs[4].dims, {s.batch});
  for (size_t i = 5; i <= 6; ++i) {
    if (!site.has_input(i)) continue;
    const int64_t outer = s.batch_first ? s.batch : s.directions, inner = s.batch_first ? s.directions : s.batch;
    check(i == 5 ? "initial_h" : "initial_c", site.inputs[i].dims, {outer, inner, s.hidden});
  }
  if (site.has_input(7)) check("p", site.inputs[7].dims, {s.directions, 3 * s.hidden});

  const int64_t sequences = s.directions * s.batch;
  if (sequences == 0) return;
  const double products = static_cast<double>(site.inputs[1].count + site.inputs[2].count) / static_cast<double>(s.directions);
  s.chunks = chunks_for_units(sequences, static_cast<double>(s.steps) * products / 2);
  auto task = builder.append(run, args, s.chunks);
  task.input(&RnnArgs::x, 0).input(&RnnArgs::w, 1).input(&RnnArgs::r, 2).workspace(&RnnArgs::scratch, s.chunks * s.scratch() * static_cast<int64_t>(sizeof(double)));
  if (site.has_input(3)) task.input(&RnnArgs::b, 3);
  if (site.has_input(4)) task.input(&RnnArgs::lengths, 4);
  if (site.has_input(5)) task.input(&RnnArgs::initial_h, 5);
  if (site.has_input(6)) task.input(&RnnArgs::initial_c, 6);
  if (site.has_input(7)) task.input(&RnnArgs::p, 7);
  if (site.has_output(0)) task.output(&RnnArgs::y, 0);
  if (site.has_output(1)) task.output(&RnnArgs::y_h, 1);
  if (site.has_output(2)) task.output(&RnnArgs::y_c, 2);
}

}  // namespace ge::reference
