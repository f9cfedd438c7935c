#pragma once
#include "ge/import/json/tape_builder.hpp"

#include <functional>
#include <string_view>

namespace ge::json {

/// What a reader of a graph document is told, in the document's order. A value is valid during the call.
class DocumentEvents {
 public:
  virtual ~DocumentEvents() = default;
  /// A member of the document that is not one of the lists below, or has another form.
  virtual void member(std::string_view key, Value value) = 0;
  virtual void symbol(size_t index, Value value) = 0;
  virtual void expression(size_t index, Value value) = 0;
  virtual void begin_graph(size_t index) = 0;
  virtual void graph_member(std::string_view key, Value value) = 0;
  virtual void node(size_t index, Value value) = 0;
  virtual void end_graph() = 0;
  /// The document is no object, or an item of "graphs" is none.
  virtual void no_object(std::string_view place, Value value) = 0;
};

/// Parses the text piece by piece: a node at a time is held, not the document. Throws Error(invalid_model) with line and
/// column where the text is no JSON.
void read_document(std::string_view text, MemoryBudget& budget, DocumentEvents& events);

/// Parses a whole text and shows its value.
void read_whole(std::string_view text, MemoryBudget& budget, const std::function<void(Value)>& visit);

}  // namespace ge::json
