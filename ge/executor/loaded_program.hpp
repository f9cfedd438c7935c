#pragma once
#include "ge/kernels/kernel.hpp"
#include "ge/model/om.hpp"
#include "ge/ops/schema.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ge {

struct WalkOp;

/// A model file made ready to instantiate: attributes decoded, schemas and kernels looked up, last uses known. Built
/// once at load, immutable, shared by all instances of the file. Thread-safe.
class GE_API LoadedProgram {
 public:
  /// `engines`: names of the engines to use, empty for all that are linked in. Throws Error(unsupported) naming the
  /// node when an op has no schema or no kernel here.
  LoadedProgram(std::shared_ptr<const OmFile> file, const std::vector<std::string>& engines);

  const Program& program() const { return file_->program(); }
  const OmFile& file() const { return *file_; }

  struct Op {
    Attributes attributes;
    const OpSchema* schema = nullptr;
    const WalkOp* walk = nullptr;        ///< how the walk does this op, where it does
    std::vector<const Kernel*> kernels;  ///< best first; of the op that `walk` names, where it names one
    std::string node;                    ///< "node 'name' (Op)"
  };
  const Op& op(uint32_t row) const { return ops_[row]; }

  /// Bytes of constant row `row`, and the constant as a tensor of its stored dims.
  const Tensor& constant(uint32_t row) const { return constants_[row]; }

  /// Index of the last op of range `range` that reads `value`, itself or in its bodies; UINT32_MAX when the range gives
  /// it as an output; nullopt when nothing there reads it.
  std::optional<uint32_t> last_use(uint32_t range, uint32_t value) const;
  const std::unordered_map<uint32_t, uint32_t>& uses(uint32_t range) const { return uses_[range]; }

  /// Whether an input or an output is a sequence or an optional.
  bool has_composite_ports() const { return has_composite_ports_; }

  /// Symbols bound by elements of inputs: part of the key of an instantiation.
  const std::vector<uint32_t>& element_symbols() const { return element_symbols_; }

 private:
  void find_uses(uint32_t range);

  std::shared_ptr<const OmFile> file_;
  std::vector<Op> ops_;
  std::vector<Tensor> constants_;
  std::vector<std::unordered_map<uint32_t, uint32_t>> uses_;
  std::vector<uint32_t> element_symbols_;
  bool has_composite_ports_ = false;
};

}  // namespace ge
