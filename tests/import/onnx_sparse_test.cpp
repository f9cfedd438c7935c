#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

Tensor floats(std::vector<int64_t> dims, std::vector<float> values) { return Tensor::from<float>(DType::float32, std::move(dims), values); }
Tensor ints(std::vector<int64_t> dims, std::vector<int64_t> values) { return Tensor::from<int64_t>(DType::int64, std::move(dims), values); }
/// SparseTensorProto
ProtoBytes sparse(const Tensor& values, const Tensor& indices, const std::vector<int64_t>& dims) {
  ProtoBytes p;
  p.message(1, tensor_proto("w", values)).message(2, tensor_proto("", indices));
  for (const int64_t dim : dims) p.integer(3, dim);
  return p;
}
OnnxModel constant(const ProtoBytes& tensor) {
  OnnxGraph g;
  g.node(OnnxNode("Constant", {}, {"y"}).name("c").attribute(OnnxNode::start("sparse_value", 11).message(22, tensor)));
  return OnnxModel(g.output("y")).opset(25);
}
Tensor imported(const OnnxModel& model) {
  const auto graph = import_onnx(model);
  return *graph->constant_value(graph->outputs()[0]);
}

}  // namespace

TEST_CASE("a sparse Constant is read with its zeros", "[import][CR-1]") {
  const Tensor dense = floats({2, 3}, {0, 5, 0, 0, 0, 7});
  CHECK(imported(constant(sparse(floats({2}, {5, 7}), ints({2}, {1, 5}), {2, 3}))) == dense);
  CHECK(imported(constant(sparse(floats({2}, {5, 7}), ints({2, 2}, {0, 1, 1, 2}), {2, 3}))) == dense);
  CHECK(imported(constant(sparse(floats({0}, {}), ints({0}, {}), {2}))) == floats({2}, {0, 0}));
  CHECK(imported(constant(ProtoBytes().message(1, tensor_proto("w", floats({0}, {}))).integer(3, 2))) == floats({2}, {0, 0}));
}

TEST_CASE("a sparse initializer is read with its zeros", "[import][CR-1]") {
  OnnxGraph g;
  CHECK(imported(OnnxModel(g.sparse_initializer(sparse(floats({1}, {4}), ints({1}, {2}), {3})).output("w")).opset(21)) == floats({3}, {0, 0, 4}));
}

TEST_CASE("sparse tensors that do not fit together are findings", "[import][CR-1][CR-10]") {
  const auto error = [](const ProtoBytes& tensor) { return import_error(constant(tensor)); };
  const Tensor two = floats({2}, {5, 7});
  CHECK_THAT(error(sparse(two, ints({2}, {1, 6}), {2, 3})), Contains("node 'c' (Constant)") && Contains("index 6 is out of range, expected 0 to 5"));
  CHECK_THAT(error(sparse(two, ints({2}, {-1, 0}), {2, 3})), Contains("index -1 is out of range"));
  CHECK_THAT(error(sparse(two, ints({2, 2}, {0, 1, 2, 0}), {2, 3})), Contains("index 2 is out of range, expected 0 to 1 on axis 0"));
  CHECK_THAT(error(sparse(two, ints({3}, {0, 1, 2}), {2, 3})), Contains("int64[3]") && Contains("2 coordinates for each of 2 values"));
  CHECK_THAT(error(sparse(two, floats({2}, {0, 1}), {2, 3})), Contains("float32[2]"));
  CHECK_THAT(error(sparse(floats({2, 1}, {5, 7}), ints({2}, {0, 1}), {2, 3})), Contains("expected one axis"));
  CHECK_THAT(error(sparse(two, ints({2}, {0, 1}), {INT64_MAX, 3})), Contains("64-bit size"));
  CHECK_THAT(error(sparse(two, ints({2}, {0, 1}), {int64_t{1} << 40})), Contains("store it densely"));
  CHECK_THAT(error(sparse(two, ints({2}, {0, 1}), {-1})), Contains("64-bit size"));
  CHECK_THAT(error(sparse(Tensor::strings({1}, {"a"}), ints({1}, {0}), {2})), Contains("string"));
}
