// kernel-gaps: does the reference engine run every operator with all dtypes that its schema allows?
// For each operator every combination of dtypes of its type variables is inferred, with all inputs and with the needed ones
// alone, and those that inference takes must have a kernel, or the operator a body of other ones. Prints the gaps; those in
// `documented` are none. Ends with "N passed, N failed" (operators).
// requirements: CR-9
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/function_bodies.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace {

using namespace ge;

/// Operators that need no kernel of the reference engine, or have none for a reason.
const std::map<std::string, std::string> documented = {
    {"Const", "a node of the graph itself"},
    {"Data", "a node of the graph itself"},
    {"NetOutput", "a node of the graph itself"},
    {"ImageDecoder", "reads image files"},
    {"ai.onnx.ml::TreeEnsemble", "its attributes are a whole tree; tests/kernels has some"},
};

/// Operators that a schema lets take strings, with which they can do nothing.
const std::map<std::string, std::string> no_strings = {
    {"Col2Im", "strings cannot be added up"},
    {"GridSample", "strings cannot be interpolated"},
};

/// Which optional inputs are there. Resize takes scales or sizes, not both.
enum class Presence { all, all_but_the_last, needed };

/// One dtype that can be chosen: of a type variable, of a formal that is tied to none, or by an attribute.
struct Choice {
  std::string name;
  std::vector<DType> dtypes;
};

std::vector<DType> listed(DTypeSet set) {
  std::vector<DType> dtypes;
  for (unsigned i = 1; i < dtype_count; ++i)
    if (contains(set, static_cast<DType>(i))) dtypes.push_back(static_cast<DType>(i));
  return dtypes;
}

/// Attributes that name the dtype of output 0; for ConstantOfShape the tensor "value" does.
const AttributeRule* dtype_attribute(const OpSchema& schema) {
  for (const char* name : {"to", "dtype", "output_dtype", "output_datatype"})
    if (const AttributeRule* rule = schema.find_attribute(name); rule != nullptr && rule->sample.index() == 0) return rule;
  return schema.name == "ConstantOfShape" ? schema.find_attribute("value") : nullptr;
}

/// A value that most ops take, of the attribute's kind.
AttributeValue sample_of(const AttributeRule& rule) {
  if (rule.name == "direction") return std::string("LEFT");    // BitShift
  if (rule.name == "equation") return std::string("i,i->i");   // Einsum
  if (rule.name == "mode") return std::string("TF");           // TfIdfVectorizer
  if (rule.name == "pooled_shape") return std::vector<int64_t>{1, 1};
  if (std::holds_alternative<int64_t>(rule.sample)) return int64_t{1};
  if (std::holds_alternative<std::vector<int64_t>>(rule.sample)) return std::vector<int64_t>{1};
  if (std::holds_alternative<std::vector<float>>(rule.sample)) return std::vector<float>{1};
  if (std::holds_alternative<std::vector<std::string>>(rule.sample)) return std::vector<std::string>{"a"};
  return rule.sample;
}

/// Attributes that an operator needs in one of several forms, by the dtype of its first input.
void add_chosen(const std::string& op, DType dtype, Attributes& attributes) {
  if (op == "TfIdfVectorizer") {
    if (dtype == DType::string) attributes.set("pool_strings", std::vector<std::string>{"a"});
    else attributes.set("pool_int64s", std::vector<int64_t>{1});
  }
  if (op == "LabelEncoder") {
    if (dtype == DType::string) attributes.set("keys_strings", std::vector<std::string>{"a"});
    else if (dtype == DType::int64) attributes.set("keys_int64s", std::vector<int64_t>{1});
    else if (dtype == DType::float32) attributes.set("keys_floats", std::vector<float>{1});
    else attributes.set("keys_tensor", Tensor::zeros(dtype, {1}));
    attributes.set("values_int64s", std::vector<int64_t>{1});
  }
}

class OperatorGaps {
 public:
  explicit OperatorGaps(const OpSchema& schema) : schema_(schema), by_attribute_(dtype_attribute(schema)) {
    for (const Formal& formal : schema.inputs) add_choice(formal.type_var.empty() ? "input " + formal.name : formal.type_var, formal.types);
    if (by_attribute_ != nullptr) add_choice(by_attribute_->name, schema.outputs[0].types);
    for (const Kernel* kernel : kernels_of(schema.domain, schema.name))
      if (kernel->engine == "reference") kernels_.push_back(kernel);
  }

  /// "" when nothing is missing.
  std::string find() {
    std::vector<size_t> at(choices_.size(), 0);
    for (;;) {
      for (const Presence presence : {Presence::all, Presence::all_but_the_last, Presence::needed}) look_at(at, presence);
      size_t i = 0;
      while (i < at.size() && ++at[i] == choices_[i].dtypes.size()) at[i++] = 0;
      if (i == at.size()) break;
    }
    if (allowed_ == 0) return "inference takes no combination of dtypes: " + refused_;
    if (missing_ == 0) return "";
    return std::to_string(missing_) + " of " + std::to_string(allowed_) + " combinations of dtypes have no kernel: " + examples_ + (missing_ > 3 ? ", …" : "");
  }

 private:
  void add_choice(const std::string& name, DTypeSet types) {
    for (Choice& choice : choices_)
      if (choice.name == name) {
        std::erase_if(choice.dtypes, [&](DType dtype) { return !contains(types, dtype); });
        return;
      }
    choices_.push_back({name, listed(types)});
  }

  DType chosen(const std::string& name, const std::vector<size_t>& at) const {
    for (size_t i = 0; i < choices_.size(); ++i)
      if (choices_[i].name == name) return choices_[i].dtypes[at[i]];
    return DType::undefined;
  }

  bool present(size_t input, Presence presence) const {
    if (!schema_.inputs[input].optional || presence == Presence::all) return true;
    return presence == Presence::all_but_the_last && input + 1 < schema_.inputs.size();
  }

  /// All outputs are there; a variadic formal has two inputs.
  void look_at(const std::vector<size_t>& at, Presence presence) {
    std::vector<DType> inputs;
    for (size_t i = 0; i < schema_.inputs.size(); ++i) {
      const Formal& formal = schema_.inputs[i];
      const DType dtype = chosen(formal.type_var.empty() ? "input " + formal.name : formal.type_var, at);
      inputs.insert(inputs.end(), formal.variadic ? 2 : 1, present(i, presence) ? dtype : DType::undefined);
    }
    while (!inputs.empty() && inputs.back() == DType::undefined) inputs.pop_back();
    const DType by_attribute = by_attribute_ == nullptr ? DType::undefined : chosen(by_attribute_->name, at);
    if (!seen_.emplace(inputs, by_attribute).second) return;
    if (!inputs.empty() && inputs[0] == DType::string && no_strings.contains(schema_.name)) return;
    Attributes attributes;
    for (const AttributeRule& rule : schema_.attributes)
      if (rule.required) attributes.set(rule.name, sample_of(rule));
    if (by_attribute_ != nullptr) {
      if (by_attribute_->sample.index() == 0) attributes.set(by_attribute_->name, static_cast<int64_t>(by_attribute));
      else attributes.set(by_attribute_->name, by_attribute == DType::string ? Tensor::strings({1}, {"a"}) : Tensor::zeros(by_attribute, {1}));
    }
    if (!inputs.empty()) add_chosen(schema_.name, inputs[0], attributes);
    const auto outputs = inferred(inputs, attributes);
    if (!outputs) return;
    ++allowed_;
    const Target target;
    const KernelQuery query{schema_.domain, schema_.name, attributes, inputs, *outputs, target};
    if (std::ranges::any_of(kernels_, [&](const Kernel* kernel) { return kernel->supports == nullptr || kernel->supports(query); })) return;
    if (++missing_ <= 3) examples_ += (examples_.empty() ? "" : ", ") + text(inputs) + " -> " + text(*outputs);
  }

  /// The outputs' dtypes; nullopt where inference refuses.
  std::optional<std::vector<DType>> inferred(const std::vector<DType>& inputs, const Attributes& attributes) {
    SymbolTable symbols;
    std::vector<TensorType> types;
    for (const DType dtype : inputs) types.push_back({dtype, std::nullopt, std::nullopt});
    std::vector<InferContext::Input> views;
    for (const TensorType& type : types) views.push_back({type.dtype == DType::undefined ? nullptr : &type, nullptr});
    const size_t count = schema_.outputs.size() + (!schema_.outputs.empty() && schema_.outputs.back().variadic ? 1 : 0);
    InferContext context(symbols, attributes, views, std::vector<bool>(count, true));
    try {
      check_and_infer(schema_, context);
    } catch (const Error& error) {
      refused_ = error.what();
      return std::nullopt;
    }
    std::vector<DType> outputs;
    for (const TensorType& type : context.results()) outputs.push_back(type.dtype);
    return outputs;
  }

  static std::string text(const std::vector<DType>& dtypes) {
    std::string text;
    for (const DType dtype : dtypes) text += (text.empty() ? "(" : ", ") + std::string(to_string(dtype));
    return text.empty() ? "()" : text + ")";
  }

  const OpSchema& schema_;
  const AttributeRule* by_attribute_;
  std::vector<Choice> choices_;
  std::vector<const Kernel*> kernels_;
  std::set<std::pair<std::vector<DType>, DType>> seen_;
  size_t allowed_ = 0, missing_ = 0;
  std::string examples_, refused_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    std::fprintf(stderr, "usage: %s\n", argv[0]);
    return 2;
  }
  int passed = 0, failed = 0;
  try {
    for (const Registered& item : op_schemas().list()) {
      const OpSchema& schema = op_schemas().at(item.key);
      if (documented.contains(item.key) || schema.control_flow != ControlFlow::none || schema.by_walk || function_bodies().find(item.key) != nullptr) continue;
      const std::string gap = OperatorGaps(schema).find();
      if (gap.empty()) ++passed;
      else ++failed;
      if (!gap.empty()) std::printf("FAILED %s: %s\n", item.key.c_str(), gap.c_str());
    }
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    ++failed;
  }
  for (const auto& [op, reason] : no_strings) std::printf("skipped: %s of strings: %s\n", op.c_str(), reason.c_str());
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
