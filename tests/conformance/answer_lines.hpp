#pragma once
#include <functional>
#include <string>
#include <vector>

// The other end of Workers: a program that answers each line of its standard input with one line. Fields are separated by
// tabs; line breaks inside of a field travel as another character.
namespace ge::conformance {

std::string to_line(const std::vector<std::string>& fields);
std::vector<std::string> from_line(const std::string& line);

/// Answers until the input ends. An exception that `answer` throws becomes the answer's only field. What others print to
/// standard output meanwhile is thrown away. Gives the program's exit code.
int answer_lines(const std::function<std::vector<std::string>(const std::vector<std::string>& request)>& answer);

}  // namespace ge::conformance
