// Reads handwritten digits with the model that train.py made: loads it, classifies the 450 images that training never
// saw, and checks that as many are right as the training script counted.
//
//   ge-atc --model=digits.onnx --output=digits
//   digits digits.om test_images.bin record.json
#include "test_images.hpp"

#include "ge/executor/model_manager.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

constexpr uint32_t classes = 10;

/// Turns images into labels. The model takes any number of images at once: image [N,1,8,8] → probabilities [N,10].
class Classifier {
 public:
  explicit Classifier(std::unique_ptr<ge::DavinciModel> model) : model_(std::move(model)) {
    if (model_->inputs().size() != 1 || model_->outputs().size() != 1)
      throw std::runtime_error("model '" + model_->name() + "' has other inputs and outputs than the digits model");
  }

  std::vector<uint32_t> classify(const TestImages& images, uint32_t first, uint32_t count) {
    const size_t image_size = size_t{images.height} * images.width;
    input_.resize(count * image_size);
    for (size_t i = 0; i < input_.size(); ++i) input_[i] = static_cast<float>(images.image(first)[i]) / 16;
    probabilities_.resize(size_t{count} * classes);

    const int64_t dims[] = {count, 1, images.height, images.width};
    const ge::InputTensor input{input_.data(), ge::DType::float32, dims, static_cast<int64_t>(input_.size() * sizeof(float))};
    ge::OutputTensor output;
    output.data = probabilities_.data();
    output.capacity_bytes = static_cast<int64_t>(probabilities_.size() * sizeof(float));
    model_->NnExecute({&input, 1}, {&output, 1});

    std::vector<uint32_t> labels;
    for (auto row = probabilities_.begin(); row != probabilities_.end(); row += classes)
      labels.push_back(static_cast<uint32_t>(std::max_element(row, row + classes) - row));
    return labels;
  }

  const ge::DavinciModel& model() const { return *model_; }

 private:
  std::unique_ptr<ge::DavinciModel> model_;
  std::vector<float> input_, probabilities_;
};

/// Median time of an inference of `batch` images, in microseconds an image.
double microseconds_per_image(Classifier& classifier, const TestImages& images, uint32_t batch) {
  using clock = std::chrono::steady_clock;
  batch = std::min(batch, images.count);
  classifier.classify(images, 0, batch);  // the first run of a size plans it
  std::vector<double> times;
  for (int run = 0; run < 51; ++run) {
    const auto start = clock::now();
    classifier.classify(images, 0, batch);
    times.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count() / batch);
  }
  std::nth_element(times.begin(), times.begin() + 25, times.end());
  return times[25];
}

/// The most memory this program has had; 0 where the system does not say (Linux does).
double peak_memory_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr);
  return 0;
}

/// Some images side by side, with what is written and what the model read.
void show(const TestImages& images, const std::vector<uint32_t>& predicted, const std::vector<uint32_t>& chosen) {
  std::vector<std::vector<std::string>> drawings;
  for (uint32_t i : chosen) drawings.push_back(draw(images, i));
  for (uint32_t line = 0; line < images.height; ++line) {
    for (const auto& drawing : drawings) std::printf("%s  ", drawing[line].c_str());
    std::printf("\n");
  }
  for (uint32_t i : chosen) std::printf("is %u, read %u %-3s  ", unsigned{images.labels[i]}, predicted[i], predicted[i] == images.labels[i] ? "" : "(!)");
  std::printf("\n\n");
}

int run(const std::string& model_path, const std::string& images_path, const std::string& record_path) {
  const TestImages images = read_test_images(images_path);
  ge::ModelManager manager;
  Classifier classifier(manager.CreateInstance(manager.LoadModelOffline(model_path)));

  std::vector<uint32_t> predicted;
  for (uint32_t first = 0; first < images.count; first += 32) {
    const auto labels = classifier.classify(images, first, std::min(32u, images.count - first));
    predicted.insert(predicted.end(), labels.begin(), labels.end());
  }
  // Show some that are right and one that is not, if there is one.
  uint32_t correct = 0;
  std::vector<uint32_t> chosen, wrong;
  for (uint32_t i = 0; i < images.count; ++i) {
    const bool right = predicted[i] == images.labels[i];
    correct += right;
    if (right && chosen.size() < 5) chosen.push_back(i);
    if (!right && wrong.empty()) wrong.push_back(i);
  }
  chosen.insert(chosen.end(), wrong.begin(), wrong.end());
  show(images, predicted, chosen);

  std::printf("accuracy   %u of %u correct, %.1f %%\n", correct, images.count, 100.0 * correct / images.count);
  const double alone = microseconds_per_image(classifier, images, 1);
  const double batched = microseconds_per_image(classifier, images, 32);
  std::printf("latency    %.1f us an image alone, %.1f us in batches of 32 (medians)\n", alone, batched);
  const auto statistics = classifier.model().statistics();
  std::printf("memory     weights %.1f KiB, arena %.1f KiB, peak RSS %.1f MiB\n", static_cast<double>(statistics.weights_bytes) / 1024,
              static_cast<double>(statistics.arena_bytes) / 1024, peak_memory_kib() / 1024);

  std::ifstream file(record_path);
  if (!file) throw std::runtime_error("cannot open '" + record_path + "'");
  const auto expected = nlohmann::json::parse(file).at("correct").get<uint32_t>();
  if (correct == expected) return 0;
  std::fprintf(stderr, "digits: %u images are correct, the training script counted %u\n", correct, expected);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "Usage: digits MODEL.om TEST_IMAGES.bin RECORD.json\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "digits: %s\n", error.what());
    return 1;
  }
}
