#pragma once
#include "ge/import/json/value.hpp"

namespace ge::json {

/// Arrays and objects within each other are refused beyond this depth.
inline constexpr size_t max_nesting = 64;

/// Puts the events of a parser on a tape.
class TapeBuilder {
 public:
  explicit TapeBuilder(MemoryBudget& budget) : budget_(budget) {}
  ~TapeBuilder();
  TapeBuilder(const TapeBuilder&) = delete;
  TapeBuilder& operator=(const TapeBuilder&) = delete;

  void scalar(Kind kind, uint64_t value);
  void characters(Kind kind, std::string_view text);
  void open(Kind kind);
  void close();
  /// One whole value is there.
  bool complete() const { return !tape_.tokens.empty() && open_.empty(); }
  Value value() const { return {tape_, 0}; }
  void clear();

 private:
  void add(Kind kind, uint64_t at, uint64_t size);
  template <class Container>
  void reserve(Container& container, size_t more);

  MemoryBudget& budget_;
  Tape tape_;
  std::vector<uint32_t> open_;  ///< arrays and objects that have begun
};

}  // namespace ge::json
