#include "ge/kernels/reference/rnn.hpp"

#include "ge/kernels/kernel.hpp"

namespace ge::reference {
namespace {

/// RNN-22: H = f(W x + R h + biases).
void step_rnn(const RnnState& state) noexcept {
  const RnnShape& s = state.args.shape;
  const auto& f = s.activations[static_cast<size_t>(state.direction)][0];
  add_recurrent(state, 0, 1, state.h, state.gates);
  add_bias(state, true, 0, 1, state.gates);
  for (int64_t j = 0; j < s.hidden; ++j) state.h[j] = f(s.clipped(state.gates[j]));
}

Status run_simple_rnn(const void* block, uint32_t chunk) noexcept { return run_rnn(*static_cast<const RnnArgs*>(block), chunk, step_rnn); }

bool supports_rnn(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

void prepare_rnn(const KernelSite& site, TaskBuilder& builder) {
  static constexpr std::string_view activations[] = {"Tanh"};
  append_rnn(site, builder, 1, activations, false, run_simple_rnn);
}

REGISTER_CPU_KERNEL("reference", "", "RNN", "", "one layer, one or two directions", {.supports = supports_rnn, .prepare = prepare_rnn});

}  // namespace
}  // namespace ge::reference
