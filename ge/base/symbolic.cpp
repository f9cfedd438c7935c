// SymbolTable: symbols, the arena of nodes, and hash-consing.

#include "ge/base/symbolic.hpp"

#include "ge/base/error.hpp"
#include "ge/base/symbolic_internal.hpp"

#include <algorithm>
#include <map>
#include <new>

namespace ge {

using detail::ExprNode;

namespace {

struct NodeKey {
  ExprKind kind;
  bool opaque;
  int64_t value;
  std::span<const Expr> operands;
};

uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

// Hashes ids, not addresses: the order of everything stays the same from run to run.
uint32_t hash_of(const NodeKey& key) {
  uint64_t h = mix(static_cast<uint64_t>(key.kind) * 2 + key.opaque, static_cast<uint64_t>(key.value));
  for (Expr e : key.operands) h = mix(h, e.id());
  return static_cast<uint32_t>(h ^ (h >> 32));
}

bool matches(const ExprNode& node, const NodeKey& key) {
  return node.kind == key.kind && node.opaque == key.opaque && node.value == key.value &&
         std::equal(key.operands.begin(), key.operands.end(), node.operands, node.operands + node.operand_count);
}

/// Open addressing, linear probing, at most half full. Hashes stand beside the pointers, so probing and growing
/// touch no node that does not match.
class NodeSet {
 public:
  /// The place of the key's node; null there means that the node is missing: set it and call count_one().
  const ExprNode*& slot(const NodeKey& key, uint32_t hash) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at].node && !(slots_[at].hash == hash && matches(*slots_[at].node, key)))
      at = (at + 1) & (slots_.size() - 1);
    slots_[at].hash = hash;
    return slots_[at].node;
  }
  void count_one() { ++count_; }

 private:
  struct Slot {
    const ExprNode* node = nullptr;
    uint32_t hash = 0;
  };

  void grow() {
    std::vector<Slot> old(std::max<size_t>(256, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.node) continue;
      size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].node) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }
  std::vector<Slot> slots_;
  size_t count_ = 0;
};

}  // namespace

struct SymbolTable::State {
  std::pmr::monotonic_buffer_resource arena;
  NodeSet nodes;
  std::vector<Expr> symbols;
  std::vector<std::string_view> names;            // by symbol id, in the arena
  std::map<std::string_view, uint32_t> by_name;   // symbol id
  std::map<std::string_view, uint64_t> suffixes;  // last one tried, per asked name
  uint32_t next_id = 0;
};

namespace detail {

struct TableAccess {
  static std::string_view name(const SymbolTable& table, uint32_t symbol) { return table.state_->names[symbol]; }

  static Expr find_or_create(SymbolTable& table, const NodeKey& key, Bounds known_bounds) {
    SymbolTable::State& state = *table.state_;
    const uint32_t hash = hash_of(key);
    const ExprNode*& slot = state.nodes.slot(key, hash);
    if (slot) return Expr(slot);
    if (state.next_id == UINT32_MAX) throw Error(ErrorCode::out_of_memory, "a symbol table is full: 2^32 expressions");
    const bool leaf = key.operands.empty();
    auto* node = new (state.arena.allocate(sizeof(ExprNode), alignof(ExprNode)))
        ExprNode{&table,          copy_operands(state.arena, key.operands),
                 key.value,       leaf ? known_bounds : bounds_of(key.kind, key.operands),
                 state.next_id++, static_cast<uint32_t>(key.operands.size()),
                 key.kind,        key.opaque};
    slot = node;
    state.nodes.count_one();
    return Expr(node);
  }

  static bool opaque(Expr e) { return e.node().opaque; }

 private:
  static const Expr* copy_operands(std::pmr::memory_resource& arena, std::span<const Expr> operands) {
    if (operands.empty()) return nullptr;
    auto* copy = static_cast<Expr*>(arena.allocate(operands.size_bytes(), alignof(Expr)));
    std::uninitialized_copy(operands.begin(), operands.end(), copy);
    return copy;
  }
};

/// An end at the limit of int64_t is no value but "unbounded".
static bool has_one_value(Bounds b) { return b.lo == b.hi && b.lo != INT64_MIN && b.hi != INT64_MAX; }

Expr intern(ExprKind kind, std::span<const Expr> operands, bool opaque) {
  SymbolTable& table = operands.front().table();
  const Expr e = TableAccess::find_or_create(table, {kind, opaque, 0, operands}, {});
  // Sums and products stay, so that (N + 1) - 1 is N for a symbol with one possible value too.
  return kind != ExprKind::add && kind != ExprKind::mul && has_one_value(e.bounds()) ? table.constant(e.bounds().lo)
                                                                                     : e;
}

Expr intern(ExprKind kind, Expr a, Expr b, bool opaque) {
  const Expr operands[] = {a, b};
  return intern(kind, operands, opaque);
}

bool is_opaque(Expr e) { return TableAccess::opaque(e); }

void check_operand(Expr a) {
  if (!a) throw Error(ErrorCode::invalid_argument, "an operand of a symbolic expression is absent (a null Expr)");
}

void check_operands(Expr a, Expr b) {
  check_operand(a);
  check_operand(b);
  if (&a.table() != &b.table())
    throw Error(ErrorCode::invalid_argument,
                "operands of two symbol tables cannot be combined: " + to_string(a) + " and " + to_string(b));
}

}  // namespace detail

SymbolTable& Expr::table() const {
  detail::check_operand(*this);
  return *node().table;
}

std::string_view Expr::symbol_name() const { return detail::TableAccess::name(table(), symbol_id()); }

SymbolTable::SymbolTable() : state_(std::make_unique<State>()) {}
SymbolTable::~SymbolTable() = default;

Expr SymbolTable::constant(int64_t value) {
  return detail::TableAccess::find_or_create(*this, {ExprKind::constant, false, value, {}}, {value, value});
}

Expr SymbolTable::symbol(std::string_view name, Bounds bounds) {
  State& state = *state_;
  if (bounds.lo > bounds.hi)
    throw Error(ErrorCode::invalid_argument, "the bounds of symbol '" + std::string(name) + "' are empty: [" +
                                                 std::to_string(bounds.lo) + ", " + std::to_string(bounds.hi) + "]");
  const auto keep = [&state](std::string_view text) {
    auto* copy = static_cast<char*>(state.arena.allocate(text.size(), 1));
    std::copy(text.begin(), text.end(), copy);
    return std::string_view(copy, text.size());
  };
  std::string unique(name.empty() ? "s" : name);
  if (state.by_name.contains(unique)) {
    auto counter = state.suffixes.find(unique);
    if (counter == state.suffixes.end()) counter = state.suffixes.emplace(keep(unique), 0).first;
    do unique = std::string(counter->first) + "_" + std::to_string(++counter->second);
    while (state.by_name.contains(unique));
  }
  const auto id = static_cast<uint32_t>(state.symbols.size());
  const std::string_view kept = keep(unique);
  const Expr created = detail::TableAccess::find_or_create(*this, {ExprKind::symbol, false, id, {}}, bounds);
  state.symbols.push_back(created);
  state.names.push_back(kept);
  state.by_name.emplace(kept, id);
  return created;
}

Expr SymbolTable::find_symbol(std::string_view name) const {
  const auto found = state_->by_name.find(name);
  return found == state_->by_name.end() ? Expr() : state_->symbols[found->second];
}

uint32_t SymbolTable::symbol_count() const { return static_cast<uint32_t>(state_->symbols.size()); }

Expr SymbolTable::symbol_by_id(uint32_t id) const {
  if (id >= symbol_count())
    throw Error(ErrorCode::invalid_argument,
                "there is no symbol " + std::to_string(id) + ": the table has " + std::to_string(symbol_count()));
  return state_->symbols[id];
}

size_t SymbolTable::node_count() const { return state_->next_id; }

}  // namespace ge
