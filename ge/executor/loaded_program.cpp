#include "ge/executor/loaded_program.hpp"

#include "ge/executor/walk_ops.hpp"

#include <algorithm>

namespace ge {

LoadedProgram::LoadedProgram(std::shared_ptr<const OmFile> file, const std::vector<std::string>& engine_names) : file_(std::move(file)) {
  for (const std::string& name : engine_names) engines().at(name);
  const Program& p = program();
  for (uint32_t row = 0; row < p.constants.size(); ++row) constants_.push_back(file_->constant(row));
  std::unordered_map<std::string, std::vector<const Kernel*>> found;
  for (const OpRow& row : p.ops) {
    Op op;
    const std::string_view domain = p.text_of(row.domain), name = p.text_of(row.op);
    op.node = "node '" + std::string(p.text_of(row.name)) + "' (" + op_key(domain, name) + ")";
    op.attributes = read_attributes(p, row, file_->weights(), file_);
    op.schema = find_schema(domain, name);
    if (op.schema == nullptr) throw Error(ErrorCode::unsupported, op.node + ": this op is not linked in; link the component that registers it");
    op.walk = find_walk_op(domain, name);
    if (op.schema->by_walk && op.walk == nullptr)
      throw Error(ErrorCode::unsupported, op.node + ": this op is to be done while a program is instantiated, but this executor does not know it");
    const std::string_view kernel_op = op.walk != nullptr ? op.walk->kernels_of : name;
    const auto [it, fresh] = found.try_emplace(op_key(domain, kernel_op));
    if (fresh && !kernel_op.empty()) {
      it->second = kernels_of(domain, kernel_op);
      if (!engine_names.empty())
        std::erase_if(it->second, [&](const Kernel* k) { return std::find(engine_names.begin(), engine_names.end(), k->engine) == engine_names.end(); });
    }
    op.kernels = it->second;
    if (op.kernels.empty() && op.schema->control_flow == ControlFlow::none && !kernel_op.empty())
      throw Error(ErrorCode::unsupported, op.node + ": no kernel for this op is linked in; link a kernel component (ge-kernels-reference has all of ONNX's)");
    ops_.push_back(std::move(op));
  }
  for (const auto ports : {p.inputs, p.outputs})
    for (const PortRow& port : ports) has_composite_ports_ |= p.kind_of(port.value) != ValueKind::tensor;
  uses_.resize(p.ranges.size());
  find_uses(0);
  for (uint32_t s = 0; s < p.symbols.size(); ++s)
    if (p.symbols[s].source == SymbolSource::input_element) element_symbols_.push_back(s);
}

void LoadedProgram::find_uses(uint32_t range) {
  const Program& p = program();
  const RangeRow& row = p.ranges[range];
  auto& uses = uses_[range];
  for (uint32_t i = 0; i < row.ops.count; ++i) {
    const OpRow& op = p.ops[row.ops.first + i];
    for (uint32_t value : p.operands_of(op.inputs))
      if (value != no_index) uses[value] = i;
    for (uint32_t body : p.operands_of(op.bodies)) {
      find_uses(body);
      for (const auto& [value, last] : uses_[body]) uses[value] = i;
    }
  }
  for (uint32_t value : p.operands_of(row.outputs)) uses[value] = UINT32_MAX;
  if (range == 0)
    for (const PortRow& port : p.outputs) uses[port.value] = UINT32_MAX;
}

std::optional<uint32_t> LoadedProgram::last_use(uint32_t range, uint32_t value) const {
  const auto it = uses_[range].find(value);
  if (it == uses_[range].end()) return std::nullopt;
  return it->second;
}

}  // namespace ge
