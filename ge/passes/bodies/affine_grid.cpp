// AffineGrid (ONNX 20): theta[N,n,n+1] applied to the points of an n-dimensional grid from -1 to 1 (n is 2 or 3). The
// first coordinate of a point is that of the last axis: (x, y), grid[N,H,W,2]; (x, y, z), grid[N,D,H,W,3].
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

/// The coordinates of `count` points: centres of as many pixels from -1 to 1, or the first at -1 and the last at 1 (one
/// point is at -1).
Term coordinates(FunctionBody& body, Term count, bool corners, DType dtype) {
  const Term i = body.cast(body.count_to(count), dtype);
  if (!corners) return (i * 2.0 + 1.0) / body.cast(count, dtype) - 1.0;
  return i * 2.0 / body.cast(body.op("Max", {count - body.ints({1}), body.ints({1})}), dtype) - 1.0;
}

Term grid_over(FunctionBody& body, Term theta, Term size, int64_t axes) {
  const bool corners = body.integer("align_corners") != 0;
  std::vector<int64_t> points;  // theta's column [N,n] as [N,1,…,1,n]
  for (int64_t axis = 1; axis <= axes; ++axis) points.push_back(axis);
  const auto column = [&](int64_t k) { return body.unsqueeze(body.squeeze(body.slice(theta, 2, k, k + 1), {2}), points); };
  Term grid = column(axes);
  for (int64_t k = 0; k < axes; ++k) {
    const Term along = coordinates(body, body.slice(size, 0, 1 + axes - k, 2 + axes - k), corners, theta.dtype());
    std::vector<int64_t> behind;  // the axes behind this one, and that of the coordinates
    for (int64_t axis = 1; axis <= k + 1; ++axis) behind.push_back(axis);
    grid = grid + body.unsqueeze(along, behind) * column(k);
  }
  return grid;
}

std::vector<Term> build_affine_grid(FunctionBody& body) {
  const Term theta = body.cast(body.in(0), wide_float(body.in(0).dtype())), size = body.in(1);
  const auto over = [&](int64_t axes) {
    return [axes](FunctionBody& inner, const std::vector<Term>& in) { return std::vector{grid_over(inner, in[0], in[1], axes)}; };
  };
  const TensorType& type = body.graph().type(size.ref());
  Term grid;
  if (type.has_rank() && type.rank() == 1 && (*type.shape)[0].is_constant())
    grid = grid_over(body, theta, size, (*type.shape)[0].value() - 2);
  else
    grid = body.branch(body.op("Equal", {body.op("Size", {size}), body.scalar(int64_t{4})}), {theta, size}, over(2), over(3)).front();
  return {body.cast(grid, body.in(0).dtype())};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "AffineGrid", "the sum of theta's columns times coordinates", ge::build_affine_grid);
