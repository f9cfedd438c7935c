#pragma once
#include "ge/executor/instantiate.hpp"
#include "ge/executor/segment_builder.hpp"
#include "ge/executor/walk_ops.hpp"

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
  /// Where an attempt began: all that it changes is written down (old_values_, old_symbols_, the builder's notes), so
  /// that going back costs as much as the attempt did, not as much as the model is large.
  struct Attempt {
    size_t values, symbols, buffers;
    std::vector<size_t> symbols_by_frame;
    size_t held, held_words;
    SegmentBuilder::Mark builder;
    std::map<std::string_view, uint32_t> ops_by_engine;
  };
  enum class Step : uint8_t { done, cut };

  // segment_walk.cpp: the walk itself
  Step walk_down_to(size_t depth);
  Step step();
  Step cut_for_content(std::vector<uint32_t> values);
  std::string_view node(uint32_t op) const { return program_.op(op).node; }

  // attempt.cpp: going back
  Attempt begin_attempt();
  void undo(Attempt&& attempt);
  void keep(const Attempt& attempt);
  void remember_value(uint32_t value);
  void set_symbol(uint32_t symbol, bool bound, int64_t value);

  // emit_op.cpp: ordinary ops
  Step emit_op(uint32_t op);
  Step emit_kernel_op(uint32_t op);
  bool dims_from_expressions(uint32_t op, std::vector<ValueState>& outputs) const;
  bool computes_content(uint32_t op, const std::vector<ValueState>& outputs) const;
  bool misses_known_content(uint32_t op, const std::vector<ValueState>& outputs) const;
  void add_inferred_content(uint32_t op, std::vector<ValueState>& outputs);
  void check_conditions(uint32_t op) const;
  bool conditions_known(uint32_t op) const;
  void define(uint32_t value, ValueState state);

  // emit_walk_op.cpp: ops that move what is known of values, and values that are no tensors
  class MovingSite;
  Step emit_walk_op(uint32_t op);
  bool reads_composite(uint32_t op) const;
  ValueState converted(ValueState value, ValueKind kind);

  // held_values.cpp: what sequences and optionals hold
  uint32_t hold(ValueState value);
  void add_held(size_t words);
  void count_held();
  void collect_held_if_grown();

  // infer_op.cpp: sizes that the program leaves open
  InferContext run_inference(uint32_t op, std::vector<TensorType>& types);
  static TensorType type_of(const ValueState& state, SymbolTable& symbols);
  static std::shared_ptr<const Tensor> content_of(const TensorType& type, const std::vector<int64_t>& dims);
  bool confirmed_by_inference(uint32_t op, const std::vector<ValueState>& outputs);
  Step dims_from_inference(uint32_t op, std::vector<ValueState>& outputs, bool& dynamic);

  // prepare_op.cpp: the kernel's tasks
  struct Site;
  /// What is asked of a kernel: an op of the program, or one that stands for it.
  struct Call {
    uint32_t row;  ///< of the program's op, which the tasks are named after
    std::string_view domain, op;
    const Attributes& attributes;
    std::vector<ValueState*> inputs;           ///< null where absent
    std::vector<uint32_t> constants;           ///< by input: the row of `constants` that it is, or no_index
    std::vector<uint8_t> outputs;              ///< 0 where not used
  };
  Call call_of(uint32_t op);
  struct Extras {
    std::vector<uint32_t> workspaces, constants;
    uint32_t string_pool = UINT32_MAX;
  };
  Site site_of(const Call& call, const std::vector<ValueState>& outputs) const;
  const Kernel& kernel_for(const Call& call, const Site& site) const;
  void settle_outputs(const Call& call, const TaskBuilder& tasks, std::vector<ValueState>& outputs);
  Extras extra_buffers(const TaskBuilder& tasks);
  uint32_t append_draft(const Call& call, const TaskBuilder::Draft& draft, const Extras& extras, const std::vector<ValueState>& outputs);
  void append_tasks(const Call& call, std::vector<ValueState>& outputs, bool dynamic);
  void prepare(uint32_t op, std::vector<ValueState>& outputs, bool dynamic);
  void keep_notes(uint32_t first_task, const TaskNote& note);

  // emit_branch.cpp, emit_loop.cpp, emit_map.cpp: If, Loop and SequenceMap
  Step emit_map(uint32_t op);
  Step next_element();
  void finish_map();
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
  void place_output(Instantiation& out, uint32_t output, uint32_t tensor, ValueState& value);
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
  uint32_t attempts_ = 0;  ///< that are open, one inside the other
  struct OldSymbol {
    uint32_t symbol;
    uint8_t bound;
    int64_t value;
  };
  std::vector<std::pair<uint32_t, ValueState>> old_values_;  ///< before each change, while an attempt is open
  std::vector<OldSymbol> old_symbols_;
  SymbolTable scratch_;  ///< for inference functions
  uint32_t iterations_ = 0;  ///< of unrolled loops, all together
  size_t held_words_ = 0, held_words_after_collection_ = 0;  ///< of what sequences and optionals hold and of the lists, all together
  CutKind cut_ = CutKind::none;
  std::vector<uint32_t> cut_values_;
  std::vector<DynamicOutput> dynamic_outputs_;
};

}  // namespace ge
