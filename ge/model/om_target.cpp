#include "ge/model/om_format.hpp"

namespace ge::om {

#if defined(__x86_64__)
std::string_view host_architecture() { return "x86-64"; }

bool host_has_feature(std::string_view feature) {
  // The builtin takes literals only.
#define GE_FEATURE(name) \
  if (feature == name) return __builtin_cpu_supports(name) != 0
  GE_FEATURE("sse3");
  GE_FEATURE("ssse3");
  GE_FEATURE("sse4.1");
  GE_FEATURE("sse4.2");
  GE_FEATURE("popcnt");
  GE_FEATURE("avx");
  GE_FEATURE("avx2");
  GE_FEATURE("fma");
  GE_FEATURE("bmi");
  GE_FEATURE("bmi2");
  GE_FEATURE("avx512f");
  GE_FEATURE("avx512bw");
  GE_FEATURE("avx512cd");
  GE_FEATURE("avx512dq");
  GE_FEATURE("avx512vl");
  GE_FEATURE("avx512vnni");
#undef GE_FEATURE
  return false;
}
#elif defined(__aarch64__)
std::string_view host_architecture() { return "aarch64"; }
bool host_has_feature(std::string_view feature) { return feature == "neon"; }  // part of every AArch64 CPU
#else
std::string_view host_architecture() { return "unknown"; }
bool host_has_feature(std::string_view) { return false; }
#endif

}  // namespace ge::om
