#include "harness/cli/trial_options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

constexpr std::string_view kOnly = " --only ";
constexpr std::string_view kCases = " --cases ";
constexpr std::array<std::string_view, 3> kFlags = {" --sweep", " --faults", " --quick"};
constexpr std::array<std::string_view, 5> kNumbers = {" --splits ", " --recuts ", " --cases ", " --seed ",
                                                      " --jobs "};

// Returns the text of a word that `shell_quoted` wrote. For other words the result is unspecified.
std::string unquoted(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '\'') continue;
    if (word[at] == '\\') ++at;
    if (at < word.size()) text += word[at];
  }
  return text;
}

// Returns the length of the word at the head of `text`, including quoted blanks.
std::size_t length_of_word(std::string_view text) {
  bool quoted = false;
  std::size_t at = 0;
  for (; at < text.size() && (quoted || text[at] != ' '); ++at) {
    if (text[at] == '\'') quoted = !quoted;
    if (text[at] == '\\' && !quoted) ++at;
  }
  return std::min(at, text.size());
}

// Returns the length of the option at the head of `text`; 0 if no run writes it so.
std::size_t length_of_option(std::string_view text) {
  const bool has_file =
      text.starts_with(kCases) && text.substr(kCases.size(), 1).find_first_of("0123456789") != 0;
  for (const std::string_view option : {kOnly, kCases}) {
    if (!text.starts_with(option) || (option == kCases && !has_file)) continue;
    const std::string_view word = text.substr(option.size(), length_of_word(text.substr(option.size())));
    return report::shell_quoted(unquoted(word)) == word ? option.size() + word.size() : 0;
  }
  std::size_t length = 0;
  for (const std::string_view flag : kFlags)
    if (text.starts_with(flag)) length = flag.size();
  for (const std::string_view name : kNumbers) {
    if (!text.starts_with(name)) continue;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", name.size()), text.size());
    length = end > name.size() ? end : 0;
  }
  return length == text.size() || text.substr(length).starts_with(" ") ? length : 0;
}

}  // namespace

std::string trial_options(const RunCommand& command) {
  const RunCommand usual;
  std::string options;
  if (!command.selection.only.empty())
    options += std::string(kOnly) + report::shell_quoted(command.selection.only);
  const auto add = [&](const std::string& name, std::uint64_t value, std::uint64_t otherwise) {
    if (value != otherwise) options += " " + name + " " + std::to_string(value);
  };
  add("--splits", command.splits, usual.splits);
  if (command.sweep) options += " --sweep";
  add("--recuts", command.recuts, usual.recuts);
  if (command.faults) options += " --faults";
  if (command.quick) options += " --quick";
  add("--cases", command.cases, usual.cases);
  if (!command.case_file.empty()) options += std::string(kCases) + report::shell_quoted(command.case_file);
  add("--seed", command.seed, usual.seed);
  add("--jobs", command.jobs, usual.jobs);
  return options;
}

bool are_trial_options(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of_option(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string common_trial_options(std::string_view text) {
  std::string common;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(length_of_option(text), 1);
    const std::string_view option = text.substr(0, length);
    if (!option.starts_with(kOnly) && !option.starts_with(" --jobs ")) common += option;
    text.remove_prefix(length);
  }
  return common;
}

}  // namespace splitproof::cli
