#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <cstddef>

namespace ge::reference {

// Ops that move elements and never look into them: everything is done by element size, so all dtypes of whole bytes are
// served alike (a string is a 16-byte StringRef).

/// Copies `count` elements; steps in elements. The ranges do not overlap.
using CopyElements = void (*)(std::byte* to, int64_t to_step, const std::byte* from, int64_t from_step, int64_t count) noexcept;
/// For elements of 1, 2, 4, 8 or 16 bytes. Throws Error(unsupported) for other sizes (types of less than a byte).
CopyElements copier(int64_t element_size);

/// Elements of a box from one layout to another; steps and first offsets in elements.
struct Layout {
  Strides strides;
  int64_t first = 0;
};
/// Where a copied box comes from and goes to.
struct CopyEnds {
  size_t input = 0, output = 0;
};
/// Appends a task that copies a box of `dims` elements from `from` in an input to `to` in an output. Nothing is
/// appended for an empty box.
void append_copy(TaskBuilder& builder, DType dtype, const Dims& dims, const Layout& from, const Layout& to, CopyEnds ends = {});

/// Whether the elements of a box of `dims` lie in one piece, in their own order, under these steps.
bool in_one_piece(const Dims& dims, const Strides& strides);

/// Copies between two layouts of rank up to 2 * max_rank.
using CopyNest = LoopNest<2, 2 * static_cast<int>(max_rank)>;
/// The general form: operand 0 of the nest is the destination, operand 1 the source.
void append_copy(TaskBuilder& builder, DType dtype, CopyNest nest, int64_t to_first, int64_t from_first, CopyEnds ends = {});

}  // namespace ge::reference
