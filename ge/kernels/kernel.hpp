#pragma once
#include "ge/base/attributes.hpp"
#include "ge/base/registry.hpp"
#include "ge/kernels/task.hpp"

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ge {

/// The machine that tasks run on. Packings and chunk counts may depend on it, never on the number of threads.
struct Target {
  std::string cpu;  ///< "x86-64-v3", …
};

/// Most axes that any kernel takes; instantiate refuses more, naming the node.
inline constexpr size_t max_rank = 12;

/// What prepare() knows of one input or output. All dims are concrete.
struct SiteTensor {
  bool present = false;
  DType dtype = DType::undefined;
  std::span<const int64_t> dims;
  int64_t count = 0;                    ///< elements; product of dims, checked
  /// Input: its bytes where known before the run (constants, shape arithmetic, and always for the schema's content
  /// inputs), possibly unaligned; else null. Output: the elements where inference knows them all, else null.
  const std::byte* content = nullptr;
  std::string_view packing;             ///< how a constant is stored; "" as in the model
};

/// One op about to be prepared. Views; valid during the call.
struct KernelSite {
  std::string_view domain, op, node;
  const Attributes& attributes;
  std::span<const SiteTensor> inputs;
  std::span<const SiteTensor> outputs;
  const Target& target;

  bool has_input(size_t i) const { return i < inputs.size() && inputs[i].present; }
  bool has_output(size_t i) const { return i < outputs.size() && outputs[i].present; }
  /// Content of an integer or bool input, widened. Throws Error(unsupported) when it is not known.
  GE_API std::vector<int64_t> input_ints(size_t i) const;
  /// Content of a floating-point input as double. Throws as above.
  GE_API std::vector<double> input_doubles(size_t i) const;
};

/// What fills a pointer slot of an argument block.
enum class SlotKind : uint8_t { input, output, workspace, constant, string_pool };
struct Slot {
  uint32_t arg_offset;  ///< bytes from the start of the block
  SlotKind kind;
  uint32_t index;       ///< input, output, workspace or constant number
};

/// What prepare() appends: tasks with their argument blocks, workspaces, constants, and sharing rules.
class GE_API TaskBuilder {
 public:
  struct Draft {
    RunFn run = nullptr;
    DynamicRunFn dynamic_run = nullptr;
    std::vector<std::byte> args;
    std::vector<Slot> slots;
    uint32_t chunks = 1;
  };
  struct Sharing {
    uint32_t output, input;
  };
  struct Part {
    uint32_t output, input;
    int64_t byte_offset;
    uint32_t draft;
  };

  /// Handle of the task just appended: binds pointer members of its argument struct.
  template <class Args>
  class TaskRef {
   public:
    TaskRef(TaskBuilder& builder, size_t draft) : builder_(builder), draft_(draft) {}
    template <class T>
    TaskRef& input(T* Args::*member, size_t i) { return bind(member, SlotKind::input, i); }
    template <class T>
    TaskRef& output(T* Args::*member, size_t i) { return bind(member, SlotKind::output, i); }
    /// Scratch memory for this task, aligned to 64, `size_bytes` in all (not per chunk); undefined content.
    template <class T>
    TaskRef& workspace(T* Args::*member, int64_t size_bytes) {
      return bind(member, SlotKind::workspace, builder_.add_workspace(size_bytes));
    }
    /// Read-only bytes that live as long as the task list (index tables and the like), aligned to 64.
    template <class T>
    TaskRef& constant(T* Args::*member, std::span<const std::byte> bytes) {
      return bind(member, SlotKind::constant, builder_.add_constant(bytes));
    }
    TaskRef& string_pool(StringPool* Args::*member) { return bind(member, SlotKind::string_pool, 0); }

   private:
    template <class T>
    TaskRef& bind(T* Args::*member, SlotKind kind, size_t index) {
      static const Args sample{};
      const auto offset = reinterpret_cast<const char*>(&(sample.*member)) - reinterpret_cast<const char*>(&sample);
      builder_.drafts[draft_].slots.push_back({static_cast<uint32_t>(offset), kind, static_cast<uint32_t>(index)});
      return *this;
    }
    TaskBuilder& builder_;
    size_t draft_;
  };

  /// Appends a task of `chunks` chunks (at least 1) over a copy of `args`; bind its pointer members on the result.
  template <class Args>
  TaskRef<Args> append(RunFn run, const Args& args, uint32_t chunks = 1) {
    static_assert(std::is_trivially_copyable_v<Args> && alignof(Args) <= 16, "argument blocks are copied as bytes");
    add_draft(run, nullptr, std::as_bytes(std::span(&args, 1)), chunks);
    return {*this, drafts.size() - 1};
  }
  /// Appends a task whose output dims are found while it runs.
  template <class Args>
  TaskRef<Args> append_dynamic(DynamicRunFn run, const Args& args) {
    static_assert(std::is_trivially_copyable_v<Args> && alignof(Args) <= 16, "argument blocks are copied as bytes");
    add_draft(nullptr, run, std::as_bytes(std::span(&args, 1)), 1);
    return {*this, drafts.size() - 1};
  }
  /// Output `output` is input `input` seen with other dims: same bytes, no task needed for it.
  void alias(size_t output, size_t input) { aliases.push_back({static_cast<uint32_t>(output), static_cast<uint32_t>(input)}); }
  /// Output may be written over the input (same element size and count, each element read before it is written).
  void may_overwrite(size_t output, size_t input) { in_place.push_back({static_cast<uint32_t>(output), static_cast<uint32_t>(input)}); }
  /// The task just appended does nothing but copy output `output` from input `input`, where its bytes lie in one piece
  /// from `byte_offset` on (Split, Slice). The executor may let the output live there instead and leave the task out.
  void output_in_input(size_t output, size_t input, int64_t byte_offset) { outputs_in_inputs.push_back(part(output, input, byte_offset)); }
  /// The task just appended does nothing but copy all of input `input` to one piece of output `output`, from
  /// `byte_offset` on (Concat). The executor may let the input be made there in the first place and leave the task out.
  /// Other tasks write only other bytes of the output.
  void input_in_output(size_t input, size_t output, int64_t byte_offset) { inputs_in_outputs.push_back(part(output, input, byte_offset)); }
  /// Output `output` has exactly site.outputs[output].content; no task needed for it.
  void known(size_t output) { known_outputs.push_back(static_cast<uint32_t>(output)); }

  std::vector<Draft> drafts;
  std::vector<int64_t> workspaces;
  std::vector<std::vector<std::byte>> constants;
  std::vector<Sharing> aliases, in_place;
  std::vector<Part> outputs_in_inputs, inputs_in_outputs;
  std::vector<uint32_t> known_outputs;

 private:
  Part part(size_t output, size_t input, int64_t byte_offset) const {
    return {static_cast<uint32_t>(output), static_cast<uint32_t>(input), byte_offset, static_cast<uint32_t>(drafts.size() - 1)};
  }
  void add_draft(RunFn run, DynamicRunFn dynamic_run, std::span<const std::byte> args, uint32_t chunks);
  size_t add_workspace(int64_t size_bytes);
  size_t add_constant(std::span<const std::byte> bytes);
};

/// What support and packing may depend on: everything but dims.
struct KernelQuery {
  std::string_view domain, op;
  const Attributes& attributes;
  std::span<const DType> inputs;   ///< undefined where absent
  std::span<const DType> outputs;  ///< undefined where not used
  const Target& target;
  bool outputs_known = false;      ///< every element of every output is known before the run (shape arithmetic)
};

using SupportsFn = bool (*)(const KernelQuery&);
/// Names how constant input `input` is stored ("" as it is). The name's meaning is registered with REGISTER_PACKING.
using PackingFn = std::string_view (*)(const KernelQuery&, size_t input);
/// Appends the tasks of one op. Called only by instantiate, on checked tables; may throw Error.
using PrepareFn = void (*)(const KernelSite&, TaskBuilder&);

/// A kernel: how one engine runs one op. Among those that support a node the engine's priority, then the kernel's,
/// decides; equal priorities are an error that names both.
struct Kernel {
  std::string engine{}, domain{}, op{}, variant{};  // filled by the macro; {} so that a registration need not name them
  int priority = 0;
  SupportsFn supports = nullptr;  ///< null: every node of the op
  PackingFn packing = nullptr;    ///< null: constants as they are
  PrepareFn prepare = nullptr;
};

GE_API std::string kernel_key(std::string_view engine, std::string_view domain, std::string_view op, std::string_view variant);
GE_DECLARE_REGISTRY(kernels, Kernel);

/// A named set of kernels. Higher priority is asked first.
struct Engine {
  int priority = 0;
};
GE_DECLARE_REGISTRY(engines, Engine);

/// All kernels of an op, best first. Thread-safe. Throws Error(internal) on two of equal priority in one engine.
GE_API std::vector<const Kernel*> kernels_of(std::string_view domain, std::string_view op);
/// The best kernel that supports the node; throws Error(unsupported) naming op, dtypes and what is linked in.
GE_API const Kernel& choose_kernel(const KernelQuery& query);

/// What choose_kernel throws when none of `candidates` supports the node.
[[noreturn]] GE_API void raise_no_kernel(const KernelQuery& query, std::span<const Kernel* const> candidates);

/// A packing turns a constant's bytes into the layout that a kernel reads. Depends on dtype and dims alone.
using PackFn = Tensor (*)(const Tensor& plain);
GE_DECLARE_REGISTRY(packings, PackFn);

}  // namespace ge

/// REGISTER_ENGINE("reference", 0, "slow, obvious, complete");
#define REGISTER_ENGINE(name, priority, doc) GE_REGISTER(::ge::engines, name, doc, ::ge::Engine{priority})
/// REGISTER_CPU_KERNEL("reference", "", "Relu", "", "max(x, 0)", {.prepare = prepare_relu});
#define REGISTER_CPU_KERNEL(engine_, domain_, op_, variant_, doc, ...)                              \
  GE_REGISTER(::ge::kernels, ::ge::kernel_key(engine_, domain_, op_, variant_), doc, []() {         \
    ::ge::Kernel kernel = __VA_ARGS__;                                                              \
    kernel.engine = engine_, kernel.domain = domain_, kernel.op = op_, kernel.variant = variant_;   \
    return kernel;                                                                                  \
  }())
/// REGISTER_PACKING("oi8", "output channels in blocks of 8", pack_oi8);
#define REGISTER_PACKING(name, doc, fn) GE_REGISTER(::ge::packings, name, doc, fn)
