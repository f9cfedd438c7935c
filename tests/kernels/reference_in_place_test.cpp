#include "support/catch.hpp"
#include "support/run_kernel.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("a kernel that may overwrite an input gives the same result when it does", "[kernels][SX-18]") {
  const int64_t rows = 7, columns = 1001;
  std::vector<float> a(static_cast<size_t>(rows * columns)), b(a.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 89) / 16 + 0.5f, b[i] = static_cast<float>(i % 31) / 8 + 0.25f;
  const Tensor full_a = floats({rows, columns}, a), full_b = floats({rows, columns}, b), row = floats({columns}, {b.begin(), b.begin() + columns});
  std::vector<uint8_t> flags(static_cast<size_t>(columns));
  for (size_t i = 0; i < flags.size(); ++i) flags[i] = i % 3 == 0;
  const std::pair<const char*, std::vector<Tensor>> cases[] = {
      {"Exp", {full_a}}, {"Sub", {full_a, full_b}}, {"Div", {row, full_a}}, {"Max", {full_a, row, full_b}}, {"Clip", {full_a, floats({}, {1})}},
      {"Softmax", {full_a}}, {"LayerNormalization", {full_a, row}}, {"CumSum", {full_a, int64s({}, {1})}}, {"Cast", {full_a}},
      {"Where", {Tensor::from<uint8_t>(DType::boolean, {columns}, flags), full_a, full_b}}, {"Trilu", {full_a, int64s({}, {2})}}, {"PRelu", {full_a, row}}};
  for (const auto& [op, inputs] : cases) {
    const DType out_dtype = op == std::string("Cast") ? DType::int32 : DType::float32;
    const Tensor expected = KernelRunner(op).run(inputs, {{out_dtype, {rows, columns}}})[0];
    std::vector<SiteTensor> in;
    for (const Tensor& t : inputs) in.push_back({true, t.dtype(), t.dims(), t.count(), t.bytes().data(), ""});
    const SiteTensor out{true, out_dtype, expected.dims(), expected.count(), nullptr, ""};
    TaskBuilder builder;
    kernels().at(kernel_key("reference", "", op, "")).prepare({"", op, "n", {}, in, {&out, 1}, {}}, builder);
    INFO(op);
    REQUIRE(!builder.in_place.empty());
    for (const auto& sharing : builder.in_place) {
      Tensor shared = Tensor::copy_of(out_dtype, expected.dims(), inputs[sharing.input].bytes());
      for (auto& draft : builder.drafts) {
        auto block = Tensor::copy_of(DType::uint8, {static_cast<int64_t>(draft.args.size())}, draft.args);
        for (const Slot& slot : draft.slots) {
          const bool is_shared = slot.kind == SlotKind::output || slot.index == sharing.input;
          const void* address = is_shared ? shared.bytes().data() : inputs[slot.index].bytes().data();
          std::memcpy(block.mutable_data() + slot.arg_offset, &address, sizeof address);
        }
        for (uint32_t chunk = draft.chunks; chunk-- > 0;) REQUIRE(draft.run(block.bytes().data(), chunk) == Status::ok);
      }
      CHECK(shared == expected);
    }
  }
}

TEST_CASE("every pointwise kernel may write over each input that has the output's size", "[kernels][SX-7]") {
  struct Group {
    DType dtype;
    size_t inputs;
    std::vector<const char*> ops;
  };
  const Group groups[] = {
      {DType::float32, 1, {"Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Celu", "Clip", "Cos", "Cosh", "Elu", "Erf", "Exp", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Hardmax", "LeakyRelu", "Log", "LogSoftmax", "Mish", "Neg", "Reciprocal", "Relu", "Round", "Selu", "Sigmoid", "Sign", "Sin", "Sinh", "Softmax", "Softplus", "Softsign", "Sqrt", "Tan", "Tanh", "ThresholdedRelu", "Trilu"}},
      {DType::float32, 2, {"Add", "Div", "Mod", "Mul", "PRelu", "Pow", "Sub"}},
      {DType::float32, 3, {"Max", "Mean", "Min", "Sum"}},
      {DType::boolean, 1, {"Not"}},
      {DType::boolean, 2, {"And", "Equal", "Or", "Xor"}},
      {DType::int32, 1, {"BitwiseNot"}},
      {DType::int32, 2, {"BitwiseAnd", "BitwiseOr", "BitwiseXor"}},
  };
  const std::vector<int64_t> dims{3, 5};
  for (const Group& group : groups)
    for (const char* op : group.ops) {
      INFO(op);
      const SiteTensor tensor{true, group.dtype, dims, 15, nullptr, ""};
      const std::vector<SiteTensor> in(group.inputs, tensor);
      Attributes attributes;
      if (op == std::string("Mod")) attributes.set("fmod", int64_t{1});
      TaskBuilder builder;
      kernels().at(kernel_key("reference", "", op, "")).prepare({"", op, "n", attributes, in, {&tensor, 1}, {}}, builder);
      const bool all = op != std::string("PRelu");
      CHECK(builder.in_place.size() >= (all && builder.drafts.size() == 1 ? group.inputs : 1));
    }
}
