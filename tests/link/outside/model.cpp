// ge-model alone: tensors and an empty model through files, a memory plan.   model DIGITS.onnx FOLDER
#include "check.hpp"

#include "ge/base/error.hpp"
#include "ge/base/tensor.hpp"
#include "ge/model/infix.hpp"
#include "ge/model/memory_plan.hpp"
#include "ge/model/om.hpp"
#include "ge/model/tensor_file.hpp"

using outside::check;

int main(int, char** argv) {
  const std::string folder = argv[2];
  const std::vector<float> values{1, 2.5f, -3};
  const ge::Tensor t = ge::Tensor::from<float>(ge::DType::float32, {3, 1}, std::span(values));
  ge::write_npy(folder + "/t.npy", t);
  ge::write_tensor_pb(folder + "/t.pb", t, "t");
  check(ge::read_npy(folder + "/t.npy") == t && ge::read_tensor_pb(folder + "/t.pb") == t, "a tensor comes back from both kinds of file");

  const ge::BufferLife lives[] = {{100, 0, 1}, {64, 1, 2}, {100, 2, 3}};
  check(ge::plan_memory(lives).arena_bytes == 192, "buffers that never live together share their place");

  ge::GeModel model;
  model.name = "empty";
  model.tables.ranges.emplace_back();
  auto bytes = std::make_shared<std::vector<std::byte>>(ge::write_om_bytes(model, "{\"maker\": \"outside\"}"));
  const auto file = ge::OmFile::from_buffer(bytes, *bytes);
  check(file->name() == "empty" && outside::mentions(file->metadata_json(), "outside"), "a model file is read back");
  auto damaged = std::make_shared<std::vector<std::byte>>(*bytes);
  damaged->back() ^= std::byte{1};
  check(!outside::text_of<ge::Error>([&] { ge::OmFile::from_buffer(damaged, *damaged); }).empty(), "a damaged model file is an Error");
  return outside::done();
}
