#include "ge/base/einsum_equation.hpp"
#include "ge/base/error.hpp"
#include "support/catch.hpp"

using namespace ge;

namespace {

std::string read(const char* text) {
  const EinsumEquation equation = EinsumEquation::read(text);
  std::string out;
  for (const std::string& term : equation.inputs) out += "(" + term + ")";
  return out + equation.output;
}
std::string refusal(const char* text) {
  try {
    return read(text);
  } catch (const Error& error) {
    return error.code() == ErrorCode::invalid_model ? error.what() : "(other code)";
  }
}

}  // namespace

TEST_CASE("a long equation is read in a time that fits its length", "[base][CR-10]") {
  const std::string long_term(2'000'000, 'a');
  CHECK(EinsumEquation::read(long_term + ",bc").output == "bc");
}

TEST_CASE("einsum equations are read", "[base][CR-9]") {
  CHECK(read("ij,jk->ik") == "(ij)(jk)ik");
  CHECK(read(" i j , ... k -> ... i ") == "(ij)(.k).i");
  CHECK(read("->") == "()");
  CHECK(read("") == "()");
  CHECK(read(",->") == "()()");
  CHECK(read("i...j,j->i") == "(i.j)(j)i");
}

TEST_CASE("an implicit output has the letters that occur once", "[base][CR-9]") {
  CHECK(read("ij,jk") == "(ij)(jk)ik");
  CHECK(read("bA") == "(bA)Ab");
  CHECK(read("ii") == "(ii)");
  CHECK(read("b...a,c") == "(b.a)(c).abc");
}

TEST_CASE("what is no einsum equation is refused", "[base][CR-9][CR-10]") {
  const auto has = [](const char* text, const char* part) { return refusal(text).find(part) != std::string::npos; };
  CHECK(has("i1->i", "character '1'"));
  CHECK(has("i..j", "a dot"));
  CHECK(has("....", "a dot"));
  CHECK(has("...i...", "two ellipses"));
  CHECK(has("i->ii", "'i' twice in the output"));
  CHECK(has("i->j", "'j' in the output, but in no input"));
  CHECK(has("i->...i", "an ellipsis in the output, but in no input"));
  CHECK(has("i->i->i", "character '-'"));
  CHECK(has("i->i,i", "character ','"));
}

TEST_CASE("axes of a term are called by letter or by place under the ellipsis", "[base][CR-9]") {
  CHECK(einsum_labels("ij", 2) == std::vector<int>{'i', 'j'});
  CHECK(einsum_labels("i.j", 4) == std::vector<int>{'i', 1, 0, 'j'});
  CHECK(einsum_labels(".", 0).empty());
  CHECK_THROWS_AS(einsum_labels("ij", 3), Error);
  CHECK_THROWS_AS(einsum_labels("i.j", 1), Error);
}
