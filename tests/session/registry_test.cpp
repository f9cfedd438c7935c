// What the registries of the whole product say of each other.
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/function_bodies.hpp"
#include "support/catch.hpp"

using namespace ge;

TEST_CASE("every kernel runs an op that a model can have", "[session][CR-2][SX-18]") {
  CHECK(kernels().list().size() > 100);
  for (const Registered& item : kernels().list()) {
    const Kernel& kernel = kernels().at(item.key);
    INFO(item.key << " at " << item.site.file);
    CHECK(find_schema(kernel.domain, kernel.op) != nullptr);
    CHECK(kernel.prepare != nullptr);
  }
}

TEST_CASE("every body is of an op that a model can have", "[session][CR-2][CR-3]") {
  CHECK(function_bodies().list().size() > 10);
  for (const Registered& item : function_bodies().list()) {
    INFO(item.key << " at " << item.site.file);
    const size_t colons = item.key.find("::");
    CHECK((colons == std::string::npos ? find_schema("", item.key) : find_schema(item.key.substr(0, colons), item.key.substr(colons + 2))) != nullptr);
    CHECK(function_bodies().at(item.key).build != nullptr);
  }
}
