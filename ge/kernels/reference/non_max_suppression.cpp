// NonMaxSuppression (ONNX 11): of the boxes of each image and class, from the best score down (of equal scores the first box
// first), those are selected whose overlap with each one selected before is at most iou_threshold, up to
// max_output_boxes_per_class; y[selected, 3] has image, class and box. Boxes that score no more than score_threshold are left
// out; scores that are NaN rank last.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct SuppressionArgs {
  const float *boxes, *scores;
  const int64_t* most;
  const float *iou_threshold, *score_threshold;  ///< these three may be null
  int64_t* order;  ///< by image and class: box numbers; the selected ones come first in the end
  int64_t* found;  ///< by image and class: how many are selected
  bool by_centre;
  int64_t images, classes, count;
};

struct Box {
  double low[2], high[2];
  double area() const { return (high[0] - low[0]) * (high[1] - low[1]); }
};

/// From any two opposite corners, or centre and size.
Box read_box(const SuppressionArgs& a, int64_t number) {
  const float* box = a.boxes + number * 4;
  Box out;
  for (int i = 0; i < 2; ++i) {
    const double first = static_cast<double>(box[i]), second = static_cast<double>(box[i + 2]);
    out.low[i] = a.by_centre ? first - second / 2 : std::min(first, second);
    out.high[i] = a.by_centre ? first + second / 2 : std::max(first, second);
  }
  return out;
}

/// Intersection over union of two boxes; 0 where there is no intersection or a box has no area.
double overlap(const Box& a, const Box& b) {
  double common = 1;
  for (int i = 0; i < 2; ++i) {
    const double length = std::min(a.high[i], b.high[i]) - std::max(a.low[i], b.low[i]);
    if (!(length > 0)) return 0;
    common *= length;
  }
  const double both = a.area() + b.area() - common;
  return a.area() > 0 && b.area() > 0 && both > 0 ? common / both : 0;
}

/// Moves the selected boxes of one image and class to the front of `order`; returns their number.
int64_t select_boxes(const SuppressionArgs& a, int64_t first_box, const float* scores, int64_t* order, int64_t most) {
  int64_t candidates = 0, selected = 0;
  for (int64_t i = 0; i < a.count; ++i)
    if (a.score_threshold == nullptr || scores[i] > *a.score_threshold) order[candidates++] = i;
  const auto better = [&](int64_t i, int64_t j) {
    const bool i_counts = !std::isnan(scores[i]), j_counts = !std::isnan(scores[j]);
    if (i_counts != j_counts) return i_counts;
    return i_counts && scores[i] != scores[j] ? scores[i] > scores[j] : i < j;
  };
  std::sort(order, order + candidates, better);
  const double threshold = a.iou_threshold == nullptr ? 0 : static_cast<double>(*a.iou_threshold);
  for (int64_t i = 0; i < candidates && selected < most; ++i) {
    const Box box = read_box(a, first_box + order[i]);
    const auto covers = [&](int64_t other) { return overlap(box, read_box(a, first_box + other)) > threshold; };
    if (std::none_of(order, order + selected, covers)) order[selected++] = order[i];
  }
  return selected;
}

Status run_suppression(const void* block, OutputAllocator& outputs) noexcept {
  const auto& a = *static_cast<const SuppressionArgs*>(block);
  const int64_t groups = a.images * a.classes, most = a.most == nullptr ? 0 : *a.most;
  int64_t total = 0;
  for (int64_t group = 0; group < groups; ++group)
    total += a.found[group] = select_boxes(a, group / a.classes * a.count, a.scores + group * a.count, a.order + group * a.count, most);
  const int64_t dims[] = {total, 3};
  auto* y = reinterpret_cast<int64_t*>(outputs.allocate(0, dims));
  if (y == nullptr) return Status::out_of_memory;
  for (int64_t group = 0; group < groups; ++group)
    for (int64_t i = 0; i < a.found[group]; ++i) *y++ = group / a.classes, *y++ = group % a.classes, *y++ = a.order[group * a.count + i];
  return Status::ok;
}

void prepare_suppression(const KernelSite& site, TaskBuilder& builder) {
  const auto boxes = site.inputs[0].dims, scores = site.inputs[1].dims;
  SuppressionArgs args{};
  args.by_centre = site.attributes.get_int("center_point_box", 0) == 1;
  // Without boxes nothing is selected, however many classes there are.
  args.count = boxes[1], args.images = boxes[0], args.classes = args.count == 0 ? 0 : scores[1];
  using Args = SuppressionArgs;
  auto task = builder.append_dynamic(run_suppression, args);
  task.input(&Args::boxes, 0).input(&Args::scores, 1);
  const auto given = [&](size_t i) { return site.has_input(i) && site.inputs[i].count > 0; };
  if (given(2)) task.input(&Args::most, 2);
  if (given(3)) task.input(&Args::iou_threshold, 3);
  if (given(4)) task.input(&Args::score_threshold, 4);
  task.workspace(&Args::order, site.inputs[1].count * static_cast<int64_t>(sizeof(int64_t)));
  task.workspace(&Args::found, args.images * args.classes * static_cast<int64_t>(sizeof(int64_t)));
}

REGISTER_CPU_KERNEL("reference", "", "NonMaxSuppression", "", "the best boxes that do not overlap a better one", {.prepare = prepare_suppression});

}  // namespace
}  // namespace ge::reference
