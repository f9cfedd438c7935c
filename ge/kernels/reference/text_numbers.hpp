#pragma once
#include "ge/base/dtype.hpp"

#include <string_view>

namespace ge::reference {

// Numbers as text, for Cast to and from strings (ONNX Cast-28). Never throws, never allocates.

/// Room for any number written by format_float (a float64 in plain digits has up to 1,080 characters).
inline constexpr size_t number_text_size = 1200;

/// The shortest plain decimal digits that read back as the same value of the dtype, with at least one digit after the
/// point ("0.9767611", "100.0"); "NaN", "INF", "-INF". The text lies in `buffer`.
std::string_view format_float(DType dtype, double value, char (&buffer)[number_text_size]) noexcept;

/// Reads plain and scientific notation, "NaN", "INF", "+INF", "-INF" in any case, blanks around; too large gives
/// infinity, too small 0. False when the text is something else.
bool parse_float(std::string_view text, double& value) noexcept;
/// Reads an integer, or a number with a fraction, which is cut off. Negative numbers wrap. False when the text is
/// something else or does not fit in 64 bits.
bool parse_int(std::string_view text, bool is_unsigned, uint64_t& bits) noexcept;
/// Reads "True" and "False" in any case, or a number: true when it is not 0.
bool parse_bool(std::string_view text, bool& value) noexcept;

}  // namespace ge::reference
