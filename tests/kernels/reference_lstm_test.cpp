#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <functional>
#include <random>

using namespace ge;
using namespace ge::testing;
using Ints = std::vector<int64_t>;
using Row = std::vector<double>;

namespace {

Tensor random_floats(std::mt19937& random, Ints dims) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  std::normal_distribution<float> normal(0, 0.6f);
  for (float& v : values) v = normal(random);
  return floats(std::move(dims), std::move(values));
}

void check_close(const Tensor& found, const std::vector<double>& expected) {
  REQUIRE(found.count() == static_cast<int64_t>(expected.size()));
  const auto values = *found.to_doubles();
  for (size_t i = 0; i < values.size(); ++i) {
    INFO("element " << i << ": " << values[i] << ", expected " << expected[i]);
    REQUIRE(std::fabs(values[i] - expected[i]) <= 1e-5 + 1e-4 * std::fabs(expected[i]));
  }
}

using Function = std::function<double(double)>;
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double plain_tanh(double x) { return std::tanh(x); }

/// A recurrent layer as in the documentation, one sequence and one direction at a time. Plain row-major tensors.
struct Layer {
  int64_t steps, batch, input, hidden, directions, gates;
  bool batch_first = false, reverse = false, option = false;
  double clip = HUGE_VAL;
  Row x, w, r, b, h0, c0, p;           // empty: absent
  std::vector<int32_t> lengths;        // empty: absent
  std::vector<std::vector<Function>> f;  // by direction
  Row y, y_h, y_c;

  double in(double v) const { return std::min(std::max(v, -clip), clip); }
  /// Gate `g`, row `j`: w x, r h, and their biases.
  double wx(int64_t d, int64_t g, int64_t j, const Row& v) const { return product(w, d, g, j, v) + bias(d, g, j); }
  double rh(int64_t d, int64_t g, int64_t j, const Row& v) const { return product(r, d, g, j, v) + bias(d, gates + g, j); }
  double product(const Row& m, int64_t d, int64_t g, int64_t j, const Row& v) const {
    double sum = 0;
    for (size_t k = 0; k < v.size(); ++k) sum += m[static_cast<size_t>((d * gates + g) * hidden + j) * v.size() + k] * v[k];
    return sum;
  }
  double bias(int64_t d, int64_t g, int64_t j) const { return b.empty() ? 0 : b[static_cast<size_t>((d * 2 * gates + g) * hidden + j)]; }
  size_t state_at(int64_t d, int64_t n) const { return static_cast<size_t>((batch_first ? n * directions + d : d * batch + n) * hidden); }

  template <class Step>
  void run(Step step) {
    y.assign(static_cast<size_t>(steps * directions * batch * hidden), 0);
    y_h.assign(static_cast<size_t>(directions * batch * hidden), 0);
    y_c = y_h;
    for (int64_t d = 0; d < directions; ++d)
      for (int64_t n = 0; n < batch; ++n) {
        const auto from = [&](const Row& all) {
          if (all.empty()) return Row(static_cast<size_t>(hidden), 0.0);
          const auto first = all.begin() + static_cast<std::ptrdiff_t>(state_at(d, n));
          return Row(first, first + hidden);
        };
        Row h = from(h0), c = from(c0);
        const int64_t length = lengths.empty() ? steps : lengths[static_cast<size_t>(n)];
        for (int64_t i = 0; i < length; ++i) {
          const int64_t t = (d == 1 || reverse) ? length - 1 - i : i;
          const auto first = x.begin() + (batch_first ? n * steps + t : t * batch + n) * input;
          step(d, Row(first, first + input), h, c);
          const int64_t at = batch_first ? (n * steps + t) * directions + d : (t * directions + d) * batch + n;
          std::copy(h.begin(), h.end(), y.begin() + at * hidden);
        }
        std::copy(h.begin(), h.end(), y_h.begin() + static_cast<std::ptrdiff_t>(state_at(d, n)));
        std::copy(c.begin(), c.end(), y_c.begin() + static_cast<std::ptrdiff_t>(state_at(d, n)));
      }
  }
  void run_lstm() {
    run([&](int64_t d, const Row& v, Row& h, Row& c) {
      const auto& act = f[static_cast<size_t>(d)];
      const Row before = h;
      for (int64_t j = 0; j < hidden; ++j) {
        const auto peep = [&](int64_t g) { return p.empty() ? 0 : p[static_cast<size_t>((d * 3 + g) * hidden + j)]; };
        const auto gate = [&](int64_t g) { return wx(d, g, j, v) + rh(d, g, j, before); };
        double& cj = c[static_cast<size_t>(j)];
        const double i = act[0](in(gate(0) + peep(0) * cj));
        const double forget = option ? 1 - i : act[0](in(gate(2) + peep(2) * cj));
        cj = forget * cj + i * act[1](in(gate(3)));
        h[static_cast<size_t>(j)] = act[0](in(gate(1) + peep(1) * cj)) * act[2](in(cj));
      }
    });
  }
  void run_gru() {
    run([&](int64_t d, const Row& v, Row& h, Row&) {
      const auto& act = f[static_cast<size_t>(d)];
      Row z(h.size()), reset(h.size()), scaled(h.size()), next(h.size());
      for (int64_t j = 0; j < hidden; ++j) {
        const auto at = static_cast<size_t>(j);
        z[at] = act[0](in(wx(d, 0, j, v) + rh(d, 0, j, h)));
        reset[at] = act[0](in(wx(d, 1, j, v) + rh(d, 1, j, h)));
        scaled[at] = reset[at] * h[at];
      }
      for (int64_t j = 0; j < hidden; ++j) {
        const auto at = static_cast<size_t>(j);
        const double candidate = act[1](in(wx(d, 2, j, v) + (option ? reset[at] * rh(d, 2, j, h) : rh(d, 2, j, scaled))));
        next[at] = (1 - z[at]) * candidate + z[at] * h[at];
      }
      h = next;
    });
  }
  void run_rnn() {
    run([&](int64_t d, const Row& v, Row& h, Row&) {
      Row next(h.size());
      for (int64_t j = 0; j < hidden; ++j) next[static_cast<size_t>(j)] = f[static_cast<size_t>(d)][0](in(wx(d, 0, j, v) + rh(d, 0, j, h)));
      h = next;
    });
  }
};

/// Runs an op on a random layer and compares Y, Y_h and (LSTM) Y_c.
void check_random_layer(const std::string& op, uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  const bool lstm = op == "LSTM";
  Layer layer{};
  layer.steps = pick(1, 5), layer.batch = pick(0, 3), layer.input = pick(1, seed % 4 == 0 ? 300 : 6), layer.hidden = pick(1, seed % 4 == 1 ? 40 : 9);
  layer.gates = lstm ? 4 : op == "GRU" ? 3 : 1;
  const int64_t form = pick(0, 2);
  layer.directions = form == 2 ? 2 : 1;
  layer.reverse = form == 1;
  layer.batch_first = pick(0, 1), layer.option = pick(0, 1);
  Attributes a;
  a.set("direction", std::vector<std::string>{"forward", "reverse", "bidirectional"}[static_cast<size_t>(form)]);
  a.set("layout", int64_t{layer.batch_first});
  a.set("hidden_size", layer.hidden);
  if (lstm) a.set("input_forget", int64_t{layer.option});
  if (op == "GRU") a.set("linear_before_reset", int64_t{layer.option});
  if (pick(0, 2) == 0) layer.clip = 0.5, a.set("clip", 0.5f);
  std::vector<Function> defaults = {plain_tanh};
  if (lstm) defaults = {sigmoid, plain_tanh, plain_tanh};
  if (op == "GRU") defaults = {sigmoid, plain_tanh};
  layer.f.assign(2, defaults);
  const int64_t d = layer.directions, g = layer.gates, h = layer.hidden, n = layer.batch, t = layer.steps;
  const Ints state = layer.batch_first ? Ints{n, d, h} : Ints{d, n, h};
  const Ints out = layer.batch_first ? Ints{n, t, d, h} : Ints{t, d, n, h};
  const Tensor x = random_floats(random, layer.batch_first ? Ints{n, t, layer.input} : Ints{t, n, layer.input});
  const Tensor w = random_floats(random, {d, g * h, layer.input}), r = random_floats(random, {d, g * h, h});
  const auto maybe = [&](Ints dims) { return pick(0, 1) ? random_floats(random, std::move(dims)) : Tensor(); };
  const Tensor b = maybe({d, 2 * g * h}), h0 = maybe(state), c0 = lstm ? maybe(state) : Tensor(), p = lstm ? maybe({d, 3 * h}) : Tensor();
  Tensor lengths;
  if (pick(0, 1)) {
    for (int64_t i = 0; i < n; ++i) layer.lengths.push_back(static_cast<int32_t>(pick(0, t)));
    lengths = tensor<int32_t>(DType::int32, {n}, layer.lengths);
  }
  const auto values = [](const Tensor& v) { return v ? *v.to_doubles() : Row(); };
  layer.x = values(x), layer.w = values(w), layer.r = values(r), layer.b = values(b), layer.h0 = values(h0), layer.c0 = values(c0), layer.p = values(p);
  CAPTURE(op, seed, t, n, layer.input, h, form, layer.batch_first, layer.option, layer.clip, b.count(), h0.count(), c0.count(), p.count(),
          layer.lengths);
  std::vector<Tensor> inputs = {x, w, r, b, lengths, h0};
  std::vector<OutputSpec> specs = {{DType::float32, out}, {DType::float32, state}};
  if (lstm) inputs.push_back(c0), inputs.push_back(p), specs.push_back({DType::float32, state});
  const auto found = KernelRunner(op, a).run(inputs, specs);
  lstm ? layer.run_lstm() : op == "GRU" ? layer.run_gru() : layer.run_rnn();
  check_close(found[0], layer.y);
  check_close(found[1], layer.y_h);
  if (lstm) check_close(found[2], layer.y_c);
}

}  // namespace

TEST_CASE("LSTM agrees with the documented equations on random layers", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 80; ++seed) check_random_layer("LSTM", seed);
}
TEST_CASE("GRU agrees with the documented equations on random layers", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 80; ++seed) check_random_layer("GRU", seed);
}
TEST_CASE("RNN agrees with the documented equations on random layers", "[kernels][SX-18]") {
  for (uint32_t seed = 0; seed < 40; ++seed) check_random_layer("RNN", seed);
}

TEST_CASE("LSTM of one unit follows a hand-worked step", "[kernels][SX-18]") {
  // All weights 0 but the cell gate's: c = tanh(1), gates sigmoid(0) = 1/2: C = c / 2, H = tanh(C) / 2.
  const Tensor x = floats({1, 1, 1}, {1}), w = floats({1, 4, 1}, {0, 0, 0, 1}), r = floats({1, 4, 1}, {0, 0, 0, 0});
  const auto y = KernelRunner("LSTM").run({x, w, r}, {{DType::float32, {1, 1, 1, 1}}, {DType::float32, {1, 1, 1}}, {DType::float32, {1, 1, 1}}});
  const double c = std::tanh(1.0) / 2;
  check_close(y[0], {std::tanh(c) / 2});
  check_close(y[1], {std::tanh(c) / 2});
  check_close(y[2], {c});
}

TEST_CASE("RNN applies every activation with its scaling values", "[kernels][SX-18]") {
  struct Case {
    const char* name;
    std::vector<float> alpha, beta;
    Function expected;
  };
  const std::vector<Case> cases = {
      {"Relu", {}, {}, [](double v) { return std::max(v, 0.0); }},
      {"Tanh", {}, {}, plain_tanh},
      {"sigmoid", {}, {}, sigmoid},
      {"Affine", {2.f}, {-3.f}, [](double v) { return 2 * v - 3; }},
      {"LeakyRelu", {}, {}, [](double v) { return v < 0 ? 0.01 * v : v; }},
      {"LeakyRelu", {0.5f}, {}, [](double v) { return v < 0 ? 0.5 * v : v; }},
      {"ThresholdedRelu", {}, {}, [](double v) { return v < 1 ? 0 : v; }},
      {"ScaledTanh", {2.f}, {0.5f}, [](double v) { return 2 * std::tanh(0.5 * v); }},
      {"HardSigmoid", {}, {}, [](double v) { return std::min(1.0, std::max(0.0, 0.2 * v + 0.5)); }},
      {"Elu", {}, {}, [](double v) { return v < 0 ? std::exp(v) - 1 : v; }},
      {"Softsign", {}, {}, [](double v) { return v / (1 + std::fabs(v)); }},
      {"Softplus", {}, {}, [](double v) { return std::log(1 + std::exp(v)); }},
  };
  const std::vector<float> values = {-4, -1.5f, -0.25f, 0, 0.75f, 1.25f, 5};
  const Tensor x = floats({1, 7, 1}, values), one = floats({1, 1, 1}, {1}), zero = floats({1, 1, 1}, {0});
  for (const Case& c : cases) {
    CAPTURE(c.name);
    Attributes a;
    a.set("activations", std::vector<std::string>{c.name});
    if (!c.alpha.empty()) a.set("activation_alpha", c.alpha);
    if (!c.beta.empty()) a.set("activation_beta", c.beta);
    std::vector<double> expected;
    for (float v : values) expected.push_back(c.expected(static_cast<double>(v)));
    check_close(KernelRunner("RNN", a).run({x, one, zero}, {{DType::float32, {1, 1, 7, 1}}})[0], expected);
  }
}

TEST_CASE("Scaling values go to the activations that take them, in order", "[kernels][SX-18]") {
  // Both directions of an RNN: Tanh takes none, LeakyRelu the only alpha.
  Attributes a;
  a.set("direction", "bidirectional");
  a.set("activations", std::vector<std::string>{"Tanh", "LeakyRelu"});
  a.set("activation_alpha", std::vector<float>{0.25f});
  const Tensor x = floats({1, 1, 1}, {-2}), w = floats({2, 1, 1}, {1, 1}), r = floats({2, 1, 1}, {0, 0});
  check_close(KernelRunner("RNN", a).run({x, w, r}, {{DType::float32, {1, 2, 1, 1}}})[0], {std::tanh(-2.0), -0.5});
}

TEST_CASE("Recurrent layers report what does not fit", "[kernels][SX-18]") {
  const Tensor x = floats({1, 1, 1}, {1}), w = floats({1, 4, 1}, {0, 0, 0, 1}), r = floats({1, 4, 1}, {0, 0, 0, 0});
  const std::vector<OutputSpec> out = {{DType::float32, {1, 1, 1, 1}}};
  Attributes unknown;
  unknown.set("activations", std::vector<std::string>{"Sigmoid", "Gelu", "Tanh"});
  CHECK_THROWS_AS(KernelRunner("LSTM", unknown).run({x, w, r}, out), Error);
  CHECK_THROWS_AS(KernelRunner("LSTM").run({x, floats({1, 3, 1}, {0, 0, 0}), r}, out), Error);
  // A length beyond the steps is known only when running.
  CHECK_THROWS_AS(KernelRunner("LSTM").run({x, w, r, {}, tensor<int32_t>(DType::int32, {1}, {2})}, out), Error);
}
