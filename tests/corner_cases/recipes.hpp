#pragma once
#include <map>
#include <string>
#include <string_view>

namespace ge::testing {

/// The inputs of an op whose shapes must fit each other, and the attributes that it needs. Inputs stand between blanks,
/// dims between commas: a letter is a size, the same wherever it stands, a number itself, "-" a scalar. "{1,2}" are
/// elements: a list of integers. Attributes follow as name=1, name=1,2 or name=TEXT.
/// Ops that are not listed get inputs of one shape, or of shapes that broadcast.
inline std::string_view recipe(const std::string& op) {
  static const std::map<std::string, std::string_view> recipes = {
      {"AveragePool", "N,C,H,W kernel_shape=2,2 pads=1,1,0,0"},
      {"BatchNormalization", "N,C,H C C C C"},
      {"BitShift", "A,B A,B direction=LEFT"},
      {"Cast", "A,B to=1"},
      {"ConstantOfShape", "{2,0,3}"},
      {"Conv", "N,C,H,W M,C,K,L M pads=1,1,1,1"},
      {"ConvTranspose", "N,C,H,W C,M,K,L M"},
      {"CumProd", "A,B,C {1}"},
      {"CumSum", "A,B,C {1}"},
      {"DepthToSpace", "N,4,H,W blocksize=2"},
      {"Expand", "A,1,C {1,2,1}"},
      {"EyeLike", "A,B"},
      {"GatherND", "A,B,C D,2"},
      {"Gemm", "M,K K,N N"},
      {"GlobalAveragePool", "N,C,H,W"},
      {"GlobalLpPool", "N,C,H,W"},
      {"GlobalMaxPool", "N,C,H,W"},
      {"GRU", "S,B,I 1,6,I 1,6,2 1,12 B 1,B,2 hidden_size=2"},
      {"GroupNormalization", "N,2,H 2 2 num_groups=2"},
      {"InstanceNormalization", "N,C,H C C"},
      {"LayerNormalization", "A,B,C C C"},
      {"LRN", "N,C,H,W size=3"},
      {"LSTM", "S,B,I 1,8,I 1,8,2 1,16 B 1,B,2 1,B,2 1,6 hidden_size=2"},
      {"LpPool", "N,C,H,W kernel_shape=2,2 pads=1,1,0,0"},
      {"MatMul", "A,M,K K,N"},
      {"MaxPool", "N,C,H,W kernel_shape=2,2 pads=1,1,0,0"},
      {"OneHot", "A,B {3} 2"},
      {"Pad", "A,B {1,0,0,2}"},
      {"PRelu", "A,B,C C"},
      {"Range", "{3} {3} {1}"},
      {"Resize", "A,B _ _ {2,0}"},
      {"Reshape", "A,B {0,-1}"},
      {"RMSNormalization", "A,B,C C"},
      {"RNN", "S,B,I 1,2,I 1,2,2 1,4 B 1,B,2 hidden_size=2"},
      {"ScatterElements", "A,B C,D C,D"},
      {"ScatterND", "A,B,C D,1 D,B,C"},
      {"Slice", "A,B,C {0,1} {9,-1} {0,2} {1,2}"},
      {"SpaceToDepth", "N,C,2,2 blocksize=2"},
      {"Split", "A,B num_outputs=1"},
      {"Squeeze", "A,1,B"},
      {"Tile", "A,B {2,1}"},
      {"TopK", "A,B {1}"},
      {"Trilu", "A,B,C {0}"},
      {"Unsqueeze", "A,B {1}"},
      {"Where", "A,B A,B A,B"},
  };
  const auto found = recipes.find(op);
  return found == recipes.end() ? std::string_view() : found->second;
}

}  // namespace ge::testing
