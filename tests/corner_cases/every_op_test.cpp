// Every registered op on tensors without elements, on scalars and on what does not fit: the walk ends with an Error or
// with outputs of the dims that inference said. Under sanitizers this shows that no kernel reads or writes out of bounds,
// divides by zero or shifts too far, whatever its inputs are.
#include "corner_cases/any_node.hpp"
#include "corner_cases/recipes.hpp"

#include <cstdlib>

using namespace ge;
using namespace ge::testing;

namespace {

uint32_t first_seed() {
  const char* text = std::getenv("GE_TEST_SEED");  // to repeat a failure
  return text == nullptr ? 1 : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

std::optional<int64_t> expected_dim(const SymbolTable& table, Expr dim, const std::map<std::string, int64_t>& symbols) {
  return evaluate(dim, [&](uint32_t id) -> std::optional<int64_t> {
    const auto found = symbols.find(std::string(table.symbol_by_id(id).symbol_name()));
    return found == symbols.end() ? std::nullopt : std::optional(found->second);
  });
}

/// "" when an output has the rank, the dims that can be told, and the bytes that inference says.
std::string difference(const ModelCase& model, const DrawnNode& node, OutputRef ref, const OutputTensor& out) {
  const TensorType& type = model.graph.type(ref);
  const auto dims = out.shape();
  const std::string got = std::string(to_string(out.dtype)) + dims_to_string(std::vector<int64_t>(dims.begin(), dims.end()));
  if (out.dtype != type.dtype) return "gave " + got + ", inference says " + to_string(type);
  if (!type.shape) return "";
  if (type.rank() != dims.size()) return "gave " + got + ", inference says " + to_string(type);
  for (size_t d = 0; d < dims.size(); ++d)
    if (const auto expected = expected_dim(model.graph.symbols(), (*type.shape)[d], node.symbols); expected && *expected != dims[d])
      return "gave " + got + ", inference says " + to_string(type);
  const auto count = element_count(std::vector<int64_t>(dims.begin(), dims.end()));
  const auto bytes = count ? bytes_for(out.dtype, *count) : std::nullopt;
  return bytes == out.size_bytes ? "" : "gave " + std::to_string(out.size_bytes) + " bytes for " + got;
}

enum class End { ran, ran_empty, refused };

/// ran_empty: some input or output has no elements.
End run(ModelCase& model, const DrawnNode& node) {
  static ThreadPool here(1);
  ModelParam param;
  param.runner = &here;
  param.max_memory_bytes = int64_t{1} << 22;
  param.poison = true;
  try {
    const auto instance = model.instance(param);
    std::vector<InputTensor> in;
    for (const Tensor& t : node.inputs) in.push_back(given(t));
    std::vector<OutputTensor> out(instance->model.outputs().size());
    instance->model.NnExecute(in, out);
    for (size_t k = 0; k < out.size(); ++k)
      if (const std::string wrong = difference(model, node, model.graph.outputs()[k], out[k]); !wrong.empty()) throw std::logic_error("output " + std::to_string(k) + " " + wrong);
    bool elements = node.has_elements;
    for (const OutputTensor& o : out) elements &= o.size_bytes > 0;
    return elements ? End::ran : End::ran_empty;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw std::logic_error("an internal error: " + std::string(error.what()));
    return End::refused;
  }
}

struct Count {
  size_t ran = 0, ran_empty = 0;
};

Count run_all(const OpSchema& schema, Stress stress, uint32_t draws) {
  Count count;
  for (uint32_t k = 0; k < draws; ++k) {
    const uint32_t seed = first_seed() + k * 7919;
    ModelCase model;
    const DrawnNode node = draw_node(model, schema, stress, seed);
    INFO(node.text << ", GE_TEST_SEED=" << seed);
    End end = End::refused;
    REQUIRE_NOTHROW(end = run(model, node));
    count.ran += end != End::refused;
    count.ran_empty += end == End::ran_empty;
  }
  return count;
}

/// Ops with nodes of their own: graphs, and what gives its data away.
bool drawable(const OpSchema& schema) { return schema.domain.empty() && schema.control_flow == ControlFlow::none && schema.infer_fn != nullptr && schema.name != "NetOutput" && schema.name != "Const"; }

}  // namespace

TEST_CASE("every op takes tensors without elements, or says why not", "[corner][CR-9][CR-10]") {
  for (const Registered& item : op_schemas().list()) {
    const OpSchema& schema = op_schemas().at(item.key);
    if (!drawable(schema)) continue;
    const Count count = run_all(schema, Stress::no_elements, 60);
    INFO(schema.name << " ran " << count.ran << " of 60 times, " << count.ran_empty << " times without elements; does it need a recipe?");
    if (kernels_of("", schema.name).empty()) WARN("skipped: " << schema.name << " has no kernel");
    else if (recipe(schema.name).empty() && count.ran_empty == 0) WARN("skipped: " << schema.name << " never ran; it needs a recipe");
    else CHECK(count.ran_empty > 0);
  }
}

TEST_CASE("every op takes scalars, or says why not", "[corner][CR-9][CR-10]") {
  size_t took = 0;
  for (const Registered& item : op_schemas().list()) {
    const OpSchema& schema = op_schemas().at(item.key);
    if (!drawable(schema)) continue;
    took += run_all(schema, Stress::rank_0, 20).ran > 0;
    run_all(schema, Stress::ones, 20);
  }
  CHECK(took > 60);
}

TEST_CASE("no op trusts the sizes, elements and attributes of a run", "[corner][CR-9][CR-10]") {
  for (const Registered& item : op_schemas().list()) {
    const OpSchema& schema = op_schemas().at(item.key);
    if (drawable(schema)) run_all(schema, Stress::wild, 80);
  }
}
