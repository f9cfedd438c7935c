#include "ge/executor/static/davinci_model.hpp"

#include "ge/executor/profile.hpp"

#include <algorithm>

namespace ge {

/// Holds the instance for one run.
class DavinciModel::Running {
 public:
  explicit Running(DavinciModel& model) : model_(model) {
    if (model.busy_.exchange(true, std::memory_order_acquire))
      throw Error(ErrorCode::invalid_argument, "model '" + model.name() + "' is running already; use one instance per thread");
  }
  ~Running() { model_.busy_.store(false, std::memory_order_release); }
  Running(const Running&) = delete;

 private:
  DavinciModel& model_;
};

/// Gives a dynamic task's outputs their kept buffers and notes the dims it reports.
class DavinciModel::DynamicOutputs final : public OutputAllocator {
 public:
  DynamicOutputs(DavinciModel& model, const Instantiation& plan) : model_(model), plan_(plan) {
    model.dynamic_dims_.resize(std::max(model.dynamic_dims_.size(), plan.dynamic_outputs.size()));
  }
  std::byte* allocate(size_t index, std::span<const int64_t> dims) noexcept override {
    if (index >= plan_.dynamic_outputs.size()) return nullptr;
    const DynamicOutput& output = plan_.dynamic_outputs[index];
    const auto count = element_count(dims);
    const auto bytes = count ? bytes_for(output.dtype, *count) : std::nullopt;
    if (!bytes || *bytes > model_.param_.max_memory_bytes) return nullptr;
    try {
      model_.dynamic_dims_[index].assign(dims.begin(), dims.end());
      return model_.kept_[output.kept_slot].reserve(*bytes);
    } catch (const std::exception&) {
      return nullptr;
    }
  }

 private:
  DavinciModel& model_;
  const Instantiation& plan_;
};

DavinciModel::DavinciModel(std::shared_ptr<const LoadedProgram> program, ModelParam param)
    : program_(std::move(program)), param_(param), device_(param.device != nullptr ? *param.device : cpu_device(), param.max_memory_bytes),
      io_(*program_, device_), cache_(param.max_cached_sizes, param.max_cached_segments), arena_(device_) {
  if (param_.runner == nullptr) param_.runner = &ThreadPool::shared();
  key_.reserve(64);
  last_key_.reserve(64);
}

DavinciModel::~DavinciModel() = default;

const std::string& DavinciModel::name() const { return program_->file().name(); }

void DavinciModel::check_outputs(size_t count) const {
  if (count != io_.outputs().size())
    throw Error(ErrorCode::invalid_argument, "model '" + name() + "' has " + std::to_string(io_.outputs().size()) + " outputs, room for " + std::to_string(count) + " was given");
}

void DavinciModel::NnExecute(std::span<const InputTensor> inputs, std::span<OutputTensor> outputs) {
  const Running running(*this);
  check_outputs(outputs.size());
  if (program_->has_composite_ports())
    throw Error(ErrorCode::invalid_argument, "model '" + name() + "' has inputs or outputs that are sequences or optionals; give InputValues and OutputValues");
  execute(inputs, {}, {outputs, {}});
}

void DavinciModel::NnExecute(std::span<const InputValue> inputs, std::span<OutputValue> outputs) {
  const Running running(*this);
  check_outputs(outputs.size());
  if (inputs.size() != io_.inputs().size())
    throw Error(ErrorCode::invalid_argument, "the model has " + std::to_string(io_.inputs().size()) + " inputs, " + std::to_string(inputs.size()) + " were given");
  flat_inputs_.clear();
  lengths_.clear();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputValue& input = inputs[i];
    const PortDescription& port = io_.inputs()[i];
    const bool one = port.kind == ValueKind::tensor || (port.kind == ValueKind::optional && input.present);
    if ((!input.present && !is_optional(port.kind)) || (one && input.tensors.size() != 1) || (!input.present && !input.tensors.empty()))
      throw Error(ErrorCode::invalid_argument, "input " + std::to_string(i) + " '" + port.name + "' is " + port.text + "; it was given " +
                                                   (input.present ? "" : "as absent, with ") + std::to_string(input.tensors.size()) + " tensors");
    flat_inputs_.insert(flat_inputs_.end(), input.tensors.begin(), input.tensors.end());
    lengths_.push_back(input.present ? static_cast<int64_t>(input.tensors.size()) : -1);
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (io_.outputs()[i].kind == ValueKind::tensor) outputs[i].present = true, outputs[i].tensors.resize(1);
  // Where every value is a tensor, runs with tensors and with values share what they have instantiated.
  execute(flat_inputs_, program_->has_composite_ports() ? std::span<const int64_t>(lengths_) : std::span<const int64_t>(), {{}, outputs});
}

void DavinciModel::execute(std::span<const InputTensor> inputs, std::span<const int64_t> lengths, Outputs outputs) {
  if (param_.profile != nullptr) param_.profile->begin_run();
  const ProfileSpan span(param_.profile, SampleKind::run);
  cancel_.store(false, std::memory_order_relaxed);
  strings_.clear();
  cache_.trim();
  transient_.reset();
  for (auto& [engine, count] : ops_by_engine_) count = 0;
  slots_rewritten_ = 0, segments_last_run_ = 0, tasks_last_run_ = 0, arena_bytes_ = 0, arena_lower_bound_ = 0;

  io_.bind_inputs(inputs, lengths);
  key_.clear();
  io_.append_key(inputs, lengths, key_);
  if (param_.max_memory_bytes != INT64_MAX && key_ != last_key_) {
    // What other sizes needed does not count against these.
    arena_.reset();
    for (DeviceBuffer& buffer : kept_) buffer.reset();
    last_key_ = key_;
  }
  if (param_.poison)
    for (DeviceBuffer& buffer : kept_)
      if (buffer.data() != nullptr) device_.fill(buffer.data(), *param_.poison, buffer.size_bytes());
  Segment* segment = &first_segment(inputs, lengths);
  for (;;) {
    run_segment(*segment, outputs);
    if (segment->plan->cut == CutKind::none) break;
    segment = &next_segment(*segment);
  }
  ++runs_;
}

Segment& DavinciModel::first_segment(std::span<const InputTensor> inputs, std::span<const int64_t> lengths) {
  if (Segment* known = cache_.find(key_)) return *known;
  RunSizes sizes;
  for (const InputTensor& input : inputs) sizes.input_dims.emplace_back(input.dims.begin(), input.dims.end());
  sizes.elements.assign(key_.end() - static_cast<std::ptrdiff_t>(program_->element_symbols().size()), key_.end());
  sizes.lengths.assign(lengths.begin(), lengths.end());
  ++instantiations_;
  ProfileSpan span(param_.profile, SampleKind::instantiate);
  Segment& segment = enter_profile(cache_.add(key_, instantiate(*program_, param_.target, sizes, instantiate_options())));
  span.set_segment(segment.profile_number);
  return segment;
}

InstantiateOptions DavinciModel::instantiate_options() const {
  InstantiateOptions options;
  options.max_memory_bytes = param_.max_memory_bytes;
  options.cancel = &cancel_;
  options.keep_notes = param_.profile != nullptr;
  return options;
}

/// A new segment is told of. Its notes belong to the profile, which outlives the cache's entry.
Segment& DavinciModel::enter_profile(Segment& segment) const {
  if (param_.on_segment) param_.on_segment(*segment.plan);
  if (param_.profile != nullptr) segment.profile_number = param_.profile->add_segment(std::move(segment.plan->notes));
  return segment;
}

/// What decided how the run goes on is the key: the elements of the cut values, or the dims of the dynamic outputs.
Segment& DavinciModel::next_segment(Segment& segment) {
  const Instantiation& plan = *segment.plan;
  next_key_.clear();
  if (plan.cut == CutKind::content) {
    for (const CutValue& cut : plan.cut_values) {
      const auto* data = reinterpret_cast<const char*>(bases_[cut.allocation] + cut.offset);
      next_key_.append(data, static_cast<size_t>(cut.size_bytes));
    }
  } else {
    for (size_t i = 0; i < plan.dynamic_outputs.size(); ++i) {
      next_key_.append(reinterpret_cast<const char*>(dynamic_dims_[i].data()), dynamic_dims_[i].size() * sizeof(int64_t));
      next_key_.push_back('|');
    }
  }
  if (const auto it = segment.next.find(next_key_); it != segment.next.end()) return *it->second;
  ++instantiations_;
  ProfileSpan span(param_.profile, SampleKind::instantiate);
  const auto enter = [&](std::unique_ptr<Instantiation> next) -> Segment& {
    Segment& entered = enter_profile(keep_next(segment, std::move(next)));
    span.set_segment(entered.profile_number);
    return entered;
  };
  const InstantiateOptions options = instantiate_options();
  if (plan.cut == CutKind::dims) return enter(resume(*program_, param_.target, plan, std::span<const std::vector<int64_t>>(dynamic_dims_), options));
  std::vector<Tensor> contents;
  for (const CutValue& cut : plan.cut_values)
    contents.push_back(Tensor::copy_of(cut.dtype, cut.dims, {bases_[cut.allocation] + cut.offset, static_cast<size_t>(cut.size_bytes)}));
  return enter(resume(*program_, param_.target, plan, contents, options));
}

/// A run that goes on and on (a loop whose condition only the run knows) does not fill memory with its segments: past
/// the cache's bound each lives only until the next one is made.
Segment& DavinciModel::keep_next(Segment& segment, std::unique_ptr<Instantiation> next) {
  if (!transient_ && !cache_.full()) return cache_.add_next(segment, next_key_, std::move(next));
  transient_ = std::make_unique<Segment>(std::move(next));
  return *transient_;
}

std::byte* DavinciModel::base_of(const Allocation& allocation, const TaskList& list) {
  // The tasks never write through inputs and constants; one pointer type serves all slots.
  switch (allocation.kind) {
    case AllocationKind::weights: return const_cast<std::byte*>(program_->file().weights().data());
    case AllocationKind::string_constant: return const_cast<std::byte*>(program_->constant(allocation.index).bytes().data());
    case AllocationKind::list_constants: return const_cast<std::byte*>(list.constants.data());
    case AllocationKind::arena: return arena_.data();
    case AllocationKind::input: return const_cast<std::byte*>(io_.input_address(allocation.index));
    case AllocationKind::output: return io_.output_address(allocation.index);
    case AllocationKind::kept: return kept_[allocation.index].data();
    case AllocationKind::string_pool: return reinterpret_cast<std::byte*>(static_cast<StringPool*>(&strings_));
  }
  return nullptr;
}

void DavinciModel::run_segment(Segment& segment, Outputs outputs) {
  const Instantiation& plan = *segment.plan;
  for (const OutputLength& length : plan.output_lengths) {
    outputs.values[length.output].present = length.length >= 0;
    outputs.values[length.output].tensors.resize(static_cast<size_t>(std::max<int64_t>(length.length, 0)));
  }
  for (const SegmentOutput& output : plan.outputs) io_.provide_output(output, outputs.at(output));
  for (const KeptBuffer& kept : plan.kept) {
    while (kept_.size() <= kept.slot) kept_.emplace_back(device_);
    kept_[kept.slot].reserve(kept.size_bytes);
  }
  for (const DynamicOutput& dynamic : plan.dynamic_outputs)
    while (kept_.size() <= dynamic.kept_slot) kept_.emplace_back(device_);
  arena_.reserve(plan.list.arena_bytes);
  if (param_.poison) device_.fill(arena_.data(), *param_.poison, arena_.size_bytes());

  bases_.resize(plan.list.allocations.size());
  for (size_t id = 0; id < bases_.size(); ++id) bases_[id] = base_of(plan.list.allocations[id], plan.list);
  const uint64_t written_before = segment.args.counters().slots_rewritten;
  segment.args.update(bases_);
  slots_rewritten_ += segment.args.counters().slots_rewritten - written_before;

  DynamicOutputs dynamic(*this, plan);
  RunResult result;
  {
    const ProfileSpan span(param_.profile, SampleKind::segment, segment.profile_number);
    result = device_.execute(plan.list, segment.args.block(), {*param_.runner, &cancel_, &dynamic, param_.profile, segment.profile_number});
  }
  if (result.status != Status::ok) raise_failure(segment, result);
  ++segments_last_run_;
  tasks_last_run_ += plan.list.tasks.size();
  arena_bytes_ = std::max(arena_bytes_, plan.list.arena_bytes);
  arena_lower_bound_ = std::max(arena_lower_bound_, plan.list.arena_lower_bound_bytes);
  for (const auto& part : plan.ops_by_engine) {
    auto it = std::find_if(ops_by_engine_.begin(), ops_by_engine_.end(), [&](const auto& entry) { return entry.first == part.first; });
    if (it == ops_by_engine_.end()) it = ops_by_engine_.insert(it, {part.first, 0});
    it->second += part.second;
  }
}

void DavinciModel::raise_failure(const Segment& segment, RunResult result) const {
  const uint32_t op = segment.plan->list.tasks[result.task].op;
  const std::string where = op == UINT32_MAX ? "copying an output" : program_->op(op).node;
  throw Error(ErrorCode::run_failed, where + ": " + to_string(result.status));
}

DavinciModel::Statistics DavinciModel::statistics() const {
  Statistics s;
  s.cache = cache_.counters();
  s.instantiations = instantiations_;
  s.runs = runs_;
  s.slots_rewritten = slots_rewritten_;
  s.inputs_copied = io_.inputs_copied();
  s.segments_last_run = segments_last_run_;
  s.tasks_last_run = tasks_last_run_;
  s.arena_bytes = arena_bytes_;
  s.arena_lower_bound_bytes = arena_lower_bound_;
  s.weights_bytes = static_cast<int64_t>(program_->file().weights().size());
  for (const auto& [engine, count] : ops_by_engine_)
    if (count != 0) s.ops_by_engine.emplace_back(std::string(engine), count);
  return s;
}

}  // namespace ge
