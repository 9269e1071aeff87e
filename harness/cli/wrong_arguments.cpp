#include "harness/cli/wrong_arguments.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace splitproof::cli {
namespace {

constexpr std::size_t kNear = 3;  // maximum edits of a typing error

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> known_words(const CLI::App& app, bool option) {
  std::vector<std::string> words;
  if (option) {
    for (const CLI::Option* known : chosen(app).get_options()) {
      for (const std::string& name : known->get_lnames()) words.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
  }
  return words;
}

// Returns the first word that is no command or option. It is the probable cause if the library only reports a
// missing or superfluous word.
std::optional<std::string> unknown_word(const CLI::App& app, int argc, const char* const* argv) {
  const bool has_command = &chosen(app) != &app;
  for (int i = 1; i < argc; ++i) {
    const std::string argument(argv[i]);
    if (argument == "--") return std::nullopt;
    const std::string word = argument.substr(0, argument.find('='));
    const bool option = word.starts_with("--");
    if (!option && (i > 1 || has_command)) continue;
    const std::vector<std::string> words = known_words(app, option);
    if (std::find(words.begin(), words.end(), word) == words.end()) return word;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t least = kNear + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least && distance <= std::max<std::size_t>(2, candidate.size() / 2)) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

const CLI::App& chosen(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? app : *used.front();
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc,
                          const char* const* argv) {
  const bool left_over = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (const auto word = left_over || missing ? unknown_word(app, argc, argv) : std::nullopt) {
    const bool option = word->starts_with("-");
    const auto near = nearest(*word, known_words(app, option));
    return "there is no " + std::string(option ? "option " : "command ") + "'" + *word + "'" +
           (near ? "; did you mean " + *near + "?" : "");
  }
  if (missing && &chosen(app) == &app) return "name a command";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = error.what();
    return text.substr(0, text.find(':')) + " needs a value";
  }
  if (left_over) {
    const std::string text = error.what();
    return "nothing here takes '" + text.substr(text.rfind(": ") + 2) + "'";
  }
  return error.what();
}

}  // namespace splitproof::cli
