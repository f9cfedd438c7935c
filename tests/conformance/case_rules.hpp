#pragma once
#include "conformance/model_operators.hpp"
#include "conformance/onnx_case.hpp"

#include <optional>
#include <set>
#include <string>

// What a run of the cases may leave out, and what it must not.
namespace ge::conformance {

/// Why a case is not run, whatever is linked in: training, image decoding, models that are only
/// addresses, data that contradicts its model. nullopt: it must run.
std::optional<std::string> skip_reason(const OnnxCase& c, const ModelOperators& model);

/// An operator of the model that no component which is linked in can run; nullopt when all are there.
std::optional<std::string> missing_operator(const ModelOperators& model);

/// Why a case whose operators are all there cannot run yet (--allow_missing).
std::optional<std::string> not_yet_reason(const ModelOperators& model);

/// How the outputs of a case that draws random numbers are judged (Judging::random); "" for all others.
std::string random_rule(const OnnxCase& c, const std::set<std::string>& ops);

/// Tolerances for a case whose expected outputs are not as precise as ONNX's runner takes for granted; 0 for others.
struct Wider {
  double rtol = 0, atol = 0;
};
Wider wider_tolerance(const OnnxCase& c);

/// May never be missing, even where others may (--allow_missing).
bool is_required(const std::string& op);
/// The required operators of which `ran` has none, so that cases which got lost are noticed.
std::set<std::string> required_but_not_run(const std::set<std::string>& ran);

}  // namespace ge::conformance
