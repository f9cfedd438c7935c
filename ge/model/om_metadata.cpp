#include "ge/base/error.hpp"
#include "ge/model/om_format.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace ge::om {
namespace {

using Json = nlohmann::json;
constexpr size_t max_depth = 64;

/// Walks CBOR (RFC 8949) without recursion. Json::from_cbor() recurses once per level of arrays, maps and strings of
/// indefinite length, so a file made to overflow the stack must be refused before; the writer here uses neither tags
/// nor indefinite lengths.
bool is_plain_cbor(std::span<const std::byte> cbor) {
  std::vector<uint64_t> open;  // items still to come in each array and map around this place
  size_t at = 0;
  do {
    if (at == cbor.size()) return false;
    const auto first = static_cast<uint8_t>(cbor[at++]);
    const unsigned major = first >> 5, length = first & 31u;
    uint64_t argument = length;
    if (length >= 24) {
      if (length > 27) return false;
      const size_t bytes = size_t{1} << (length - 24);
      if (bytes > cbor.size() - at) return false;
      argument = 0;
      for (size_t i = 0; i < bytes; ++i) argument = argument << 8 | static_cast<uint8_t>(cbor[at++]);
    }
    const uint64_t left = cbor.size() - at;
    if (major == 6 || (major >= 2 && major <= 5 && argument > left)) return false;
    if (major == 2 || major == 3) at += static_cast<size_t>(argument);
    if ((major == 4 || major == 5) && argument != 0) {
      if (open.size() == max_depth) return false;
      open.push_back(major == 4 ? argument : 2 * argument);
      continue;
    }
    while (!open.empty() && --open.back() == 0) open.pop_back();
  } while (!open.empty());
  return at == cbor.size();
}

}  // namespace

std::vector<uint8_t> metadata_to_cbor(const std::string& json) {
  if (json.empty()) return {};
  try {
    const auto limit_depth = [](int depth, Json::parse_event_t, Json&) {
      if (depth > static_cast<int>(max_depth))
        throw Error(ErrorCode::invalid_argument, "the metadata of a model nests deeper than " + std::to_string(max_depth) + " levels");
      return true;
    };
    return Json::to_cbor(Json::parse(json, limit_depth));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::invalid_argument, std::string("the metadata of a model is not JSON: ") + error.what());
  }
}

std::string metadata_from_cbor(std::span<const std::byte> cbor) {
  if (cbor.empty()) return {};
  if (!is_plain_cbor(cbor))
    throw Error(ErrorCode::corrupt_file, "section 'metadata' is not CBOR as this library writes it (no tags, definite lengths, at most " +
                                             std::to_string(max_depth) + " levels)");
  try {
    const auto* begin = reinterpret_cast<const uint8_t*>(cbor.data());
    return Json::from_cbor(begin, begin + cbor.size()).dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::corrupt_file, std::string("section 'metadata' is not CBOR: ") + error.what());
  }
}

}  // namespace ge::om
