#include "test_images.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace {

uint32_t read_uint32(std::istream& file) {
  unsigned char bytes[4] = {};
  file.read(reinterpret_cast<char*>(bytes), 4);
  return bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

}  // namespace

TestImages read_test_images(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open '" + path + "'");
  std::string magic(8, '\0');
  file.read(magic.data(), 8);
  if (!file || magic != "GEDIGITS") throw std::runtime_error("'" + path + "' is no file of test images: it does not start with GEDIGITS");
  TestImages images;
  images.count = read_uint32(file), images.height = read_uint32(file), images.width = read_uint32(file);
  if (!file || images.count == 0 || images.count > 100'000 || images.height != 8 || images.width != 8)
    throw std::runtime_error("'" + path + "': expected 1 to 100000 images of 8 x 8 pixels");
  images.pixels.resize(size_t{images.count} * images.height * images.width);
  images.labels.resize(images.count);
  file.read(reinterpret_cast<char*>(images.pixels.data()), static_cast<std::streamsize>(images.pixels.size()));
  file.read(reinterpret_cast<char*>(images.labels.data()), static_cast<std::streamsize>(images.labels.size()));
  if (!file) throw std::runtime_error("'" + path + "' ends too early");
  return images;
}

std::vector<std::string> draw(const TestImages& images, uint32_t image) {
  static const char* const shades[] = {" ", "░", "▒", "▓", "█"};
  std::vector<std::string> lines;
  for (uint32_t y = 0; y < images.height; ++y) {
    std::string line;
    for (uint32_t x = 0; x < images.width; ++x) {
      const unsigned ink = std::min<unsigned>(images.image(image)[y * images.width + x], 16);
      // A character is about twice as high as wide, so a pixel is two of them.
      for (int twice = 0; twice < 2; ++twice) line += shades[(ink + 3) / 4];
    }
    lines.push_back(line);
  }
  return lines;
}
