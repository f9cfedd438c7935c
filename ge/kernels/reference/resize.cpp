#include "ge/kernels/reference/resize.hpp"

#include "ge/kernels/reference/component.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ge::reference {

std::vector<ResizeAxis> read_resize_axes(const KernelSite& site, const ResizeRule& rule) {
  const auto input = site.inputs[0].dims, output = site.outputs[0].dims;
  const auto given = [&](size_t i) { return site.has_input(i) && site.inputs[i].count > 0; };
  std::vector<ResizeAxis> all(input.size());
  for (size_t i = 0; i < all.size(); ++i) all[i].input = input[i], all[i].output = output[i], all[i].length = static_cast<double>(output[i]);

  std::vector<int64_t> axes = site.attributes.get_ints("axes");
  if (!site.attributes.has("axes")) {
    axes.resize(all.size());
    std::iota(axes.begin(), axes.end(), int64_t{0});
  }
  const bool crop = rule.coordinates == ResizeRule::Coordinates::tf_crop_and_resize;
  const std::vector<double> scales = given(2) ? site.input_doubles(2) : std::vector<double>();
  const std::vector<int64_t> sizes = given(3) ? site.input_ints(3) : std::vector<int64_t>();
  const std::vector<double> roi = crop && given(1) ? site.input_doubles(1) : std::vector<double>();
  const auto check = [&](const char* what, size_t found, size_t expected) {
    if (found != expected)
      throw Error(ErrorCode::invalid_model, std::string(what) + " has " + std::to_string(found) + " elements, expected " + std::to_string(expected));
  };
  if (given(2)) check("scales", scales.size(), axes.size());
  if (given(3)) check("sizes", sizes.size(), axes.size());
  if (!roi.empty()) check("roi", roi.size(), 2 * axes.size());
  if (scales.empty() == sizes.empty() && !axes.empty())
    throw Error(ErrorCode::invalid_model, std::string("Resize has ") + (scales.empty() ? "neither" : "both") + " scales and sizes, expected exactly one of them");

  // keep_aspect_ratio_policy: one scale for all axes, the least or the greatest that sizes ask for.
  const std::string policy = site.attributes.get_string("keep_aspect_ratio_policy", "stretch");
  double common = 0;
  for (size_t i = 0; i < sizes.size() && policy != "stretch"; ++i) {
    const double scale = static_cast<double>(sizes[i]) / static_cast<double>(input[static_cast<size_t>(normal_axis(axes[i], static_cast<int32_t>(all.size())))]);
    common = i == 0 ? scale : policy == "not_larger" ? std::min(common, scale) : std::max(common, scale);
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = all[static_cast<size_t>(normal_axis(axes[i], static_cast<int32_t>(all.size())))];
    if (!roi.empty()) axis.roi_begin = roi[i], axis.roi_end = roi[axes.size() + i];
    if (!scales.empty()) {
      axis.scale = scales[i];
      axis.length = static_cast<double>(axis.input) * axis.scale;
    } else if (policy != "stretch") {
      axis.scale = common;
      axis.length = static_cast<double>(axis.input) * common;  // Resize-19: the width is a fraction where a scale gives it
    } else {
      axis.scale = static_cast<double>(sizes[i]) / static_cast<double>(axis.input);
    }
    if (!(axis.scale > 0) && axis.output > 0)
      throw Error(ErrorCode::invalid_model, "the scale of axis " + std::to_string(axes[i]) + " is " + std::to_string(axis.scale) + ", expected more than 0");
    axis.identity = axis.scale == 1 && axis.input == axis.output && !(crop && (axis.roi_begin != 0 || axis.roi_end != 1));
  }
  return all;
}

ResizeTable make_resize_table(const ResizeRule& rule, const std::vector<ResizeAxis>& axes) {
  std::vector<ResizeAxis> joined;
  for (const ResizeAxis& axis : axes) {
    if (!joined.empty() && axis.identity && joined.back().identity)
      joined.back().input = joined.back().output = joined.back().input * axis.input;
    else
      joined.push_back(axis);
  }
  if (joined.empty()) joined.push_back({});
  ResizeTable table;
  table.rank = static_cast<int32_t>(joined.size());
  table.last_is_identity = joined.back().identity;
  int64_t step = 1;
  for (size_t i = joined.size(); i-- > 0;) {
    const ResizeAxis& axis = joined[i];
    table.output[i] = axis.output;
    table.start[i] = static_cast<int64_t>(table.first.size());
    // The last axis of an identity is copied in runs and needs no taps.
    for (int64_t p = 0; p < axis.output && !(axis.identity && i + 1 == joined.size()); ++p) {
      table.first.push_back(static_cast<int64_t>(table.taps.size()));
      for (const ResizeTap& tap : resize_taps(rule, axis, p)) table.taps.push_back({tap.position * step, tap.weight});
    }
    table.first.push_back(static_cast<int64_t>(table.taps.size()));
    step *= axis.input;
  }
  return table;
}

namespace {

bool supports_resize(const KernelQuery& query) {
  // Copying needs whole bytes; weighing needs numbers.
  const DType dtype = query.inputs[0];
  // Outside of a cropped image extrapolation_value is written, a number.
  if (query.attributes.get_string("coordinate_transformation_mode", "") == "tf_crop_and_resize") return contains(convertible, dtype);
  return query.attributes.get_string("mode", "nearest") == "nearest" ? element_size(dtype) > 0 : contains(convertible, component_of(dtype));
}

/// Resize-19 (and its tf_half_pixel_for_nn of opset 11).
void prepare_resize(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  if (site.inputs[0].count == 0)
    throw Error(ErrorCode::invalid_model, "Resize makes " + dims_to_string(site.outputs[0].dims) + " from an input without elements, " +
                                              dims_to_string(site.inputs[0].dims));
  const ResizeRule rule = read_resize_rule(site.attributes);
  std::vector<ResizeAxis> axes = read_resize_axes(site, rule);
  const DType component = component_of(site.inputs[0].dtype);
  if (rule.mode != ResizeRule::Mode::nearest && component != site.inputs[0].dtype) {
    axes.emplace_back();  // the two parts of a complex number: an axis that stays as it is
    axes.back().input = axes.back().output = 2;
  }
  const ResizeTable table = make_resize_table(rule, axes);
  if (rule.mode == ResizeRule::Mode::nearest)
    append_resize_nearest(site, table, builder);
  else
    append_resize_interpolate(site, table, component, axes.empty() ? 1 : axes.back().input, builder);
}

REGISTER_CPU_KERNEL("reference", "", "Resize", "", "every mode of Resize-19, any number of axes", {.supports = supports_resize, .prepare = prepare_resize});

}  // namespace
}  // namespace ge::reference
