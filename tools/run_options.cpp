#include "tools/run_options.hpp"

#include "tools/command_line.hpp"

#include <boost/program_options.hpp>

namespace ge::tools {

const std::string_view run_help = R"(Usage: ge-run --model=FILE.om|FILE.onnx|FILE.json [options]

Runs a model on given or random inputs and measures it, or checks it against reference results.
  --input=NAME=@FILE      reads an input: .npy, .pb or .bin (raw); NAME=random makes one (default)
  --input_shape="A:1,3,224,224;B:1"   dims of inputs; needed for random inputs with open dims
  --iterations=N --warmup=N, or --duration=S   how long to measure (default 10 runs after 1)
  --threads=N             threads for one run (default: what the machine gives)
  --instances=N           runs N instances at once, each from its own thread
  --output_dir=DIR        writes the outputs as output_I.npy
  --json=FILE             writes the statistics as JSON
  --profile=FILE          writes a trace of the runs for Perfetto or chrome://tracing
  --verify=DIR            compares with DIR/test_data_set_*/input_*.pb, output_*.pb
  --rtol=R --atol=A       allowed: |got - expected| <= A + R * |expected| (default 1e-3, 1e-5)
  --runs_per_set=N        runs each data set N times; all runs must be equal bit by bit
  --dump_outputs=DIR      writes the outputs of --verify as raw set_K_output_I.bin
  --engines=A,B           uses the kernels of these engines only (ge-list engines)
  --disable_pass=A,B      leaves passes out; for .onnx and .json, which are compiled first
  --max_memory=SIZE       refuses runs that need more for tensors (512MiB, 2GiB, …)
  --bisect[=nodes|passes] names the first node whose value (the pass after which a result) differs
                          from a plain run on the reference engine; for .onnx; --verify gives inputs
  --poison                fills working memory with NaN bytes before each run
Example: ge-run --model=m.om --input_shape="x:1,3,48,192" --iterations=100 --json=stats.json
Exit codes: 0 done, 1 a result is wrong or the input is bad, 2 wrong usage.
)";

namespace {

constexpr std::string_view unavailable[] = {"--tune"};

/// NAME=@FILE, NAME=random, or random for all.
void read_input(const std::string& text, RunOptions& out) {
  if (text == "random" || (text.ends_with("=random") && text.size() > 7)) return;
  const size_t at = text.find("=@");
  if (at == std::string::npos || at == 0 || at + 2 == text.size()) throw UsageError("--input=" + text + ": expected NAME=@FILE, NAME=random or random");
  if (!out.input_files.emplace(text.substr(0, at), text.substr(at + 2)).second) throw UsageError("--input: '" + text.substr(0, at) + "' stands twice");
}

unsigned count_of(std::string_view option, int64_t value, int64_t least, int64_t most) {
  if (value < least || value > most)
    throw UsageError(std::string(option) + "=" + std::to_string(value) + ": expected " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<unsigned>(value);
}

}  // namespace

RunOptions parse_run_options(std::span<const char* const> arguments) {
  namespace po = boost::program_options;
  refuse_unavailable(arguments, unavailable);
  RunOptions out;
  std::vector<std::string> inputs;
  std::string shapes, engines, disabled, max_memory;
  int64_t iterations = out.iterations, warmup = out.warmup, threads = 0, instances = out.instances, runs_per_set = out.runs_per_set;
  po::options_description options;
  auto add = options.add_options();
  add("help,h", po::bool_switch(&out.help));
  add("model", po::value(&out.model));
  add("input", po::value(&inputs));
  add("input_shape", po::value(&shapes));
  add("iterations", po::value(&iterations));
  add("warmup", po::value(&warmup));
  add("duration", po::value(&out.duration_s));
  add("threads", po::value(&threads));
  add("instances", po::value(&instances));
  add("output_dir", po::value(&out.output_dir));
  add("json", po::value(&out.json));
  add("profile", po::value(&out.profile));
  add("verify", po::value(&out.verify));
  add("rtol", po::value(&out.rtol));
  add("atol", po::value(&out.atol));
  add("runs_per_set", po::value(&runs_per_set));
  add("dump_outputs", po::value(&out.dump_outputs));
  add("bisect", po::value(&out.bisect)->implicit_value("nodes"));
  add("poison", po::bool_switch(&out.poison));
  add("engines", po::value(&engines));
  add("disable_pass", po::value(&disabled));
  add("max_memory", po::value(&max_memory));
  po::variables_map found;
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    po::store(po::command_line_parser(words).options(options).positional({}).style(style).run(), found);
    po::notify(found);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  if (out.help) return out;

  const auto only = [&](bool allowed, std::initializer_list<const char*> names, const char* why) {
    for (const char* name : names)
      if (!allowed && found.count(name) > 0) throw UsageError("--" + std::string(name) + " " + why);
  };
  const bool verifies = found.count("verify") > 0;
  if (out.model.empty()) throw UsageError("--model=FILE is missing");
  if (verifies && out.verify.empty()) throw UsageError("--verify needs a folder");
  const bool bisects = found.count("bisect") > 0;
  only(verifies || bisects, {"rtol", "atol"}, "is for --verify=DIR and --bisect, which are missing");
  only(verifies, {"runs_per_set", "dump_outputs"}, "is for --verify=DIR, which is missing");
  only(!verifies, {"input", "iterations", "warmup", "duration", "instances", "output_dir"}, "does not go with --verify");
  only(!bisects, {"iterations", "warmup", "duration", "instances", "output_dir", "json", "profile", "runs_per_set", "dump_outputs"}, "does not go with --bisect");
  only(out.compiles(), {"bisect"}, "needs the .onnx model; this one is compiled already");
  if (bisects && out.poison) throw UsageError("--poison does not go with --bisect");
  if (bisects && out.bisect != "nodes" && out.bisect != "passes") throw UsageError("--bisect=" + out.bisect + ": expected nodes or passes");
  only(!verifies || out.compiles(), {"input_shape"}, "goes with --verify only where an .onnx model is compiled");
  only(found.count("duration") == 0, {"iterations"}, "and --duration contradict each other; give one");
  only(out.compiles(), {"disable_pass"}, "is for .onnx and .json models; this one is compiled already, give it to ge-atc");
  if (found.count("duration") > 0 && !(out.duration_s > 0 && out.duration_s <= 1e6)) throw UsageError("--duration: expected seconds, more than 0");
  if (!(out.rtol >= 0) || !(out.atol >= 0)) throw UsageError("--rtol and --atol: expected 0 or more");

  for (const std::string& input : inputs) read_input(input, out);
  out.input_shapes = parse_input_shapes(shapes);
  out.iterations = count_of("--iterations", iterations, 1, 100'000'000);
  out.warmup = count_of("--warmup", warmup, 0, 100'000'000);
  out.threads = found.count("threads") == 0 ? 0 : count_of("--threads", threads, 1, 4096);
  out.instances = count_of("--instances", instances, 1, 4096);
  out.runs_per_set = count_of("--runs_per_set", runs_per_set, 1, 1'000'000);
  out.engines = split_list(engines);
  check_engine_names(out.engines);
  out.disabled_passes = split_list(disabled);
  check_pass_names(out.disabled_passes);
  if (!max_memory.empty()) out.max_memory_bytes = parse_size("--max_memory", max_memory);
  return out;
}

}  // namespace ge::tools
