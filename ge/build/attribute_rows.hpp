#pragma once
#include "ge/build/table_writer.hpp"

namespace ge {

/// Writes attributes and constants as rows.
class AttributeRows {
 public:
  AttributeRows(TableWriter& writer, GeModel& model) : writer_(writer), model_(model) {}
  RowRange write(const Attributes& attributes);
  /// Appends a constant; returns its row.
  uint32_t add_constant(const Tensor& tensor, const std::string& packing);

 private:
  AttributeRow row(const Attributes::Item& item);

  TableWriter& writer_;
  GeModel& model_;
};

}  // namespace ge
