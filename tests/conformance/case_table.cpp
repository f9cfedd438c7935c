#include "conformance/case_table.hpp"

#include "conformance/case_rules.hpp"
#include "conformance/workers.hpp"
#include "ge/base/error.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace ge::conformance {
namespace {

/// How the error begins that says of an operator that no kernel takes its dtypes.
constexpr std::string_view no_kernel = "no linked kernel runs ";

/// The case's ops, and whether it is run. A model that cannot be read is a failure.
CaseResult look_at(const OnnxCase& c, const RunPlan& plan) {
  CaseResult result{c, Outcome::passed, "", {}, false, {}};
  const auto skip = [&](std::string reason) { result.outcome = Outcome::skipped, result.skipped_because = std::move(reason); };
  const auto fail = [&](const std::string& why) { result.outcome = Outcome::failed, result.texts.fill(why); };
  try {
    const ModelOperators model = c.only_url ? ModelOperators{} : read_model_operators(c.model());
    for (const auto& [domain, op] : model.ops)
      if (domain.empty()) result.ops.insert(op);
    const auto missing = missing_operator(model);
    if (auto reason = skip_reason(c, model)) skip(*reason);
    else if (missing && is_required(*missing)) fail("operator " + *missing + ", which is required, is not linked in");
    else if (missing && plan.allow_missing) skip("not there yet: operator " + *missing);
    else if (missing) fail("operator " + *missing + " is not linked in");
    else if (const auto not_yet = plan.allow_missing ? not_yet_reason(model) : std::nullopt) skip("not there yet: " + *not_yet);
    else result.ran = true;
  } catch (const Error& error) {
    fail("model.onnx cannot be read: " + std::string(error.what()));
  }
  return result;
}

Judging judging_of(const CaseResult& result) {
  const OnnxCase& c = result.onnx;
  const Wider wider = wider_tolerance(c);
  return {std::max(c.rtol, wider.rtol), std::max(c.atol, wider.atol), random_rule(c, result.ops)};
}

std::string om_file(const RunPlan& plan, size_t i, const char* kind) { return plan.work_folder + "/" + std::to_string(i) + kind; }

void compile_and_run(std::vector<CaseResult>& results, const RunPlan& plan) {
  std::vector<std::vector<std::string>> requests;
  std::vector<size_t> of;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].ran) continue;
    const OnnxCase& c = results[i].onnx;
    requests.push_back({c.folder, om_file(plan, i, ".om"), om_file(plan, i, "_symbolic.om"), judging_of(results[i]).to_line()});
    of.push_back(i);
  }
  const auto answers = ask_workers({plan.self, "--worker"}, plan.jobs, plan.limit_s, requests);
  for (size_t k = 0; k < answers.size(); ++k) {
    WayTexts& texts = results[of[k]].texts;
    if (answers[k].fields.size() == texts.size()) std::ranges::copy(answers[k].fields, texts.begin());
    else texts.fill(answers[k].fields.empty() || answers[k].fields[0].empty() ? "the worker gave no answer" : answers[k].fields[0]);
  }
}

void run_symbolic(std::vector<CaseResult>& results, const RunPlan& plan) {
  std::vector<std::vector<std::string>> requests;
  std::vector<size_t> of;
  for (size_t i = 0; i < results.size(); ++i) {
    const OnnxCase& c = results[i].onnx;
    if (!results[i].ran || !results[i].texts[static_cast<size_t>(Way::symbolic)].empty()) continue;
    requests.push_back({om_file(plan, i, "_symbolic.om"), c.folder, judging_of(results[i]).to_line()});
    of.push_back(i);
  }
  const auto answers = ask_workers({plan.run_files}, plan.jobs, plan.limit_s, requests);
  for (size_t k = 0; k < answers.size(); ++k)
    results[of[k]].texts[static_cast<size_t>(Way::symbolic)] = answers[k].fields.size() == 1 ? answers[k].fields[0] : "the worker gave no answer";
}

std::string shortened(const std::string& text) { return text.size() <= 600 ? text : text.substr(0, 600) + " …"; }

void print_failure(const CaseResult& result) {
  std::printf("FAILED %s\n", result.onnx.title().c_str());
  for (size_t way = 0; way < result.texts.size(); ++way) {
    if (result.texts[way].empty()) continue;
    const auto first = std::ranges::find(result.texts, result.texts[way]);
    if (static_cast<size_t>(first - result.texts.begin()) != way) continue;  // the same as above
    std::printf("    (%c) %s\n", static_cast<char>('a' + way), shortened(result.texts[way]).c_str());
  }
}

}  // namespace

std::vector<CaseResult> run_cases(const std::vector<OnnxCase>& cases, const RunPlan& plan) {
  std::vector<CaseResult> results;
  for (const OnnxCase& c : cases) results.push_back(look_at(c, plan));
  compile_and_run(results, plan);
  run_symbolic(results, plan);
  for (CaseResult& result : results) {
    if (!result.ran || std::ranges::all_of(result.texts, &std::string::empty)) continue;
    result.outcome = Outcome::failed;
    // "no linked kernel runs Cast(int2); …"
    const std::string& text = result.texts[0];
    if (!plan.allow_missing || !text.starts_with(no_kernel)) continue;
    result.outcome = Outcome::skipped;
    result.skipped_because = "not there yet: a kernel for " + text.substr(no_kernel.size(), text.find(';') - no_kernel.size());
    result.ran = false;
  }
  return results;
}

int print_results(const std::vector<CaseResult>& results, bool whole) {
  size_t counts[3] = {};
  std::map<std::string, size_t> reasons;
  std::set<std::string> ran;
  for (const CaseResult& result : results) {
    ++counts[static_cast<size_t>(result.outcome)];
    if (result.outcome == Outcome::failed) print_failure(result);
    if (result.outcome == Outcome::skipped) ++reasons[result.skipped_because];
    if (result.ran) ran.insert(result.ops.begin(), result.ops.end());
  }
  size_t failed = counts[static_cast<size_t>(Outcome::failed)];
  if (whole)
    for (const std::string& op : required_but_not_run(ran)) {
      std::printf("FAILED operator %s is required, but none of its cases ran\n", op.c_str());
      ++failed;
    }
  if (std::ranges::none_of(results, &CaseResult::ran)) {  // a case may have no operator of ai.onnx
    std::printf("FAILED no case ran\n");
    failed += failed == 0;
  }
  for (const auto& [reason, count] : reasons) std::printf("skipped: %4zu %s\n", count, reason.c_str());
  for (size_t way = 0; way < way_names.size(); ++way) {
    const auto right = std::ranges::count_if(results, [&](const CaseResult& r) { return r.ran && r.texts[way].empty(); });
    const auto wrong = std::ranges::count_if(results, [&](const CaseResult& r) { return r.ran && !r.texts[way].empty(); });
    std::printf("(%c) %-72s %5td right %4td wrong\n", static_cast<char>('a' + way), way_names[way], right, wrong);
  }
  std::printf("%zu passed, %zu failed, %zu skipped\n", counts[static_cast<size_t>(Outcome::passed)], failed, counts[static_cast<size_t>(Outcome::skipped)]);
  return failed == 0 ? 0 : 1;
}

}  // namespace ge::conformance
