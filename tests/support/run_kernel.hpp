#pragma once
#include "ge/kernels/kernel.hpp"

#include <cstring>
#include <deque>
#include <initializer_list>
#include <stdexcept>
#include <vector>

namespace ge::testing {

/// The dtype and dims that inference would give an output.
struct OutputSpec {
  DType dtype;
  std::vector<int64_t> dims;
};

/// Prepares one kernel and runs its tasks alone, chunk by chunk in reverse order (chunks are independent), with
/// outputs and workspaces prefilled with 0xCD. All inputs count as known content. A default Tensor is an absent input.
class KernelRunner {
 public:
  explicit KernelRunner(std::string op, Attributes attributes = {}, std::string engine = "reference")
      : op_(std::move(op)), attributes_(std::move(attributes)), engine_(std::move(engine)) {}

  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const std::vector<OutputSpec>& specs) {
    const Kernel& kernel = find(inputs, specs);
    std::vector<SiteTensor> in, out;
    std::vector<Tensor> results;
    for (const Tensor& t : inputs)
      in.push_back({static_cast<bool>(t), t.dtype(), t.dims(), t.count(), t ? t.bytes().data() : nullptr, ""});
    for (const OutputSpec& s : specs) {
      if (s.dtype == DType::undefined) {
        results.emplace_back();
        out.emplace_back();
        continue;
      }
      results.push_back(Tensor::zeros(s.dtype, s.dims));
      std::memset(results.back().mutable_data(), 0xCD, results.back().bytes().size());
      out.push_back({true, s.dtype, s.dims, results.back().count(), nullptr, ""});
    }
    const Target target;
    TaskBuilder builder;
    kernel.prepare({"", op_, "node", attributes_, in, out, target}, builder);
    for (const auto& alias : builder.aliases)
      std::memcpy(results[alias.output].mutable_data(), inputs[alias.input].bytes().data(), results[alias.output].bytes().size());
    std::vector<std::vector<std::byte>> scratch;
    for (int64_t size : builder.workspaces) scratch.emplace_back(static_cast<size_t>(size) + 64, std::byte{0xCD});
    for (auto& draft : builder.drafts) {
      // Argument structs may hold 16-byte aligned members.
      auto block = Tensor::copy_of(DType::uint8, {static_cast<int64_t>(draft.args.size())}, draft.args);
      for (const Slot& slot : draft.slots) {
        const void* address = nullptr;
        switch (slot.kind) {
          case SlotKind::input: address = inputs.at(slot.index).bytes().data(); break;
          case SlotKind::output: address = results.at(slot.index).bytes().data(); break;
          case SlotKind::workspace: address = align(scratch.at(slot.index).data()); break;
          case SlotKind::constant: address = builder.constants.at(slot.index).data(); break;
          case SlotKind::string_pool: address = static_cast<StringPool*>(&pool_); break;
        }
        std::memcpy(block.mutable_data() + slot.arg_offset, &address, sizeof address);
      }
      if (draft.dynamic_run != nullptr) {
        Outputs outputs(results, specs);
        check(draft.dynamic_run(block.bytes().data(), outputs));
        continue;
      }
      for (uint32_t chunk = draft.chunks; chunk-- > 0;) check(draft.run(block.bytes().data(), chunk));
    }
    return results;
  }

 private:
  struct Pool : StringPool {
    std::deque<std::string> texts;
    char* room(size_t size) noexcept override { return texts.emplace_back(size, '?').data(); }
  };
  /// Outputs of the dims that a dynamic kernel reports; those of its specs do not count. A spec of dtype undefined is an
  /// output that nothing reads.
  struct Outputs : OutputAllocator {
    Outputs(std::vector<Tensor>& results_in, const std::vector<OutputSpec>& specs_in) : results(results_in), specs(specs_in) {}
    std::vector<Tensor>& results;
    const std::vector<OutputSpec>& specs;
    std::byte* allocate(size_t index, std::span<const int64_t> dims) noexcept override {
      results[index] = Tensor::zeros(specs[index].dtype, {dims.begin(), dims.end()});
      return results[index].mutable_data();
    }
  };
  static void check(Status status) {
    if (status != Status::ok) throw Error(ErrorCode::run_failed, to_string(status));
  }
  static std::byte* align(std::byte* p) { return p + (64 - reinterpret_cast<uintptr_t>(p) % 64) % 64; }
  const Kernel& find(const std::vector<Tensor>& inputs, const std::vector<OutputSpec>& specs) {
    std::vector<DType> in, out;
    for (const Tensor& t : inputs) in.push_back(t.dtype());
    for (const OutputSpec& s : specs) out.push_back(s.dtype);
    const Target target;
    for (const Kernel* k : kernels_of("", op_))
      if (k->engine == engine_ && (k->supports == nullptr || k->supports({"", op_, attributes_, in, out, target}))) return *k;
    throw Error(ErrorCode::unsupported, "no kernel of engine " + engine_ + " for " + op_);
  }

  std::string op_;
  Attributes attributes_;
  std::string engine_;
  Pool pool_;
};

template <class T>
Tensor tensor(DType dtype, std::vector<int64_t> dims, std::vector<T> values) {
  return Tensor::from<T>(dtype, std::move(dims), values);
}
inline Tensor floats(std::vector<int64_t> dims, std::vector<float> values) { return tensor<float>(DType::float32, std::move(dims), std::move(values)); }
inline Tensor int64s(std::vector<int64_t> dims, std::vector<int64_t> values) { return tensor<int64_t>(DType::int64, std::move(dims), std::move(values)); }

}  // namespace ge::testing
