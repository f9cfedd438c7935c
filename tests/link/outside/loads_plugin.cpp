// Loads a plugin: its op joins the registry, and an Error thrown by it is caught here, by way of ge's library.
//   loads_plugin PLUGIN.so       (with shared libraries of ge; with static ones every library has registries of its own)
#include "check.hpp"

#include "ge/ops/schema.hpp"

#include <dlfcn.h>

using outside::check;

int main(int, char** argv) {
  const size_t before = ge::op_schemas().list().size();
  check(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) != nullptr, "the plugin is loaded");
  const ge::OpSchema* schema = ge::find_schema("plugin", "Refused");
  check(schema != nullptr && ge::op_schemas().list().size() == before + 1, "the plugin's op is there");
  ge::SymbolTable symbols;
  const ge::Attributes none;
  const ge::TensorType x{ge::DType::float32, ge::Shape{}, {}};
  ge::InferContext context(symbols, none, {{&x, nullptr}}, {true});
  const std::string text = outside::text_of<ge::Error>([&] { ge::check_and_infer(*schema, context); });
  check(outside::mentions(text, "refused by the plugin"), "the plugin's Error arrives");
  return outside::done();
}
