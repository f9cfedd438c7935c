#pragma once
#include "ge/base/value.hpp"
#include "ge/executor/static/davinci_model.hpp"
#include "tools/data_sets.hpp"

#include <map>
#include <string>
#include <vector>

// What is right, as ONNX's own runner sees it. Run side only.
namespace ge::conformance {

/// How the outputs of a case are judged.
struct Judging {
  double rtol = 1e-3, atol = 1e-7;
  /// "" compares with the expected outputs. For operators that draw random numbers dtype and dims alone are compared, and:
  /// "zero_or_one" every element is 0 or 1; "dropout" every element is 0 or the input's, scaled; "finite" nothing else.
  std::string random;

  /// Four words in one line, for a request to another process.
  std::string to_line() const;
  static Judging from_line(const std::string& line);
};

/// One data set: what goes in by input and what must come out.
struct GivenSet {
  std::string name;
  std::vector<Value> inputs;
  std::vector<Value> expected;
};

/// The data sets of a case, with the model's dtypes for those that older files store as others (bfloat16). Throws Error
/// when there is none, or when the number of files is not that of the model's inputs and outputs.
std::vector<GivenSet> read_given_sets(const std::string& folder, const DavinciModel& model);

/// Runs a model once; copies of its outputs. Throws Error.
std::vector<Value> run_once(DavinciModel& model, const std::vector<Value>& inputs);

/// Bit by bit.
bool equal(const Value& a, const Value& b);

/// "" when the outputs are right, else the first thing that is wrong with each output.
std::string judge(const std::vector<Value>& got, const GivenSet& set, const Judging& judging);

}  // namespace ge::conformance
