#pragma once
#include "ge/graph/graph.hpp"

namespace ge {

/// A graph as list scheduling sees it: who waits for whom, and what memory each node takes and gives back. Rows are by
/// node id; those of dead nodes are empty. Plain data, read by several orders; thread-safe.
class GE_API Schedule {
 public:
  explicit Schedule(const Graph& graph);

  uint32_t node_count() const { return static_cast<uint32_t>(predecessors_.size()); }
  bool live(uint32_t node) const { return live_[node]; }

  // Distinct nodes, ascending.
  std::span<const uint32_t> predecessors(uint32_t node) const { return predecessors_.of(node); }
  std::span<const uint32_t> successors(uint32_t node) const { return successors_.of(node); }

  // Storages: memory that one value or several views of it live in.
  size_t storage_count() const { return bytes_.size(); }
  /// Rounded to 64, with each symbol at a nominal size; 0 for what takes no place in the arena (inputs, constants, known
  /// elements, the model's own outputs, unknown ranks).
  int64_t bytes(uint32_t storage) const { return bytes_[storage]; }
  std::span<const uint32_t> made_by(uint32_t node) const { return makes_.of(node); }
  std::span<const uint32_t> read_by(uint32_t node) const { return reads_.of(node); }  ///< distinct, views looked through
  /// Nodes that read it, and one more for storages that live to the end.
  uint32_t reader_count(uint32_t storage) const { return readers_[storage]; }
  /// Sum of the ids of its readers: when one is left, what is left of the sum is its id.
  uint64_t reader_sum(uint32_t storage) const { return reader_sums_[storage]; }
  bool lasts(uint32_t storage) const { return lasts_[storage]; }
  /// Whether the node can write its first output over an input of the same size.
  bool in_place(uint32_t node) const { return in_place_[node]; }

  /// The largest sum of live bytes when the nodes run in this order.
  int64_t peak(std::span<const uint32_t> order) const;
  /// No order has a smaller peak than the largest sum of what one node reads and makes.
  int64_t unavoidable() const;

 private:
  /// Lists of numbers, one per row.
  class Rows {
   public:
    std::span<const uint32_t> of(uint32_t row) const { return {items_.data() + begin_[row], begin_[row + 1] - begin_[row]}; }
    size_t size() const { return begin_.size() - 1; }
    /// As many rows, in which row r lists the rows here that r stands in.
    Rows turned_round() const;
    void append(std::span<const uint32_t> row) {
      items_.insert(items_.end(), row.begin(), row.end());
      begin_.push_back(static_cast<uint32_t>(items_.size()));
    }

   private:
    std::vector<uint32_t> begin_{0}, items_;
  };
  void add_edges(const Graph& graph);
  void add_storages(const Graph& graph);
  int64_t credit(uint32_t node, std::span<const uint32_t> remaining) const;

  std::vector<uint8_t> live_, in_place_, lasts_;
  Rows predecessors_, successors_, makes_, reads_;
  std::vector<int64_t> bytes_;
  std::vector<uint32_t> readers_;
  std::vector<uint64_t> reader_sums_;
};

/// Among the nodes that are ready always the one that takes least and gives back most; of equal ones the first by id, or
/// the one that became ready last.
enum class Tie : uint8_t { by_id, latest };
GE_API std::vector<uint32_t> order_greedily(const Schedule& schedule, Tie tie);

/// From the results backwards, one subtree after the other, those first that need much and leave little (Sethi and Ullman
/// 1970, doi 10.1145/321607.321620, with bytes for registers; what several read counts for the first). `by_dependence` is
/// any valid order of all live nodes.
GE_API std::vector<uint32_t> order_by_subtrees(const Schedule& schedule, std::span<const uint32_t> by_dependence);

}  // namespace ge
