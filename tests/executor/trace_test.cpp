// The trace file's JSON: parsed again, nested, named like the model's nodes.
#include "executor/model_case.hpp"
#include "ge/executor/trace.hpp"

#include <nlohmann/json.hpp>
#include <set>

using namespace ge;
using namespace ge::testing;
using json = nlohmann::json;

namespace {

OutputRef relu(ModelCase& c, OutputRef x, const std::string& name) {
  NodeSpec spec;
  spec.op = "Relu";
  spec.name = name;
  spec.inputs = {x};
  spec.outputs = {"t" + std::to_string(c.graph.node_count())};
  return {c.graph.add_node(std::move(spec)), 0};
}

/// An event's times in whole nanoseconds.
struct Span {
  int64_t begin, end;
};
Span span_of(const json& event) {
  const auto begin = static_cast<int64_t>(event["ts"].get<double>() * 1000 + 0.5);
  return {begin, begin + static_cast<int64_t>(event["dur"].get<double>() * 1000 + 0.5)};
}

/// Events of one track are in order, and each lies inside those that are still open or behind them.
void check_nesting(const json& events) {
  std::map<std::pair<int, int>, std::vector<Span>> open;
  std::map<std::pair<int, int>, int64_t> last;
  for (const json& event : events) {
    if (event["ph"] != "X") continue;
    const std::pair track{event["pid"].get<int>(), event["tid"].get<int>()};
    const Span span = span_of(event);
    REQUIRE(span.begin >= 0);
    REQUIRE(span.end >= span.begin);
    if (last.contains(track)) REQUIRE(span.begin >= last[track]);
    last[track] = span.begin;
    auto& stack = open[track];
    while (!stack.empty() && stack.back().end <= span.begin) stack.pop_back();
    if (!stack.empty()) REQUIRE(span.end <= stack.back().end);
    stack.push_back(span);
  }
}

}  // namespace

TEST_CASE("a trace is JSON whatever the nodes are called", "[executor][CR-8]") {
  const std::vector<std::string> names{"quote \" back \\ slash / end", "line\nfeed\ttab\x01", "grün 深度 \xF0\x9F\x98\x80", "broken \xFF\xC3( utf-8 \xED\xA0\x80", "</script>"};
  ModelCase c;
  OutputRef x = c.input("x", {2});
  for (const std::string& name : names) x = relu(c, x, name);
  c.outputs({x});
  Profile profile;
  ModelParam param;
  param.profile = &profile;
  const auto model = c.instance(param);
  for (int run = 0; run < 3; ++run) model->run({floats({2}, {1, 2})});
  const TraceProcess process{"model \"case\"", &profile, c.program().get()};

  const json trace = json::parse(to_trace_json({&process, 1}));
  check_nesting(trace["traceEvents"]);
  std::map<std::string, int> found;
  std::map<std::string, json> metadata;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "M") metadata[event["name"].get<std::string>() + std::to_string(event["tid"].get<int>())] = event["args"];
    if (event["ph"] == "X" && event["tid"] == 0) ++found[event["name"].get<std::string>()];
  }
  CHECK(metadata["process_name0"]["name"] == "ge: model \"case\"");
  CHECK(metadata["thread_name0"]["name"] == "stream 0");
  CHECK(metadata["thread_name1"]["name"] == "worker 0 (caller)");
  for (size_t i : {0, 1, 2, 4}) CHECK(found[names[i]] == 3);
  // Each byte that starts no character becomes U+FFFD (Unicode 15, 3.9: maximal subparts), the rest stays.
  CHECK(found["broken \uFFFD\uFFFD( utf-8 \uFFFD\uFFFD\uFFFD"] == 3);
  CHECK(found["run 1"] == 1);
  CHECK(found["run 3"] == 1);
  CHECK(found["instantiate segment 0"] == 1);
  CHECK(found["segment 0"] == 3);
}

TEST_CASE("a task's event says op, kernel, dims, run, segment and chunks", "[executor][CR-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 3});
  c.outputs({relu(c, c.op("Identity", {x}), "activation")});
  Profile first, second;
  ThreadPool pool(1);
  ModelParam param;
  param.runner = &pool;
  param.profile = &first;
  const auto one = c.instance(param);
  param.profile = &second;
  const auto two = c.instance(param);
  one->run({Tensor::zeros(DType::float32, {2, 3})});
  one->run({Tensor::zeros(DType::float32, {90000, 3})});
  two->run({Tensor::zeros(DType::float32, {2, 3})});
  const TraceProcess processes[] = {{"one", &first, c.program().get()}, {"two", &second, c.program().get()}};
  const json trace = json::parse(to_trace_json(processes));
  check_nesting(trace["traceEvents"]);
  CHECK(trace["otherData"]["samples_lost"] == 0);

  std::vector<json> tasks, chunks;
  std::set<int> pids;
  for (const json& event : trace["traceEvents"]) {
    pids.insert(event["pid"].get<int>());
    if (event["name"] != "activation" || event["pid"] != 1) continue;
    (event["cat"] == "task" && event["tid"] == 0 ? tasks : chunks).push_back(event);
  }
  CHECK(pids == std::set<int>{1, 2});
  REQUIRE(tasks.size() == 2);
  const json expected = {{"run", 1}, {"segment", 0}, {"task", 0}, {"chunks", 1}, {"op", "Relu"}, {"kernel", "reference/Relu"},
                         {"engine", "reference"}, {"inputs", "float32[2, 3]"}, {"outputs", "float32[2, 3]"}};
  CHECK(tasks[0]["args"] == expected);
  CHECK(tasks[1]["args"]["run"] == 2);
  CHECK(tasks[1]["args"]["segment"] == 1);
  CHECK(tasks[1]["args"]["inputs"] == "float32[90000, 3]");
  // The worker's track has the small run's task and all chunks of the large one's.
  REQUIRE(tasks[1]["args"]["chunks"].get<size_t>() > 1);
  CHECK(chunks.size() == 1 + tasks[1]["args"]["chunks"].get<size_t>());
  for (const json& chunk : chunks) CHECK(chunk["tid"] == 1);
  CHECK(chunks.back()["args"]["chunk"] == tasks[1]["args"]["chunks"].get<int>() - 1);
}
