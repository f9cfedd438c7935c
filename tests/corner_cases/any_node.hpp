#pragma once
#include "executor/model_case.hpp"

#include <map>
#include <random>

// A node of any op, with inputs that its schema allows and that inference often takes: sizes of 0 and 1, rank 0, open
// dims, absent optional inputs, integers that are out of range now and then.
namespace ge::testing {

/// What a draw is about.
enum class Stress {
  no_elements,  ///< one size of the inputs is 0
  rank_0,       ///< all inputs are scalars
  ones,         ///< every size is 1
  wild,         ///< sizes 0 to 4, integers and attributes of any value
};

struct DrawnNode {
  std::string text;  ///< op, dtypes, dims and attributes, to be shown
  std::vector<Tensor> inputs;
  std::map<std::string, int64_t> symbols;  ///< what the inputs' dims and elements are called, and their values
  bool has_elements = true;  ///< no input has a size of 0
};

/// Draws a node of `schema` into a model and names its outputs. The same seed gives the same node.
DrawnNode draw_node(ModelCase& model, const OpSchema& schema, Stress stress, uint32_t seed);

}  // namespace ge::testing
