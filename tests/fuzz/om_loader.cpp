// Bytes → load as a model file → describe, dump → instantiate with small sizes → run. The mutator changes bytes of one
// section (or the table) and makes the checksums right again, so that what lies behind them is reached; every 16th
// input keeps its wrong checksums.
#include "fuzz/limited_run.hpp"
#include "fuzz/one_input.hpp"
#include "fuzz/reseal.hpp"

#include "ge/executor/model_manager.hpp"

#include <random>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace ge;
  std::minstd_rand random(seed);
  if (size < sizeof(om::Header) + sizeof(om::SectionEntry) || random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  size = fuzz::mutate_section(data, size, max_size, random, LLVMFuzzerMutate);
  fuzz::reseal(data, size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ge;
  fuzz::taken_or_refused([&] {
    const auto block = fuzz::own_block({data, size});
    const auto file = OmFile::from_buffer(block, {block.get(), size});
    file->program().dump();
    file->metadata_json();
    for (uint32_t row = 0; row < file->program().constants.size(); ++row) file->constant(row);
    fuzz::run_limited(std::make_shared<const LoadedProgram>(file, std::vector<std::string>{}));
  });
  return 0;
}
