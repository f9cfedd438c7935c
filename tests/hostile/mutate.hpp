#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

namespace ge::testing {

/// `bytes` with one to three changes: a bit, a byte, a span inserted, removed, repeated or zeroed, or a length made
/// longer, shorter or absurd. Never the same as `bytes`.
inline std::string damaged(const std::string& bytes, std::minstd_rand& random) {
  const auto below = [&](size_t n) { return n == 0 ? size_t{0} : static_cast<size_t>(random()) % n; };
  std::string out = bytes;
  for (size_t changes = 1 + below(3); changes > 0; --changes) {
    const size_t at = below(out.size()), length = std::min(1 + below(below(4) == 0 ? 200 : 8), out.size() - at);
    if (out.empty()) break;
    switch (below(8)) {
      case 0: out[at] = static_cast<char>(out[at] ^ (1 << below(8))); break;
      case 1: out[at] = static_cast<char>(random()); break;
      case 2: {
        std::string span;
        for (size_t i = 0; i < length; ++i) span.push_back(static_cast<char>(random()));
        out.insert(at, span);
        break;
      }
      case 3: out.erase(at, length); break;
      case 4: out.insert(at, out.substr(at, length)); break;
      case 5: out.replace(at, length, std::string(length, '\0')); break;
      case 6: out[at] = static_cast<char>(static_cast<uint8_t>(out[at]) + (below(2) == 0 ? 1 : -1)); break;  // a length, one off
      case 7: out.replace(at, std::min<size_t>(length, 1), std::string(1 + below(9), '\xff') + '\x7f'); break;  // a varint of many bits
    }
  }
  if (out == bytes) out.push_back('\x01');
  return out;
}

}  // namespace ge::testing
