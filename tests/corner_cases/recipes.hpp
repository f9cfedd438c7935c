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
      {"Col2Im", "N,4,4 {3,3} {2,2}"},
      {"Compress", "A,B {1,0}"},
      {"ConstantOfShape", "{2,0,3}"},
      {"Conv", "N,C,H,W M,C,K,L M pads=1,1,1,1"},
      {"ConvTranspose", "N,C,H,W C,M,K,L M"},
      {"CumProd", "A,B,C {1}"},
      {"CumSum", "A,B,C {1}"},
      {"DeformConv", "N,C,H,W M,C,1,1 N,2,H,W M"},
      {"DepthToSpace", "N,4,H,W blocksize=2"},
      {"Einsum", "A,B B,C equation=ij,jk->ik"},
      {"Expand", "A,1,C {1,2,1}"},
      {"EyeLike", "A,B"},
      {"GatherND", "A,B,C D,2"},
      {"Gemm", "M,K K,N N"},
      {"GlobalAveragePool", "N,C,H,W"},
      {"GlobalLpPool", "N,C,H,W"},
      {"GlobalMaxPool", "N,C,H,W"},
      {"GroupNormalization", "N,2,H 2 2 num_groups=2"},
      {"GRU", "S,B,I 1,6,I 1,6,2 1,12 B 1,B,2 hidden_size=2"},
      {"InstanceNormalization", "N,C,H C C"},
      {"LayerNormalization", "A,B,C C C"},
      {"LpPool", "N,C,H,W kernel_shape=2,2 pads=1,1,0,0"},
      {"LRN", "N,C,H,W size=3"},
      {"LSTM", "S,B,I 1,8,I 1,8,2 1,16 B 1,B,2 1,B,2 1,6 hidden_size=2"},
      {"MatMul", "A,M,K K,N"},
      {"MaxPool", "N,C,H,W kernel_shape=2,2 pads=1,1,0,0"},
      {"MaxRoiPool", "N,C,H,W R,5 pooled_shape=1,1"},
      {"MelWeightMatrix", "{0} {8} {16} {0} {4}"},
      {"NonMaxSuppression", "N,B,4 N,C,B {3}"},
      {"OneHot", "A,B {3} 2"},
      {"Pad", "A,B {1,0,0,2}"},
      {"PRelu", "A,B,C C"},
      {"RandomNormal", "shape=2,0"},
      {"RandomUniform", "shape=0,3"},
      {"Range", "{3} {3} {1}"},
      {"Reshape", "A,B {0,-1}"},
      {"Resize", "A,B _ _ {2,0}"},
      {"ReverseSequence", "S,B,I B"},
      {"RMSNormalization", "A,B,C C"},
      {"RNN", "S,B,I 1,2,I 1,2,2 1,4 B 1,B,2 hidden_size=2"},
      {"RoiAlign", "N,C,H,W R,4 R"},
      {"ScatterElements", "A,B C,D C,D"},
      {"ScatterND", "A,B,C D,1 D,B,C"},
      {"Slice", "A,B,C {0,1} {9,-1} {0,2} {1,2}"},
      {"SpaceToDepth", "N,C,2,2 blocksize=2"},
      {"Split", "A,B num_outputs=1"},
      {"Squeeze", "A,1,B"},
      {"STFT", "N,8,1 {2} 4 {4}"},
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
