// Claims a name that ge-ops has: the first use of the registry fails and names both places.
#include "check.hpp"

#include "ge/base/error.hpp"
#include "ge/ops/schema.hpp"

REGISTER_OP("", "MatMul", 13, "another product", ge::OpSchema().in("A").in("B").out("Y"));

int main() {
  try {
    ge::find_schema("", "Relu");
  } catch (const ge::Error& error) {
    std::printf("%s\n", error.what());
    return 0;
  }
  std::printf("the second MatMul went unnoticed\n");
  return 1;
}
