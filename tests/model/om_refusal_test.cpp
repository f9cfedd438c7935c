#include "model/sample_model.hpp"
#include "support/catch.hpp"

#include "ge/model/om.hpp"
#include "ge/model/om_format.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <random>

namespace {

using namespace ge;
using Bytes = std::vector<std::byte>;
using Catch::Matchers::Contains;

Bytes sample_bytes(const OmTarget& target = {}) { return write_om_bytes(ge::test::sample_model(), R"({"a": [1, 2, {"b": "text"}]})", target); }

std::shared_ptr<const OmFile> load(const Bytes& bytes, OmReadOptions options = {}) { return OmFile::from_buffer(nullptr, bytes, options); }

/// "" when the bytes load.
std::string refusal(const Bytes& bytes, ErrorCode* code = nullptr) {
  try {
    load(bytes);
    return "";
  } catch (const Error& error) {
    if (code) *code = error.code();
    return error.what();
  }
}

om::Header& header_of(Bytes& bytes) { return *reinterpret_cast<om::Header*>(bytes.data()); }
std::span<om::SectionEntry> table_of(Bytes& bytes) {
  return {reinterpret_cast<om::SectionEntry*>(bytes.data() + sizeof(om::Header)), header_of(bytes).section_count};
}
om::SectionEntry& section(Bytes& bytes, om::SectionId id) {
  for (om::SectionEntry& entry : table_of(bytes))
    if (entry.id == id) return entry;
  throw std::logic_error("no such section");
}

/// Makes the checksums right again after a change, as someone who means harm would.
void reseal(Bytes& bytes) {
  for (om::SectionEntry& entry : table_of(bytes))
    if (entry.offset <= bytes.size() && entry.size <= bytes.size() - entry.offset)
      entry.checksum = XXH3_64bits(bytes.data() + entry.offset, entry.size);
  header_of(bytes).checksum = 0;
  header_of(bytes).checksum = XXH3_64bits(bytes.data(), sizeof(om::Header) + table_of(bytes).size_bytes());
}

TEST_CASE("every truncated file is refused", "[model][CR-4][CR-10]") {
  const Bytes bytes = sample_bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string why = refusal(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    if (why.find("truncated: found " + std::to_string(size) + " bytes, expected") == std::string::npos) FAIL(size << ": " << why);
  }
  CHECK(refusal(bytes).empty());
  Bytes longer = bytes;
  longer.push_back({});
  CHECK_THAT(refusal(longer), Contains("too long"));
}

TEST_CASE("every changed byte is refused, in padding too", "[model][CR-4][CR-10]") {
  Bytes bytes = sample_bytes();
  std::mt19937 random(4);
  for (size_t at = 0; at < bytes.size(); ++at) {
    const std::byte before = bytes[at];
    for (const unsigned long change : {1ul << (random() % 8), 1ul + random() % 255}) {
      bytes[at] = before ^ static_cast<std::byte>(change);
      if (refusal(bytes).empty()) FAIL("byte " << at << " changed by " << change << " is accepted");
    }
    bytes[at] = before;
  }
  CHECK(refusal(bytes).empty());
}

TEST_CASE("lazy reading accepts changed weights, and nothing else that is changed", "[model][CR-4]") {
  Bytes bytes = sample_bytes();
  const om::SectionEntry weights = section(bytes, om::SectionId::weights);
  const auto lazy = OmReadOptions{OmReadOptions::Weights::lazy};
  bytes[weights.offset] ^= std::byte{1};
  CHECK_NOTHROW(load(bytes, lazy));
  CHECK_THAT(refusal(bytes), Contains("section 'weights' is damaged: its checksum is"));
  bytes[weights.offset] ^= std::byte{1};
  for (size_t at = 0; at < weights.offset; at += 3) {
    bytes[at] ^= std::byte{16};
    CHECK_THROWS_AS(load(bytes, lazy), Error);
    bytes[at] ^= std::byte{16};
  }
}

TEST_CASE("other formats, newer formats and other machines are refused by name", "[model][CR-4]") {
  ErrorCode code{};
  const std::string onnx = "\x08\x07\x12\x07pytorch and so on";
  const auto raw = std::as_bytes(std::span(onnx));
  CHECK_THAT(refusal(Bytes(raw.begin(), raw.end())), Contains("not a model file"));

  Bytes newer = sample_bytes();
  header_of(newer).format_version = 7;
  CHECK_THAT(refusal(newer, &code), Contains("format version 7") && Contains("up to version 1"));
  CHECK(code == ErrorCode::unsupported);

  CHECK_THAT(refusal(sample_bytes({"vax", ""}), &code), Contains("for architecture 'vax', this machine is '"));
  CHECK(code == ErrorCode::unsupported);
  CHECK_THAT(refusal(sample_bytes({"any", "no-such-feature"}), &code), Contains("CPU feature 'no-such-feature'"));
  CHECK(code == ErrorCode::unsupported);
  CHECK(refusal(sample_bytes({std::string(om::host_architecture()), ""})).empty());
  CHECK_THROWS_WITH(sample_bytes({std::string(500, 'x'), ""}), Contains("500 characters, expected less than 32"));
  CHECK_THROWS_WITH(OmFile::open("/no/such/file.om"), Contains("/no/such/file.om"));
}

TEST_CASE("a section that is missing, doubled, misplaced or of other rows is refused", "[model][CR-4]") {
  const Bytes good = sample_bytes();
  const auto changed = [&](auto&& change) {
    Bytes bytes = good;
    change(bytes);
    reseal(bytes);
    return refusal(bytes);
  };
  using om::SectionId;
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::ops).id = static_cast<SectionId>(1000); }), Contains("no section 'ops'"));
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::name).id = SectionId::weights; }), Contains("two sections 'weights'"));
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::ops).offset -= 64; }), Contains("section 'ops' begins at byte"));
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::weights).size += 1; }), Contains("section 'weights' is bytes"));
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::ops).size = UINT64_MAX - 10; }), Contains("section 'ops' is bytes"));
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::weights).size -= 1; }), Contains("the last section ends at byte"));
  CHECK_THAT(changed([](Bytes& b) { section(b, SectionId::values).row_bytes = 44; }), Contains("section 'values' has") && Contains("rows of 44, expected rows of 40"));
  CHECK_THAT(changed([](Bytes& b) { b[sizeof(om::Header) + table_of(b).size_bytes()] = std::byte{1}; }), Contains("between sections and is not zero") || Contains("damaged"));
}

TEST_CASE("a section of unknown id is skipped, but its bytes are still compared", "[model][CR-4]") {
  // One more entry in the table moves all sections by one alignment.
  const Bytes good = sample_bytes();
  Bytes bytes(good.begin(), good.begin() + sizeof(om::Header));
  Bytes source = good;
  std::vector<om::SectionEntry> table(table_of(source).begin(), table_of(source).end());
  table.push_back({static_cast<om::SectionId>(5000), 3, 0, 9, 0});
  header_of(bytes).section_count = static_cast<uint32_t>(table.size());
  bytes.resize(sizeof(om::Header) + table.size() * sizeof(om::SectionEntry));
  for (om::SectionEntry& entry : table) {
    const uint64_t from = entry.offset;
    entry.offset = om::aligned(bytes.size());
    bytes.resize(entry.offset + entry.size, std::byte{0x11});
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() - entry.size), bytes.end(), std::byte{0x22});
    if (from != 0) std::memcpy(bytes.data() + entry.offset, good.data() + from, entry.size);
  }
  const auto zero_gaps = [&] {
    size_t end = sizeof(om::Header) + table.size() * sizeof(om::SectionEntry);
    for (const om::SectionEntry& entry : table) {
      std::memset(bytes.data() + end, 0, entry.offset - end);
      end = entry.offset + entry.size;
    }
  };
  header_of(bytes).file_bytes = bytes.size();
  std::memcpy(bytes.data() + sizeof(om::Header), table.data(), table.size() * sizeof(om::SectionEntry));
  reseal(bytes);
  CHECK_THAT(refusal(bytes), Contains("lies between sections and is not zero"));
  zero_gaps();
  CHECK(refusal(bytes).empty());
  bytes.back() ^= std::byte{1};
  CHECK_THAT(refusal(bytes), Contains("section 5000 is damaged"));
}

TEST_CASE("hostile metadata is refused without deep recursion", "[model][CR-10]") {
  // Arrays, indefinite texts and tags nested as deep as the section allows; a length beyond the end; two items.
  const std::string items[] = {std::string(100000, '\x81'), std::string(100000, '\x7f'), std::string(100000, '\x5f'), std::string(100000, '\xc1'),
                               std::string("\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", 9), std::string("\xbb\xff\xff\xff\xff\xff\xff\xff\xff", 9),
                               std::string("\x01\x02"), std::string("\x61"), std::string("\xff"), std::string("\xa1\x01\x02")};
  for (const std::string& item : items) {
    const auto raw = std::as_bytes(std::span(item));
    CHECK_THROWS_WITH(om::metadata_from_cbor(raw), Contains("section 'metadata' is not CBOR"));
  }
  CHECK(om::metadata_from_cbor(std::as_bytes(std::span("\x62\xff\xfe", 3))) == "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST_CASE("files changed at random and sealed again load or are refused, never crash", "[model][CR-10]") {
  const Bytes good = sample_bytes();
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  size_t loaded = 0;
  for (int round = 0; round < 3000; ++round) {
    Bytes bytes = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      // Mostly small words, which pass more checks than noise does.
      const size_t at = random() % (bytes.size() / 4) * 4;
      const uint32_t words[] = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random() % 16), UINT32_MAX, 0};
      std::memcpy(bytes.data() + at, &words[random() % 4], 4);
    }
    if (header_of(bytes).section_count != header_of(const_cast<Bytes&>(good)).section_count) continue;
    reseal(bytes);
    try {
      const auto file = load(bytes);
      ++loaded;
      file->program().dump();
      for (const OpRow& op : file->program().ops) read_attributes(file->program(), op, file->weights(), file);
      for (uint32_t i = 0; i < file->program().constants.size(); ++i) {
        const Tensor tensor = file->constant(i);
        CHECK(tensor == Tensor(tensor));
      }
      file->metadata_json();
    } catch (const Error&) {
    }
  }
  CHECK(loaded > 0);
}

}  // namespace
