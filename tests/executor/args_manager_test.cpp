// ModelArgsManager alone: slots by allocation, rewritten only where a base changed.
#include "ge/executor/static/model_args_manager.hpp"
#include "support/catch.hpp"

#include <cstring>

using namespace ge;

namespace {

/// Two tasks' blocks: [a+8, b, 5], [b+16, a].
TaskList list_of_two() {
  TaskList list;
  list.args.resize(48);
  const int64_t five = 5;
  std::memcpy(list.args.data() + 16, &five, 8);
  list.allocations.resize(3);  // the third has no slots
  list.relocations = {{0, 8}, {40, 0}, {8, 0}, {32, 16}};
  list.relocations_first = {0, 2, 4, 4};
  return list;
}
std::byte* pointer(const ModelArgsManager& args, size_t slot) {
  std::byte* address = nullptr;
  std::memcpy(&address, args.block() + slot, sizeof address);
  return address;
}

}  // namespace

TEST_CASE("a changed base rewrites just the slots that point into it", "[executor][SX-6]") {
  const TaskList list = list_of_two();
  ModelArgsManager args(list);
  CHECK(reinterpret_cast<uintptr_t>(args.block()) % 16 == 0);
  std::byte memory[64];
  std::byte *a = memory, *b = memory + 32, *other = memory + 48;

  args.update(std::vector<std::byte*>{a, b, nullptr});
  CHECK(pointer(args, 0) == a + 8);
  CHECK(pointer(args, 40) == a);
  CHECK(pointer(args, 8) == b);
  CHECK(pointer(args, 32) == b + 16);
  int64_t five = 0;
  std::memcpy(&five, args.block() + 16, 8);
  CHECK(five == 5);
  CHECK(args.counters().slots_rewritten == 4);
  CHECK(args.counters().changed_bases == 2);

  args.update(std::vector<std::byte*>{a, b, nullptr});
  CHECK(args.counters().slots_rewritten == 4);
  args.update(std::vector<std::byte*>{a, other, nullptr});
  CHECK(args.counters().slots_rewritten == 6);
  CHECK(args.counters().changed_bases == 3);
  CHECK(args.counters().updates == 3);
  CHECK(pointer(args, 0) == a + 8);
  CHECK(pointer(args, 8) == other);
  CHECK(pointer(args, 32) == other + 16);
}

TEST_CASE("instances of one list have blocks of their own", "[executor][SX-6]") {
  const TaskList list = list_of_two();
  ModelArgsManager first(list), second(list);
  std::byte memory[64];
  first.update(std::vector<std::byte*>{memory, memory + 8, nullptr});
  second.update(std::vector<std::byte*>{memory + 16, memory + 24, nullptr});
  CHECK(pointer(first, 40) == memory);
  CHECK(pointer(second, 40) == memory + 16);
  int64_t template_slot = 1;
  std::memcpy(&template_slot, list.args.data() + 40, 8);
  CHECK(template_slot == 0);
}

TEST_CASE("a list without arguments", "[executor][SX-6]") {
  TaskList list;
  list.relocations_first = {0};
  ModelArgsManager args(list);
  args.update({});
  CHECK(args.counters().slots_rewritten == 0);
}
