#include "ge/import/json/document.hpp"

#include <nlohmann/json.hpp>

namespace ge::json {
namespace {

using Parser = nlohmann::json;

[[noreturn]] void refuse(const nlohmann::detail::exception& error) {
  std::string what = error.what();
  if (const size_t bracket = what.find("] "); bracket != std::string::npos) what.erase(0, bracket + 2);
  constexpr size_t longest = 300;
  if (what.size() > longest) what = what.substr(0, longest) + "…";
  throw Error(ErrorCode::invalid_model, "the text is not JSON: " + what);
}

/// Names the numbers and strings of the parser's events as tape tokens; `Receiver` gets scalar(), characters(), open(),
/// close() and key().
template <class Receiver>
class Events : public nlohmann::json_sax<Parser> {
 public:
  explicit Events(Receiver& receiver) : receiver_(receiver) {}
  bool null() override { return receiver_.scalar(Kind::null, 0), true; }
  bool boolean(bool value) override { return receiver_.scalar(Kind::boolean, value), true; }
  bool number_integer(int64_t value) override { return receiver_.scalar(Kind::integer, static_cast<uint64_t>(value)), true; }
  bool number_unsigned(uint64_t value) override { return receiver_.scalar(value <= INT64_MAX ? Kind::integer : Kind::large, value), true; }
  bool number_float(double, const std::string& text) override { return receiver_.characters(Kind::real, text), true; }
  bool string(std::string& text) override { return receiver_.characters(Kind::string, text), true; }
  bool binary(Parser::binary_t&) override { return false; }  // not in text
  bool start_object(size_t) override { return receiver_.open(Kind::object), true; }
  bool end_object() override { return receiver_.close(), true; }
  bool start_array(size_t) override { return receiver_.open(Kind::array), true; }
  bool end_array() override { return receiver_.close(), true; }
  bool key(std::string& text) override { return receiver_.characters(Kind::key, text), true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override { refuse(error); }

 private:
  Receiver& receiver_;
};

template <class Receiver>
void parse(std::string_view text, Receiver& receiver) {
  Events<Receiver> events(receiver);
  try {
    Parser::sax_parse(text.begin(), text.end(), &events);
  } catch (const nlohmann::detail::exception& error) {
    refuse(error);  // a number beyond double, which the parser does not report as an event
  }
}

/// Knows the levels of a document; what lies below them goes on the tape, value by value.
class Levels {
 public:
  Levels(MemoryBudget& budget, DocumentEvents& events) : tape_(budget), events_(events) {}

  void scalar(Kind kind, uint64_t value) {
    tape_.scalar(kind, value);
    finish();
  }
  void characters(Kind kind, std::string_view text) {
    if (kind == Kind::key && !taping()) {
      (level_ == Level::graph ? graph_key_ : key_) = text;
      return;
    }
    tape_.characters(kind, text);
    finish();
  }
  void open(Kind kind) {
    if (!taping() && enter(kind)) return;
    in_context([&] { return "reading " + place(); }, [&] { tape_.open(kind); });
    ++depth_;
  }
  void close() {
    if (!taping()) return leave();
    tape_.close();
    --depth_;
    finish();
  }

 private:
  enum class Level { outside, document, symbols, expressions, graphs, graph, nodes };

  bool taping() const { return depth_ > 0; }

  void go(Level level) {
    level_ = level;
    index_ = 0;
  }

  std::string place() const {
    const std::string graph = "graphs[" + std::to_string(graph_index_) + "]";
    switch (level_) {
      case Level::outside: return "the document";
      case Level::document: return key_;
      case Level::graphs: return graph;
      case Level::graph: return graph + "." + graph_key_;
      case Level::nodes: return graph + ".nodes[" + std::to_string(index_) + "]";
      default: return key_ + "[" + std::to_string(index_) + "]";
    }
  }

  /// Lists are read as they come: a second one could not be told from the first.
  void enter_once(bool& entered) {
    if (entered) throw Error(ErrorCode::invalid_model, place() + ": this key stands twice");
    entered = true;
  }

  /// Whether the array or object is a level of the document.
  bool enter(Kind kind) {
    const bool object = kind == Kind::object;
    switch (level_) {
      case Level::outside:
        if (object) go(Level::document);
        return object;
      case Level::document:
        if (object || (key_ != "symbols" && key_ != "expressions" && key_ != "graphs")) return false;
        enter_once(key_ == "symbols" ? symbols_ : key_ == "expressions" ? expressions_ : graphs_);
        go(key_ == "symbols" ? Level::symbols : key_ == "expressions" ? Level::expressions : Level::graphs);
        return true;
      case Level::graphs:
        if (!object) return false;
        events_.begin_graph(graph_index_);
        nodes_ = false;
        go(Level::graph);
        return true;
      case Level::graph:
        if (object || graph_key_ != "nodes") return false;
        enter_once(nodes_);
        go(Level::nodes);
        return true;
      default: return false;
    }
  }

  void leave() {
    switch (level_) {
      case Level::symbols:
      case Level::expressions:
      case Level::graphs: return go(Level::document);
      case Level::nodes: return go(Level::graph);
      case Level::graph:
        events_.end_graph();
        ++graph_index_;
        return go(Level::graphs);
      default: return go(Level::outside);
    }
  }

  void finish() {
    if (taping()) return;
    const Value value = tape_.value();
    switch (level_) {
      case Level::outside: events_.no_object("", value); break;
      case Level::document: events_.member(key_, value); break;
      case Level::symbols: events_.symbol(index_++, value); break;
      case Level::expressions: events_.expression(index_++, value); break;
      case Level::graphs: events_.no_object("graphs[" + std::to_string(graph_index_++) + "]", value); break;
      case Level::graph: events_.graph_member(graph_key_, value); break;
      case Level::nodes: events_.node(index_++, value); break;
    }
    tape_.clear();
  }

  TapeBuilder tape_;
  DocumentEvents& events_;
  Level level_ = Level::outside;
  std::string key_, graph_key_;
  size_t index_ = 0, graph_index_ = 0;
  bool symbols_ = false, expressions_ = false, graphs_ = false, nodes_ = false;  ///< lists that have been entered
  size_t depth_ = 0;  ///< open arrays and objects on the tape
};

}  // namespace

void read_document(std::string_view text, MemoryBudget& budget, DocumentEvents& events) {
  Levels levels(budget, events);
  parse(text, levels);
}

void read_whole(std::string_view text, MemoryBudget& budget, const std::function<void(Value)>& visit) {
  TapeBuilder tape(budget);
  parse(text, tape);
  visit(tape.value());
}

}  // namespace ge::json
