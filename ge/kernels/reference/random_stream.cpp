// Seeds and streams of the random ops (docs/decisions/0009-random-numbers.md).
#include "ge/kernels/reference/random_stream.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

namespace ge::reference {
namespace {

/// Streams without a seed drawn so far in this process. 0 is that of all seeds.
std::atomic<uint64_t> tickets{0};

}  // namespace

RandomSource random_source(const KernelSite& site) {
  if (const AttributeValue* seed = site.attributes.find("seed")) {
    if (const auto* number = std::get_if<int64_t>(seed)) return {static_cast<uint64_t>(*number), true};
    return {std::bit_cast<uint32_t>(site.attributes.get_float("seed", 0) + 0.0f), true};  // -0 is 0
  }
  try {
    std::random_device device;
    const uint64_t high = device();
    return {high << 32 | device(), false};
  } catch (const std::exception& error) {
    throw Error(ErrorCode::unsupported, std::string("this machine gives no random bits (") + error.what() + "); give the op a 'seed'");
  }
}

RandomStream::RandomStream(const RandomSource& source) noexcept : key_(source.key) {
  if (!source.seeded) ticket_ = tickets.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::array<uint32_t, 4> RandomStream::words(int64_t i) const noexcept {
  const auto n = static_cast<uint64_t>(i);
  return philox({static_cast<uint32_t>(n), static_cast<uint32_t>(n >> 32), static_cast<uint32_t>(ticket_), static_cast<uint32_t>(ticket_ >> 32)},
                {static_cast<uint32_t>(key_), static_cast<uint32_t>(key_ >> 32)});
}

double RandomStream::normal(int64_t i) const noexcept {
  const auto bits = words(i);
  const double radius = std::sqrt(-2 * std::log(1 - fraction(bits, 0)));  // of 1 - u: never of 0
  return radius * std::cos(2 * std::numbers::pi * fraction(bits, 2));
}

}  // namespace ge::reference
