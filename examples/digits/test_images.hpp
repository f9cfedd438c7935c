#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// The held-out images of test_images.bin (its layout: README.md).
struct TestImages {
  uint32_t count = 0, height = 0, width = 0;
  std::vector<uint8_t> pixels;  ///< [count, height, width], 0 (blank) to 16 (ink)
  std::vector<uint8_t> labels;  ///< [count], 0 to 9

  const uint8_t* image(uint32_t i) const { return pixels.data() + size_t{i} * height * width; }
};

/// Throws std::runtime_error when the file is not what it should be.
TestImages read_test_images(const std::string& path);

/// A line of text per row of pixels, two shaded blocks a pixel.
std::vector<std::string> draw(const TestImages& images, uint32_t image);
