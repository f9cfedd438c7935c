#pragma once
#include "ge/base/diagnostics.hpp"
#include "ge/import/json/value.hpp"

#include <optional>
#include <span>

namespace ge::json {

/// Where a value stands: "graphs[0].nodes[3].inputs[0]". A chain on the stack; text is made only for a finding.
class Place {
 public:
  explicit Place(std::string_view key) : key_(key) {}
  Place(const Place& outer, std::string_view key) : outer_(&outer), key_(key) {}
  Place(const Place& outer, size_t index) : outer_(&outer), index_(index) {}
  std::string text() const;

 private:
  const Place* outer_ = nullptr;
  std::string_view key_;
  size_t index_ = SIZE_MAX;
};

/// What is wrong with a document. Reading goes on after a finding, but not after too many.
class Findings {
 public:
  explicit Findings(std::string title) : title_(std::move(title)) {}
  void add(const Place& place, std::string what) { add(place.text(), std::move(what)); }
  void add(std::string where, std::string what);
  /// "found 12, expected a string"
  void expected(const Place& place, Value found, std::string_view expected);
  bool any() const { return !diagnostics_.empty(); }
  /// Throws Error(invalid_model) with all findings; returns when there are none.
  void raise_if_any() const { diagnostics_.raise_if_any(ErrorCode::invalid_model, title_); }

  /// The members of an object by `known` keys. Keys that are not known, or stand twice, are findings. False, with a
  /// finding, when `value` is no object.
  bool members(const Place& place, Value value, std::span<const std::string_view> known, std::span<std::optional<Value>> found);

 private:
  std::string title_;
  Diagnostics diagnostics_;
};

}  // namespace ge::json
