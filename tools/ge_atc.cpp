#include "tools/command_line.hpp"
#include "tools/compile_report.hpp"
#include "tools/progress.hpp"

#include "ge/graph/dump.hpp"
#include "ge/import/json.hpp"
#include "ge/model/om.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <filesystem>

namespace ge::tools {
namespace {

constexpr std::string_view help = R"(Usage: ge-atc --model=FILE.onnx --output=NAME [options]

Compiles a model to a model file (.om).
  --model=FILE           the model to read
  --framework=N          its kind: 5 is ONNX (the default), 1 the readable JSON form of --json
  --output=NAME          the model file to write; ".om" is added where it is missing
  --input_shape="A:1,3,224,224;B:-1,2"   dims of inputs by name; -1 leaves a dim as it is
  --disable_pass=A,B     leaves passes out (ge-list passes)
  --engines=A,B          uses the kernels of these engines only (ge-list engines)
  --fold_limit=SIZE      constants made by the compiler may be this large (default 4MiB)
  --max_memory=SIZE      refuses to use more for tensors while compiling (512MiB, 2GiB, …)
  --stop_after=STAGE     stops after a stage (ge-list stages); without --dump and --json prints its result
  --json=FILE            writes the graph as JSON, as it is after the last graph stage that ran
  --attrs=FILE.json      sets attributes of nodes and control edges (docs/attributes.md)
  --dump=DIR             writes what each stage gives as text and Graphviz files
  --report=FILE.html     writes a page that shows graph, passes, memory and times
  --report_shape="A:1,3,224,224"   numbers for open dims, so that the page can run the model
  --fusion=on|off        has no effect until kernels are fused; accepted so that scripts can say it
  --help                 this text

Example: ge-atc --model=digits.onnx --framework=5 --output=digits --input_shape="image:-1,1,8,8"
Exit codes: 0 done, 1 the model is bad or unsupported, 2 wrong usage.
)";

constexpr std::string_view unavailable[] = {"--dynamic_batch_size", "--dynamic_image_size", "--dynamic_dims",
                                            "--tune", "--threads", "--external_weight"};

struct AtcOptions {
  bool help = false;
  std::string model, output, json;
  int framework = 5;
  CompileOptions compile;
  ReportOptions report;
};

AtcOptions parse(std::span<const char* const> arguments) {
  namespace po = boost::program_options;
  refuse_unavailable(arguments, unavailable);
  AtcOptions out;
  std::string shapes, disabled, engines, stop_after, max_memory, fold_limit, report_shapes, fusion = "on";
  po::options_description options;
  auto add = options.add_options();
  add("help,h", po::bool_switch(&out.help));
  add("model", po::value(&out.model));
  add("framework", po::value(&out.framework));
  add("output", po::value(&out.output));
  add("input_shape", po::value(&shapes));
  add("disable_pass", po::value(&disabled));
  add("engines", po::value(&engines));
  add("fold_limit", po::value(&fold_limit));
  add("max_memory", po::value(&max_memory));
  add("stop_after", po::value(&stop_after));
  add("json", po::value(&out.json));
  add("attrs", po::value(&out.compile.attribute_file));
  add("dump", po::value(&out.compile.dump_folder));
  add("report", po::value(&out.report.path));
  add("report_shape", po::value(&report_shapes));
  add("fusion", po::value(&fusion));
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    po::variables_map found;
    po::store(po::command_line_parser(words).options(options).positional({}).style(style).run(), found);
    po::notify(found);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  if (out.help) return out;

  if (out.model.empty()) throw UsageError("--model=FILE is missing");
  if (fusion != "on" && fusion != "off") throw UsageError("--fusion=" + fusion + ": expected on or off");
  const auto passes = split_list(disabled);
  check_pass_names(passes);
  out.compile.disabled_passes = {passes.begin(), passes.end()};
  out.compile.engines = split_list(engines);
  check_engine_names(out.compile.engines);
  out.compile.import.input_shapes = parse_input_shapes(shapes);
  out.report.shapes = parse_input_shapes(report_shapes);
  if (!report_shapes.empty() && out.report.path.empty()) throw UsageError("--report_shape is for --report=FILE.html, which is missing");
  if (!max_memory.empty()) out.compile.max_memory_bytes = parse_size("--max_memory", max_memory);
  if (!fold_limit.empty()) out.compile.fold_limit_bytes = parse_size("--fold_limit", fold_limit);
  if (!stop_after.empty()) {
    try {
      out.compile.stop_after = stage_from_name(stop_after);
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  }
  if (out.output.empty() && !out.compile.stop_after) throw UsageError("--output=NAME is missing");
  if (!out.output.empty() && !out.output.ends_with(".om")) out.output += ".om";
  return out;
}

void check_framework(int framework) {
  if (framework == 5 || framework == 1) return;
  if (framework == 3) throw Error(ErrorCode::unsupported, "--framework=3 (TensorFlow) is not supported yet; convert the model to ONNX and use --framework=5");
  throw UsageError("--framework=" + std::to_string(framework) + ": no such kind of model; expected 5 (ONNX) or 1 (JSON)");
}

/// The result of the last stage that ran, on standard output.
void show(const Compiled& compiled) {
  std::string text = compiled.model ? compiled.model->tables.view().dump() : to_text(*compiled.graph);
  if (!compiled.model && !compiled.passes.passes.empty()) text = compiled.passes.dump() + "\n" + text;
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void summarise(const std::string& path, const Compiled& compiled) {
  int64_t constants = 0;
  for (const Tensor& constant : compiled.model->constants) constants += static_cast<int64_t>(constant.bytes().size());
  std::string changes;
  for (const PassCount& pass : compiled.passes.passes)
    if (pass.changes > 0)
      changes += (changes.empty() ? "" : ", ") + pass.name + " " + std::to_string(pass.changes) +
                 (pass.matches > 0 ? " (recognised " + std::to_string(pass.matches) + ")" : "");
  std::printf("%s: %zu nodes, %s of constants; changed by passes: %s; file %s\n", path.c_str(), compiled.model->tables.ops.size(), size_text(constants).c_str(),
              changes.empty() ? "nothing" : changes.c_str(), size_text(static_cast<int64_t>(std::filesystem::file_size(path))).c_str());
}

int compile(std::span<const char* const> arguments) {
  AtcOptions options = parse(arguments);
  if (options.help) {
    std::fwrite(help.data(), 1, help.size(), stdout);
    return 0;
  }
  check_framework(options.framework);
  Progress progress("ge-atc");
  StageClock clock;
  const auto begin = [&](CompileStage stage) {
    progress.begin(stage);
    clock.begin(stage);
  };
  options.compile.progress = begin;
  const Compiled compiled = options.framework == 1 ? compile_json(options.model, options.compile) : compile_onnx(options.model, options.compile);
  if (!options.json.empty()) export_json_file(*compiled.graph, options.json);

  const auto stop = options.compile.stop_after;
  if (!options.output.empty() && stop.value_or(CompileStage::model) == CompileStage::model) {
    begin(CompileStage::model);
    write_om(options.output, *compiled.model, compiled.metadata_json);
    progress.clear();
    summarise(options.output, compiled);
    if (!options.report.path.empty()) write_report(options.report, options.model, options.output, compiled, options.compile, clock);
    return 0;
  }
  progress.clear();
  if (*stop == CompileStage::gears || *stop == CompileStage::split || *stop == CompileStage::lower)
    std::fprintf(stderr, "ge-atc: stage %s changes nothing in this version\n", std::string(stage_names()[static_cast<size_t>(*stop)]).c_str());
  if (options.compile.dump_folder.empty() && options.json.empty()) show(compiled);
  if (!options.report.path.empty()) write_report(options.report, options.model, "", compiled, options.compile, clock);
  return 0;
}

}  // namespace
}  // namespace ge::tools

int main(int argc, char** argv) { return ge::tools::run_program("ge-atc", ge::tools::compile, argc, argv); }
