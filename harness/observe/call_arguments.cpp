#include "harness/observe/call_arguments.hpp"

#include <algorithm>

#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(leading_blanks(text));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

std::size_t leading_blanks(std::string_view arguments) {
  return std::min(arguments.find_first_not_of(kBlanks), arguments.size());
}

bool begins_object(std::string_view arguments) {
  const std::size_t blanks = leading_blanks(arguments);
  return blanks < arguments.size() && arguments[blanks] == '{';
}

bool is_whole_json(std::string_view arguments) { return is_one_json_value(arguments); }

Arguments kind_of_arguments(std::string_view arguments) {
  const std::string_view said = without_blanks(arguments);
  if (said.empty() || said == "null") return Arguments::none;
  if (!begins_object(said)) return Arguments::foreign;
  return is_whole_json(said) ? Arguments::object : Arguments::fragment;
}

}  // namespace splitproof::observe
