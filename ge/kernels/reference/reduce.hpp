#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <vector>

namespace ge::reference {

// Reductions: an op is a state of two numbers, a step that takes a block of elements in, and what the state gives in
// the end. Floats accumulate in double (more than CR-9 asks for), integers in 64 bits, wrapping.

template <class T>
struct Reduction {
  using Step = void (*)(T* state, const T* block, int64_t count) noexcept;
  using Finish = T (*)(const T* state, int64_t count) noexcept;
  Step step = nullptr;
  Finish finish = nullptr;
  T initial[2] = {};
};

/// The reduced axes (true) of a tensor of that rank: `axes` is input 1 where present, else all, or none with
/// noop_with_empty_axes (ONNX Reduce ops, opset 18).
std::vector<bool> reduced_axes(const KernelSite& site);

/// Appends the task: output element i is the reduction over the reduced axes of input 0, in row-major order of the rest.
template <class T>
void append_reduction(const KernelSite& site, TaskBuilder& builder, const Reduction<T>& reduction);

}  // namespace ge::reference
