#include "tools/command_line.hpp"
#include "tools/operator_table.hpp"

#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/pass.hpp"
#include "ge/session/compile.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace ge::tools {
namespace {

constexpr std::string_view help = R"(Usage: ge-list WHAT
       ge-list ops --json

Prints what is linked into these programs, sorted, one line each:
  ops          operators with the opsets of ONNX models that are taken, the engines that run them, and the dtypes;
               --json: all of their schemas
  kernels      operators with the engines that run them, of one operator the first asked first
  passes       graph passes with their place: they run by ascending number
  engines      sets of kernels with their priority: the highest is asked first
  stages       stages of a compile, for --stop_after
  lowerings, partitioners, placers   (none in this version)

Example: ge-list kernels | grep Conv
Exit codes: 0 done, 2 wrong usage.
)";

using Row = std::vector<std::string>;

/// Columns as wide as their longest cell; the last one is free.
void print(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      line += row[c];
      if (c + 1 < row.size()) line.append(widths[c] - row[c].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}

void list_ops() {
  std::vector<Row> rows;
  for (const OperatorRow& op : operator_table()) {
    std::string engines, types;
    for (const std::string& engine : op.engines) engines += (engines.empty() ? "" : ",") + engine;
    for (const auto& [label, set] : op.types) types += (types.empty() ? "" : "; ") + label + ": " + set;
    rows.push_back({op.key, op.domain.empty() ? "ai.onnx" : op.domain, op.first == 0 ? "-" : std::to_string(op.first) + "-" + std::to_string(op.last),
                    engines.empty() ? "-" : engines, op.becomes.empty() ? types : "becomes " + op.becomes});
  }
  print(rows);
}

/// Sorted by op; of one op, in the order in which they are asked.
void list_kernels() {
  std::map<const Kernel*, std::string> docs;
  std::map<std::string, std::pair<std::string, std::string>> ops;  // domain, op
  for (const Registered& item : kernels().list()) {
    const Kernel& kernel = kernels().at(item.key);
    docs[&kernel] = item.doc;
    ops[op_key(kernel.domain, kernel.op)] = {kernel.domain, kernel.op};
  }
  std::vector<Row> rows;
  for (const auto& [key, op] : ops)
    for (const Kernel* kernel : kernels_of(op.first, op.second))
      rows.push_back({key, kernel->engine + (kernel->variant.empty() ? "" : "/" + kernel->variant), docs[kernel]});
  print(rows);
}

/// With the number that decides what comes first.
template <class Value, class Number>
void list_with_number(const Registry<Value>& registry, Number number_of) {
  std::vector<Row> rows;
  for (const Registered& item : registry.list()) rows.push_back({item.key, std::to_string(number_of(registry.at(item.key))), item.doc});
  print(rows);
}

void list_stages() {
  static constexpr const char* docs[] = {"reads the model file", "finds dtypes and shapes", "optimises the graph", "changes nothing in this version",
                                         "changes nothing in this version", "changes nothing in this version", "makes the program: flat tables and constants",
                                         "writes the model file"};
  static_assert(std::size(docs) == static_cast<size_t>(CompileStage::model) + 1);
  std::vector<Row> rows;
  for (size_t i = 0; i < stage_names().size(); ++i) rows.push_back({std::string(stage_names()[i]), docs[i]});
  print(rows);
}

int list(std::span<const char* const> arguments) {
  const std::string_view what = arguments.size() == 1 ? arguments[0] : "";
  if (arguments.size() == 2 && std::string_view(arguments[0]) == "ops" && std::string_view(arguments[1]) == "--json") std::fputs(operators_json().c_str(), stdout);
  else if (what == "--help" || what == "-h") std::fwrite(help.data(), 1, help.size(), stdout);
  else if (what == "ops") list_ops();
  else if (what == "kernels") list_kernels();
  else if (what == "passes") list_with_number(passes(), [](const Pass& pass) { return pass.order; });
  else if (what == "engines") list_with_number(engines(), [](const Engine& engine) { return engine.priority; });
  else if (what == "stages") list_stages();
  else if (what == "lowerings" || what == "partitioners" || what == "placers") std::printf("none in this version\n");
  else
    throw UsageError((arguments.size() == 1 ? "unknown list '" + std::string(what) + "'" : std::string("expected one argument")) +
                     "; ask for one of ops, kernels, passes, engines, stages, lowerings, partitioners, placers");
  return 0;
}

}  // namespace
}  // namespace ge::tools

int main(int argc, char** argv) { return ge::tools::run_program("ge-list", ge::tools::list, argc, argv); }
