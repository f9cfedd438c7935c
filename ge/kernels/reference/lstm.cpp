#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/rnn.hpp"

namespace ge::reference {
namespace {

/// LSTM-22. Gates stand in the order i, o, f, c; peepholes in the order i, o, f:
///   i = f(W x + R h + Pi * C), f = f(… + Pf * C), c = g(…), C' = f * C + i * c, o = f(… + Po * C'), H = o * h(C')
/// The clip is for what goes into an activation, so C itself is kept as it is.
void step_lstm(const RnnState& state) noexcept {
  const RnnShape& s = state.args.shape;
  const auto& [f, g, h] = s.activations[static_cast<size_t>(state.direction)];
  add_recurrent(state, 0, 4, state.h, state.gates);
  add_bias(state, true, 0, 4, state.gates);
  const int64_t n = s.hidden;
  for (int64_t j = 0; j < n; ++j) {
    double peephole[3] = {};
    if (state.args.p != nullptr) s.load(state.args.p, state.direction * 3 * n + j, 3, n, peephole);
    const double before = state.c[j];
    const double input = f(s.clipped(state.gates[j] + peephole[0] * before));
    // input_forget couples the two gates.
    const double forget = s.option ? 1 - input : f(s.clipped(state.gates[2 * n + j] + peephole[2] * before));
    const double cell = g(s.clipped(state.gates[3 * n + j]));
    state.c[j] = forget * before + input * cell;
    const double output = f(s.clipped(state.gates[n + j] + peephole[1] * state.c[j]));
    state.h[j] = output * h(s.clipped(state.c[j]));
  }
}

Status run_lstm(const void* block, uint32_t chunk) noexcept { return run_rnn(*static_cast<const RnnArgs*>(block), chunk, step_lstm); }

bool supports_lstm(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

void prepare_lstm(const KernelSite& site, TaskBuilder& builder) {
  static constexpr std::string_view activations[] = {"Sigmoid", "Tanh", "Tanh"};
  append_rnn(site, builder, 4, activations, site.attributes.get_int("input_forget", 0) != 0, run_lstm);
}

REGISTER_CPU_KERNEL("reference", "", "LSTM", "", "one layer, one or two directions", {.supports = supports_lstm, .prepare = prepare_lstm});

}  // namespace
}  // namespace ge::reference
