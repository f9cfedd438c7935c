// What the registries of the whole product say of each other.
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
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
