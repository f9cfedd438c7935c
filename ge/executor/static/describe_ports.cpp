#include "ge/executor/static/describe_ports.hpp"

#include "ge/base/postfix.hpp"
#include "ge/model/infix.hpp"

namespace ge {

std::vector<PortDescription> describe_ports(const Program& program, std::span<const PortRow> ports) {
  std::vector<std::string_view> names;
  for (const SymbolRow& symbol : program.symbols) names.push_back(program.text_of(symbol.name));
  std::vector<PortDescription> out;
  for (const PortRow& port : ports) {
    const ValueRow& row = program.values[port.value];
    PortDescription d;
    d.name = program.text_of(port.name);
    d.dtype = static_cast<DType>(row.dtype);
    d.rank_known = (row.flags & value_rank_known) != 0;
    d.text = std::string(to_string(d.dtype)) + "[";
    if (!d.rank_known) d.text += "?";
    for (uint32_t expression : d.rank_known ? program.operands_of(row.dims) : std::span<const uint32_t>{}) {
      if (!d.dims.empty()) d.text += ", ";
      if (expression == no_index) {  // may differ inside a sequence
        d.text += "*";
        d.dims.push_back(-1);
        continue;
      }
      const auto code = program.code_of(expression);
      const bool constant = code.size() == 2 && code[0] == static_cast<int64_t>(PostfixOp::push_constant);
      d.text += infix_text(code, names);
      d.dims.push_back(constant ? code[1] : -1);
    }
    d.kind = program.kind_of(port.value);
    d.text = kind_text(d.kind, d.text + "]");
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace ge
