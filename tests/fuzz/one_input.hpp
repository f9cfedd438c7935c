#pragma once
#include "ge/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace ge::fuzz {

/// What every fuzz target promises (CR-10): bytes are taken, or refused by one ge::Error that says why. Whatever else
/// leaves `body` (another exception, a signal, a sanitizer's finding) ends the fuzzer with the input that did it.
template <class Body>
void taken_or_refused(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    if (!std::string_view(error.what()).empty()) return;
    std::fprintf(stderr, "an Error without a message\n");
    std::abort();
  }
}

/// The input in a heap block of its exact size, aligned to 64, so that a read past its end is seen.
inline std::shared_ptr<const std::byte> own_block(std::span<const uint8_t> bytes) {
  void* memory = nullptr;
  if (::posix_memalign(&memory, 64, bytes.empty() ? 1 : bytes.size()) != 0) std::abort();
  auto* block = static_cast<std::byte*>(memory);
  for (size_t i = 0; i < bytes.size(); ++i) block[i] = static_cast<std::byte>(bytes[i]);
  return {block, [](const std::byte* p) { std::free(const_cast<std::byte*>(p)); }};
}

}  // namespace ge::fuzz
