#include "corner_cases/any_node.hpp"

#include "corner_cases/recipes.hpp"

#include <algorithm>
#include <sstream>

namespace ge::testing {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, at);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

class Drawer {
 public:
  Drawer(ModelCase& model, const OpSchema& schema, Stress stress, uint32_t seed) : model_(model), schema_(schema), stress_(stress), random_(seed) {}

  DrawnNode draw() {
    plan();
    if (stress_ == Stress::no_elements && !sizes_.empty()) std::next(sizes_.begin(), static_cast<int64_t>(below(sizes_.size())))->second = 0;
    std::vector<OutputRef> refs;
    node_.text = schema_.name + "(";
    for (size_t i = 0; i < inputs_.size(); ++i) refs.push_back(input(i));
    while (!refs.empty() && !refs.back()) refs.pop_back();
    node_.text += ")";
    optional_attributes();
    const size_t most = std::min<size_t>(schema_.max_outputs(), schema_.min_outputs() + 2);
    const size_t outputs = attributes_.has("num_outputs") ? static_cast<size_t>(std::clamp<int64_t>(attributes_.get_int("num_outputs", 1), 1, 4))
                                                          : schema_.min_outputs() + below(most - schema_.min_outputs() + 1);
    for (const auto& item : attributes_) node_.text += " " + item.name + "=" + to_string(item.value);
    const OutputRef first = model_.op(schema_.name, refs, attributes_, outputs);
    std::vector<OutputRef> all;
    for (uint32_t k = 0; k < outputs; ++k) all.push_back(model_.second(first, k));
    model_.outputs(all);
    return std::move(node_);
  }

 private:
  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }
  bool one_in(size_t n) { return below(n) == 0; }
  int64_t size() { return stress_ == Stress::ones ? 1 : static_cast<int64_t>(stress_ == Stress::wild ? below(5) : 1 + below(3)); }
  int64_t number() {
    static constexpr int64_t far[] = {INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 100, -100, int64_t{1} << 33};
    return stress_ == Stress::wild && one_in(6) ? far[below(std::size(far))] : static_cast<int64_t>(below(5)) - 1;
  }

  /// Each input as its dims (letters or numbers), "{…}" or "_".
  void plan() {
    const std::string_view text = recipe(schema_.name);
    for (const std::string& word : split(text, ' ')) {
      if (word.find('=') == std::string::npos) inputs_.push_back(word);
      else attribute(word);
    }
    if (inputs_.empty()) plan_alike();
    for (const std::string& word : inputs_)
      for (const std::string& dim : split(word, ','))
        if (std::isalpha(static_cast<unsigned char>(dim[0])) != 0 && !sizes_.contains(dim)) sizes_[dim] = size();
    for (size_t i = 0; i < inputs_.size(); ++i)  // absent optional inputs
      if (i < schema_.inputs.size() && schema_.inputs[i].optional && inputs_[i][0] != '{' && one_in(3)) inputs_[i] = "_";
  }
  void plan_alike() {
    size_t count = schema_.min_inputs();
    if (schema_.max_inputs() == SIZE_MAX) count += below(3);
    else count += below(schema_.max_inputs() - count + 1);
    const size_t rank = stress_ == Stress::rank_0 ? 0 : 1 + below(4);
    const bool broadcast = one_in(3);
    for (size_t i = 0; i < count; ++i) {
      std::string dims;
      for (size_t d = 0; d < rank; ++d) dims += std::string(d > 0 ? "," : "") + (broadcast && one_in(3) ? '1' : static_cast<char>('A' + d));
      inputs_.push_back(dims.empty() ? "-" : dims);
    }
  }
  void attribute(const std::string& word) {
    const std::string name = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
    if (std::isdigit(static_cast<unsigned char>(value[0])) == 0) return attributes_.set(name, value);
    if (value.find(',') == std::string::npos) return attributes_.set(name, int64_t{std::stoll(value)});
    std::vector<int64_t> list;
    for (const std::string& item : split(value, ',')) list.push_back(std::stoll(item));
    attributes_.set(name, list);
  }
  /// Some of those that the recipe does not set; all that are required.
  void optional_attributes() {
    for (const AttributeRule& rule : schema_.attributes) {
      if (attributes_.has(rule.name) || rule.name[0] == '_' || (!rule.required && !one_in(stress_ == Stress::wild ? 2 : 5))) continue;
      AttributeValue value = rule.sample;
      if (auto* integer = std::get_if<int64_t>(&value)) *integer = number();
      else if (auto* real = std::get_if<float>(&value)) *real = static_cast<float>(number());
      else if (auto* list = std::get_if<std::vector<int64_t>>(&value)) list->assign(below(4), number());
      else if (!rule.required) continue;
      attributes_.set(rule.name, value);
    }
  }

  DType dtype_of(const Formal& formal) {
    if (!formal.type_var.empty())
      if (const auto known = dtypes_.find(formal.type_var); known != dtypes_.end()) return known->second;
    static constexpr DType usual[] = {DType::float32, DType::int64, DType::int32, DType::boolean, DType::float16, DType::uint8};
    DType type = DType::undefined;
    for (size_t k = 0; k < std::size(usual) && type == DType::undefined; ++k)
      if (const DType want = usual[(k + (one_in(3) ? below(6) : 0)) % 6]; contains(formal.types, want)) type = want;
    for (unsigned t = 1; t < dtype_count && type == DType::undefined; ++t)
      if (contains(formal.types, static_cast<DType>(t)) && bits_of(static_cast<DType>(t)) >= 8) type = static_cast<DType>(t);
    if (!formal.type_var.empty()) dtypes_[formal.type_var] = type;
    return type;
  }

  OutputRef input(size_t i) {
    node_.text += i > 0 ? ", " : "";
    const std::string& word = inputs_[i];
    if (word == "_") return node_.text += "_", OutputRef{};
    const DType dtype = dtype_of(i < schema_.inputs.size() ? schema_.inputs[i] : schema_.inputs.back());
    std::vector<int64_t> dims;
    std::optional<std::vector<int64_t>> elements;
    if (word[0] == '{') {
      elements.emplace();
      for (const std::string& item : split(word.substr(1, word.size() - 2), ',')) elements->push_back(stress_ == Stress::wild && one_in(4) ? number() : std::stoll(item));
      if (elements->size() != 1 || (schema_.name != "Range" && one_in(2))) dims = {static_cast<int64_t>(elements->size())};
    } else if (stress_ != Stress::rank_0) {
      for (const std::string& dim : split(word, ','))
        if (dim != "-") dims.push_back(sizes_.contains(dim) ? sizes_[dim] : std::stoll(dim));
    }
    Tensor tensor = filled(dtype, dims, elements);
    node_.text += show(tensor);
    node_.has_elements &= tensor.count() > 0;
    if (one_in(elements ? 2 : 5)) return model_.constant(std::move(tensor));
    const std::string name = "x" + std::to_string(i);
    const OutputRef ref = one_in(4) ? model_.input_of_unknown_rank(name, dtype) : model_.input(name, declared(i, dims), dtype);
    for (int64_t k = 0; k < tensor.count() && (dtype == DType::int64 || dtype == DType::int32); ++k)
      node_.symbols[name + "[" + std::to_string(k) + "]"] = dtype == DType::int64 ? tensor.at<int64_t>(k) : tensor.at<int32_t>(k);
    node_.inputs.push_back(std::move(tensor));
    return ref;
  }
  /// Fixed dims, or a symbol for each.
  std::vector<Dim> declared(size_t i, const std::vector<int64_t>& dims) {
    std::vector<Dim> out;
    const bool open = one_in(2);
    for (size_t d = 0; d < dims.size(); ++d) {
      const std::string symbol = "d" + std::to_string(i) + std::to_string(d);
      if (open) model_.may_be_zero(symbol), node_.symbols[symbol] = dims[d];
      if (open) out.emplace_back(symbol.c_str());
      else out.emplace_back(static_cast<int>(dims[d]));
    }
    return out;
  }
  Tensor filled(DType dtype, const std::vector<int64_t>& dims, const std::optional<std::vector<int64_t>>& elements) {
    const auto count = static_cast<size_t>(element_count(dims).value_or(0));
    if (dtype == DType::string) return Tensor::strings(dims, std::vector<std::string>(count, "a"));
    std::vector<int64_t> numbers(count);
    for (size_t k = 0; k < count; ++k) numbers[k] = elements ? (*elements)[k] : dtype == DType::boolean ? static_cast<int64_t>(below(2)) : number();
    return converted(Tensor::from<int64_t>(DType::int64, dims, numbers), dtype);
  }
  static Tensor converted(const Tensor& ints, DType dtype) {
    if (dtype == DType::int64) return ints;
    if (!contains(dtypes::numeric | dtypes::boolean, dtype)) return Tensor::zeros(dtype, ints.dims());
    return KernelRunner("Cast").run({ints}, {{dtype, ints.dims()}})[0];
  }

  ModelCase& model_;
  const OpSchema& schema_;
  Stress stress_;
  std::minstd_rand random_;
  DrawnNode node_;
  std::vector<std::string> inputs_;
  std::map<std::string, int64_t> sizes_;
  std::map<std::string, DType> dtypes_;
  Attributes attributes_;
};

}  // namespace

DrawnNode draw_node(ModelCase& model, const OpSchema& schema, Stress stress, uint32_t seed) { return Drawer(model, schema, stress, seed).draw(); }

}  // namespace ge::testing
