#include "model/sample_model.hpp"
#include "support/catch.hpp"

#include "ge/model/om.hpp"

#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace ge;
using ge::test::sample_model;
using Catch::Matchers::Contains;

template <class Row>
bool same_rows(std::span<const Row> a, const std::vector<Row>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// The constants' table has places filled in by the writer; all other tables come back byte for byte.
void check_same(const OmFile& file, const GeModel& model) {
  const Program& p = file.program();
  const ProgramTables& t = model.tables;
  CHECK(file.name() == model.name);
  CHECK(same_rows(p.symbols, t.symbols));
  CHECK(same_rows(p.values, t.values));
  CHECK(same_rows(p.expressions, t.expressions));
  CHECK(same_rows(p.ops, t.ops));
  CHECK(same_rows(p.ranges, t.ranges));
  CHECK(same_rows(p.conditions, t.conditions));
  CHECK(same_rows(p.attributes, t.attributes));
  CHECK(same_rows(p.inputs, t.inputs));
  CHECK(same_rows(p.outputs, t.outputs));
  CHECK(same_rows(p.operands, t.operands));
  CHECK(same_rows(p.code, t.code));
  CHECK(same_rows(p.numbers, t.numbers));
  CHECK(same_rows(p.text, t.text));
  REQUIRE(p.constants.size() == model.constants.size());
  for (uint32_t i = 0; i < p.constants.size(); ++i) {
    CAPTURE(i);
    CHECK(file.constant(i) == model.constants[i]);
    CHECK(p.constants[i].offset % 64 == 0);
    CHECK(std::memcmp(&p.constants[i].dims, &t.constants[i].dims, sizeof(RowRange)) == 0);
  }
}

/// A copy whose first byte has an address of `offset` modulo 64.
std::shared_ptr<std::byte[]> copy_at(std::span<const std::byte> bytes, size_t offset, std::span<const std::byte>& view) {
  auto memory = std::make_shared<std::byte[]>(bytes.size() + 128);
  const size_t skip = (64 - reinterpret_cast<uintptr_t>(memory.get()) % 64) % 64 + offset;
  std::memcpy(memory.get() + skip, bytes.data(), bytes.size());
  view = {memory.get() + skip, bytes.size()};
  return memory;
}

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("ge_om_test_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  size_t entries() const { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path), {})); }
};

TEST_CASE("a model comes back from a mapped file as it was written", "[model][CR-4]") {
  const GeModel model = sample_model();
  const Folder folder;
  const std::string path = folder.path / "m.om";
  write_om(path, model, R"({"options": {"threads": 2}, "list": [1, -2, 0.5, null, true, "x"]})");
  CHECK(folder.entries() == 1);
  const auto file = OmFile::open(path);
  check_same(*file, model);
  CHECK(file->metadata_json() == R"({"list":[1,-2,0.5,null,true,"x"],"options":{"threads":2}})");
  CHECK(file->file_bytes() == std::filesystem::file_size(path));
  CHECK(reinterpret_cast<uintptr_t>(file->weights().data()) % 64 == 0);
}

TEST_CASE("the bytes in memory are those of the file, and the same each time", "[model][CR-4]") {
  const GeModel model = sample_model();
  const Folder folder;
  write_om(folder.path / "m.om", model, "{}");
  const auto bytes = write_om_bytes(model, "{}");
  CHECK(bytes == write_om_bytes(model, "{}"));
  std::vector<std::byte> from_file(std::filesystem::file_size(folder.path / "m.om"));
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen((folder.path / "m.om").c_str(), "rb"), &std::fclose);
  REQUIRE(std::fread(from_file.data(), 1, from_file.size(), file.get()) == from_file.size());
  CHECK(from_file == bytes);
}

TEST_CASE("an aligned buffer is used in place, a misaligned one is copied", "[model][CR-4]") {
  const GeModel model = sample_model();
  const auto bytes = write_om_bytes(model, "");
  for (size_t offset : {0u, 1u, 8u, 63u}) {
    CAPTURE(offset);
    std::span<const std::byte> view;
    auto owner = copy_at(bytes, offset, view);
    std::weak_ptr<std::byte[]> watch = owner;
    const auto file = OmFile::from_buffer(std::move(owner), view);
    check_same(*file, model);
    CHECK(file->metadata_json().empty());
    CHECK(reinterpret_cast<uintptr_t>(file->weights().data()) % 64 == 0);
    CHECK((file->weights().data() > view.data() && file->weights().data() < view.data() + view.size()) == (offset == 0));
    CHECK(watch.expired() == (offset != 0));
  }
}

TEST_CASE("a model is read through a callback, and a callback that fails is an error", "[model][CR-4]") {
  const GeModel model = sample_model();
  const auto bytes = write_om_bytes(model, "{}");
  const auto read_at = [&](uint64_t offset, std::span<std::byte> into) {
    if (offset > bytes.size() || into.size() > bytes.size() - offset) return false;
    std::memcpy(into.data(), bytes.data() + offset, into.size());
    return true;
  };
  check_same(*OmFile::from_reader(read_at, bytes.size()), model);
  check_same(*OmFile::from_reader(read_at, bytes.size(), {OmReadOptions::Weights::lazy}), model);
  CHECK_THROWS_WITH(OmFile::from_reader(read_at, uint64_t{1} << 62), Contains("too long: found 4611686018427387904 bytes"));
  CHECK_THROWS_AS(OmFile::from_reader([](uint64_t, std::span<std::byte>) { return false; }, bytes.size()), Error);
}

TEST_CASE("a constant outlives everything but its own tensor", "[model][CR-4]") {
  Tensor words, bias;
  {
    std::span<const std::byte> view;
    const auto bytes = write_om_bytes(sample_model(), "");
    auto owner = copy_at(bytes, 0, view);
    const auto file = OmFile::from_buffer(std::move(owner), view);
    bias = file->constant(0);
    words = file->constant(3);
    CHECK(file->constant_data(0) == bias.bytes().data());
    CHECK(file->constant_data(3) == words.bytes().data());
  }
  CHECK(bias.at<float>(2) == 3.0f);
  CHECK(words.at<StringRef>(3).view() == "a longer string of characters");
}

TEST_CASE("equal constants are stored once", "[model][CR-4]") {
  const auto bytes = write_om_bytes(sample_model(), "");
  const auto file = OmFile::from_buffer(nullptr, bytes);
  const auto constants = file->program().constants;
  CHECK(constants[0].offset == constants[4].offset);
  CHECK(constants[0].offset == constants[8].offset);
  CHECK(constants[0].offset != constants[1].offset);
}

TEST_CASE("attributes of every kind are read back", "[model][CR-4]") {
  const auto bytes = write_om_bytes(sample_model(), "");
  const auto file = OmFile::from_buffer(nullptr, bytes);
  const Attributes a = read_attributes(file->program(), file->program().ops[0], file->weights(), file);
  REQUIRE(a.size() == 8);
  CHECK(a.get_int("a_int", 0) == -5);
  CHECK(a.get_float("b_float", 0) == -0.5f);
  CHECK(a.get_string("c_string", "") == "hello");
  CHECK(a.get_ints("d_ints") == std::vector<int64_t>{1, 2, 3});
  CHECK(a.get_floats("e_floats") == std::vector<float>{1.5f, 2.5f});
  CHECK(a.get_strings("f_strings") == std::vector<std::string>{"one", "", "two"});
  const float floats[] = {1, 2, 3};
  CHECK(*a.get_tensor("g_tensor") == Tensor::from<float>(DType::float32, {1, 3}, floats));
  CHECK(*a.get_tensor("h_words") == Tensor::strings({1}, {"in an attribute"}));
}

TEST_CASE("an empty program with no ops is a model too", "[model][CR-4]") {
  GeModel model;
  model.tables.ranges.emplace_back();
  const auto bytes = write_om_bytes(model, "");
  CHECK(OmFile::from_buffer(nullptr, bytes)->program().ops.empty());
}

TEST_CASE("a program is printed with infix dims, contents, conditions and bodies", "[model][CR-4]") {
  const std::string text = sample_model().tables.view().dump();
  INFO(text);
  CHECK_THAT(text, Contains("symbol N = dim 0 of input 'x'\nsymbol U = open\n"));
  CHECK_THAT(text, Contains("input 'x' = %x float32[N, 3]\n"));
  CHECK_THAT(text, Contains("  %y float32[N, 3], - = Add(%x, %bias, -) a_int=-5 b_float=-0.5"));
  CHECK_THAT(text, Contains("    needs 1 <= N  'N is at least one'\n"));
  CHECK_THAT(text, Contains("    then():\n      %a float32[N, 3] = Relu(%y)  'node_Relu'\n      -> %a\n    else():\n"));
  CHECK_THAT(text, Contains("    body(%i int64[], %go bool[], %carry float32[N, 3]):\n"));
  CHECK_THAT(text, Contains("%shape int64[2]{2*N - 1, 3} = Shape(%last)"));
}

TEST_CASE("a model that contradicts itself is not written", "[model][CR-4]") {
  const Folder folder;
  GeModel model = sample_model();
  model.tables.ops[0].inputs.first = 1u << 30;
  CHECK_THROWS_WITH(write_om(folder.path / "m.om", model, ""), Contains("table 'ops' row 0: inputs are rows"));
  CHECK_THROWS_WITH(write_om(folder.path / "m.om", sample_model(), "{"), Contains("not JSON"));
  CHECK_THROWS_WITH(write_om(folder.path / "m.om", sample_model(), std::string(100000, '[')), Contains("deeper than 64"));
  CHECK(folder.entries() == 0);
  CHECK_THROWS_WITH(write_om(folder.path / "missing" / "m.om", sample_model(), ""), Contains("No such file"));
  std::filesystem::create_directory(folder.path / "m.om");
  CHECK_THROWS_AS(write_om(folder.path / "m.om", sample_model(), ""), Error);
  CHECK(folder.entries() == 1);
}

}  // namespace
