// Speed of the reference engine's products on one thread: prepares each kernel once, runs its tasks five times and
// prints GFLOP/s (a multiplication and an addition count as two), best and median.
#include "ge/kernels/kernel.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace ge;

namespace {

Tensor ramp(std::vector<int64_t> dims) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 50;
  return Tensor::from<float>(DType::float32, std::move(dims), values);
}

void measure(const char* title, const char* op, const Attributes& attributes, const std::vector<Tensor>& inputs, std::vector<int64_t> output_dims, double flops) {
  Tensor output = Tensor::zeros(DType::float32, output_dims);
  std::vector<SiteTensor> in;
  for (const Tensor& t : inputs) in.push_back({true, t.dtype(), t.dims(), t.count(), t.bytes().data(), ""});
  const std::vector<SiteTensor> out = {{true, DType::float32, output.dims(), output.count(), nullptr, ""}};
  const Target target;
  TaskBuilder builder;
  kernels().find(kernel_key("reference", "", op, ""))->prepare({"", op, "bench", attributes, in, out, target}, builder);
  // These kernels use no workspaces and no constants.
  std::vector<Tensor> blocks;
  for (const auto& draft : builder.drafts) {
    blocks.push_back(Tensor::copy_of(DType::uint8, {static_cast<int64_t>(draft.args.size())}, draft.args));
    for (const Slot& slot : draft.slots) {
      const void* address = slot.kind == SlotKind::input ? inputs.at(slot.index).bytes().data() : output.mutable_data();
      std::memcpy(blocks.back().mutable_data() + slot.arg_offset, &address, sizeof address);
    }
  }
  std::vector<double> rates;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < builder.drafts.size(); ++i)
      for (uint32_t chunk = 0; chunk < builder.drafts[i].chunks; ++chunk) builder.drafts[i].run(blocks[i].bytes().data(), chunk);
    rates.push_back(flops / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e-9);
  }
  std::sort(rates.begin(), rates.end());
  std::printf("%-34s best %6.2f  median %6.2f GFLOP/s\n", title, rates.back(), rates[2]);
}

}  // namespace

int main() {
  const int64_t side = 56, channels = 64, positions = side * side;
  Attributes padded;
  padded.set("pads", std::vector<int64_t>{1, 1, 1, 1});
  Attributes depthwise = padded;
  depthwise.set("group", channels);
  const Tensor image = ramp({1, channels, side, side});
  const std::vector<int64_t> out = {1, channels, side, side};
  const double per_tap = 2.0 * channels * positions;
  measure("Conv 3x3 64->64 56x56", "Conv", padded, {image, ramp({channels, channels, 3, 3})}, out, per_tap * channels * 9);
  measure("Conv 1x1 64->64 56x56", "Conv", {}, {image, ramp({channels, channels, 1, 1})}, out, per_tap * channels);
  measure("Conv 3x3 depthwise 64 56x56", "Conv", depthwise, {image, ramp({channels, 1, 3, 3})}, out, per_tap * 9);
  measure("Conv 3x3 512->512 7x7", "Conv", padded, {ramp({1, 512, 7, 7}), ramp({512, 512, 3, 3})}, {1, 512, 7, 7}, 2.0 * 512 * 512 * 49 * 9);
  measure("MatMul 384x768x768", "MatMul", {}, {ramp({384, 768}), ramp({768, 768})}, {384, 768}, 2.0 * 384 * 768 * 768);
  measure("MatMul 1x768x768", "MatMul", {}, {ramp({1, 768}), ramp({768, 768})}, {1, 768}, 2.0 * 768 * 768);
  Attributes stride2;
  stride2.set("strides", std::vector<int64_t>{2, 2});
  measure("ConvTranspose 2x2 s2 64->64 28x28", "ConvTranspose", stride2, {ramp({1, channels, 28, 28}), ramp({channels, channels, 2, 2})}, out, 2.0 * channels * channels * 28 * 28 * 4);
}
