#pragma once
#include "ge/executor/instantiate.hpp"
#include "ge/executor/segment_builder.hpp"

#include <map>

namespace ge {

/// The walk behind instantiate(): goes through ops in order, branch and body ranges inline, until the program ends or a
/// value must be known that only a run can give (a cut). One use per segment, one thread.
class SegmentWalk {
 public:
  SegmentWalk(const LoadedProgram& program, const Target& target, const InstantiateOptions& options, InstantiationState state);

  /// Walks to the end or to a cut, and finishes the segment.
  std::unique_ptr<Instantiation> run();

  InstantiationState& state() { return s_; }
  /// Gives a value its state from dims alone. Throws when they are too large.
  ValueState make_value(DType dtype, std::vector<int64_t> dims) const;
  /// Evaluates an expression over the symbols bound so far.
  std::optional<int64_t> evaluate(uint32_t expression) const;
  /// Binds each axis whose dim is a symbol that nothing has bound yet.
  void bind_open_dims(uint32_t value, const std::vector<int64_t>& dims);
  /// The elements of a value whose expressions can be evaluated; null otherwise.
  std::shared_ptr<const Tensor> content_from_expressions(uint32_t value, const ValueState& state) const;

 private:
  struct Snapshot {
    InstantiationState state;
    SegmentBuilder::Mark builder;
    std::map<std::string_view, uint32_t> ops_by_engine;
  };
  enum class Step : uint8_t { done, cut };

  // segment_walk.cpp: the walk itself
  Step walk_down_to(size_t depth);
  Step step();
  Step cut_for_content(std::vector<uint32_t> values);
  Snapshot snapshot() const { return {s_, builder_.mark(), ops_by_engine_}; }
  void restore(Snapshot&& snapshot);
  std::string_view node(uint32_t op) const { return program_.op(op).node; }

  // emit_op.cpp: ordinary ops
  Step emit_op(uint32_t op);
  bool dims_from_expressions(uint32_t op, std::vector<ValueState>& outputs) const;
  bool computes_content(uint32_t op, const std::vector<ValueState>& outputs) const;
  bool misses_known_content(uint32_t op, const std::vector<ValueState>& outputs) const;
  void add_inferred_content(uint32_t op, std::vector<ValueState>& outputs);
  void check_conditions(uint32_t op) const;
  bool conditions_known(uint32_t op) const;
  void define(uint32_t value, ValueState state);

  // infer_op.cpp: sizes that the program leaves open
  InferContext run_inference(uint32_t op, std::vector<TensorType>& types);
  bool confirmed_by_inference(uint32_t op, const std::vector<ValueState>& outputs);
  Step dims_from_inference(uint32_t op, std::vector<ValueState>& outputs, bool& dynamic);

  // prepare_op.cpp: the kernel's tasks
  struct Site;
  struct Extras {
    std::vector<uint32_t> workspaces, constants;
    uint32_t string_pool = UINT32_MAX;
  };
  Site site_of(uint32_t op, const std::vector<ValueState>& outputs) const;
  const Kernel& kernel_for(uint32_t op, const Site& site) const;
  void settle_outputs(uint32_t op, const TaskBuilder& tasks, std::vector<ValueState>& outputs);
  Extras extra_buffers(const TaskBuilder& tasks);
  uint32_t append_draft(uint32_t op, const TaskBuilder::Draft& draft, const Extras& extras, const std::vector<ValueState>& outputs);
  void prepare(uint32_t op, std::vector<ValueState>& outputs, bool dynamic);
  void keep_notes(uint32_t first_task, const TaskNote& note);

  // emit_branch.cpp, emit_loop.cpp: If and Loop
  Step emit_branch(uint32_t op);
  bool try_switch(uint32_t op);
  Step emit_loop(uint32_t op);
  bool try_static_loop(uint32_t op);
  Step begin_unrolled_loop(uint32_t op);
  Step finish_branch();
  Step finish_iteration();
  Step next_iteration();
  std::vector<std::vector<int64_t>> slice_dims_without_iteration(const Frame& frame);
  void finish_unrolled_loop();
  bool run_inline(uint32_t range, uint32_t op);

  // buffers.cpp
  uint32_t new_buffer(int64_t size_bytes);
  uint32_t buffer_of(ValueState& value);
  void append_copy(uint32_t to, uint32_t from, int64_t size_bytes, uint32_t op, int64_t to_offset = 0);
  uint32_t append_control(TaskKind kind, std::span<const std::byte> args, std::vector<SegmentBuilder::SlotUse> slots, uint32_t op);
  std::optional<int64_t> known_scalar(const ValueState& value) const;

  // finish_segment.cpp
  std::unique_ptr<Instantiation> finish();
  void place_outputs(Instantiation& out);
  void keep_live_buffers(Instantiation& out);
  std::vector<uint8_t> live_buffers() const;
  std::vector<PlacedBuffer> placement(const TaskList& list, const std::vector<SegmentBuilder::Address>& addresses) const;

  const LoadedProgram& program_;
  const Program& p_;
  const Target& target_;
  const InstantiateOptions& options_;
  InstantiationState s_;
  SegmentBuilder builder_;
  std::map<std::string_view, uint32_t> ops_by_engine_;
  std::vector<TaskNote> notes_;
  SymbolTable scratch_;  ///< for inference functions
  uint32_t iterations_ = 0;  ///< of unrolled loops, all together
  CutKind cut_ = CutKind::none;
  std::vector<uint32_t> cut_values_;
  std::vector<DynamicOutput> dynamic_outputs_;
};

}  // namespace ge
