#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/rnn.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// GRU-22. Gates stand in the order z, r, h:
///   z = f(W x + R h), r = f(…), c = g(Wh x + Rh (r * h)), or with linear_before_reset c = g(Wh x + r * (Rh h)),
///   H = (1 - z) * c + z * h; the bias of Rh goes with the product it belongs to.
void step_gru(const RnnState& state) noexcept {
  const RnnShape& s = state.args.shape;
  const auto& f = s.activations[static_cast<size_t>(state.direction)][0];
  const auto& g = s.activations[static_cast<size_t>(state.direction)][1];
  const int64_t n = s.hidden;
  add_recurrent(state, 0, 2, state.h, state.gates);
  add_bias(state, true, 0, 2, state.gates);
  double *update = state.gates, *reset = state.gates + n, *hidden = state.gates + 2 * n;
  for (int64_t j = 0; j < 2 * n; ++j) state.gates[j] = f(s.clipped(state.gates[j]));
  double* product = state.recurrent;  // Rh * … + its bias
  std::fill_n(product, n, 0.0);
  if (!s.option)
    for (int64_t j = 0; j < n; ++j) state.extra[j] = reset[j] * state.h[j];
  add_recurrent(state, 2, 1, s.option ? state.h : state.extra, product);
  add_bias(state, true, 2, 1, product);
  for (int64_t j = 0; j < n; ++j) {
    const double candidate = g(s.clipped(hidden[j] + (s.option ? reset[j] * product[j] : product[j])));
    state.h[j] = (1 - update[j]) * candidate + update[j] * state.h[j];
  }
}

Status run_gru(const void* block, uint32_t chunk) noexcept { return run_rnn(*static_cast<const RnnArgs*>(block), chunk, step_gru); }

bool supports_gru(const KernelQuery& query) { return contains(dtypes::floats, query.inputs[0]); }

void prepare_gru(const KernelSite& site, TaskBuilder& builder) {
  static constexpr std::string_view activations[] = {"Sigmoid", "Tanh"};
  append_rnn(site, builder, 3, activations, site.attributes.get_int("linear_before_reset", 0) != 0, run_gru);
}

REGISTER_CPU_KERNEL("reference", "", "GRU", "", "one layer, one or two directions", {.supports = supports_gru, .prepare = prepare_gru});

}  // namespace
}  // namespace ge::reference
