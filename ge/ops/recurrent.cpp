// LSTM, GRU, RNN (22). With d directions, g gates and hidden size h:
//   X[seq, batch, input], W[d, g*h, input], R[d, g*h, h], B[d, 2*g*h], initial_h[d, batch, h], P[d, 3*h]
//   Y[seq, d, batch, h], Y_h and Y_c[d, batch, h]
// layout 1 puts batch first: X[batch, seq, input], initial_h[batch, d, h], Y[batch, seq, d, h], Y_h[batch, d, h].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

class Cells {
 public:
  Cells(InferContext& context, int64_t gates) : context_(context), batch_first_(flag(context, "layout", false)) {
    const std::string direction = context.attributes().get_string("direction", "forward");
    require_one_of(context, "direction", direction, {"forward", "reverse", "bidirectional"});
    directions_ = context.constant(direction == "bidirectional" ? 2 : 1);
    read_sizes();
    const Expr rows = hidden_ * gates;
    check(1, "W", {directions_, rows, input_});
    check(2, "R", {directions_, rows, hidden_});
    check(3, "B", {directions_, rows * 2});
    check(4, "sequence_lens", {batch_});
    check(5, "initial_h", state());
  }
  void check_lstm_only() {
    check(6, "initial_c", state());
    check(7, "P", {directions_, hidden_ * 3});
  }
  void set_outputs() {
    const DType dtype = context_.dtype(0);
    context_.set_output(0, dtype,
                        batch_first_ ? Shape{batch_, sequence_, directions_, hidden_} : Shape{sequence_, directions_, batch_, hidden_});
    for (size_t i : {1, 2}) context_.set_output(i, dtype, state());
  }

 private:
  Shape state() const { return batch_first_ ? Shape{batch_, directions_, hidden_} : Shape{directions_, batch_, hidden_}; }
  void read_sizes() {
    require_rank(context_, 0, 3, 3, "X");
    require_rank(context_, 2, 3, 3, "R");
    const Shape x = context_.has_rank(0) ? context_.shape(0) : context_.unknown_shape(3);
    sequence_ = x[batch_first_ ? 1 : 0];
    batch_ = x[batch_first_ ? 0 : 1];
    input_ = x[2];
    if (context_.attributes().has("hidden_size"))
      hidden_ = context_.constant(context_.attributes().need_int("hidden_size"));
    else
      hidden_ = context_.has_rank(2) ? context_.dim(2, 2) : context_.unknown_dim();
  }
  void check(size_t i, const char* name, const Shape& expected) {
    require_rank(context_, i, expected.size(), expected.size(), name);
    if (!context_.has_input(i) || !context_.has_rank(i)) return;
    for (size_t d = 0; d < expected.size(); ++d)
      require_equal(context_, context_.dim(i, d), expected[d], [&] {
        return "dim " + std::to_string(d) + " of input " + std::to_string(i) + " (" + name + to_string(context_.shape(i)) + ")";
      });
  }

  InferContext& context_;
  bool batch_first_;
  Expr directions_, sequence_, batch_, input_, hidden_;
};

template <int64_t gates>
void infer_recurrent(InferContext& context) {
  Cells cells(context, gates);
  if (gates == 4) cells.check_lstm_only();
  cells.set_outputs();
}

OpSchema recurrent(InferFn fn) {
  return OpSchema()
      .in("X", dtypes::floats, "T")
      .in("W", dtypes::floats, "T")
      .in("R", dtypes::floats, "T")
      .optional_in("B", dtypes::floats, "T")
      .optional_in("sequence_lens", dtype_set(DType::int32))
      .optional_in("initial_h", dtypes::floats, "T")
      .optional_out("Y", dtypes::floats, "T")
      .optional_out("Y_h", dtypes::floats, "T")
      .optional_attribute("activation_alpha", std::vector<float>{})
      .optional_attribute("activation_beta", std::vector<float>{})
      .optional_attribute("clip", float{})
      .attribute("direction", std::string("forward"))
      .optional_attribute("hidden_size", int64_t{})
      .attribute("layout", int64_t{0})
      .infer(fn);
}

REGISTER_OP("", "LSTM", 22, "long short-term memory",
            recurrent(infer_recurrent<4>)
                .optional_in("initial_c", dtypes::floats, "T")
                .optional_in("P", dtypes::floats, "T")
                .optional_out("Y_c", dtypes::floats, "T")
                .optional_attribute("activations", std::vector<std::string>{})
                .attribute("input_forget", int64_t{0}));
REGISTER_OP("", "GRU", 22, "gated recurrent unit",
            recurrent(infer_recurrent<3>)
                .optional_attribute("activations", std::vector<std::string>{})
                .attribute("linear_before_reset", int64_t{0}));
REGISTER_OP("", "RNN", 22, "plain recurrent cell",
            recurrent(infer_recurrent<1>).attribute("activations", std::vector<std::string>{"Tanh", "Tanh"}));

}  // namespace
}  // namespace ge
