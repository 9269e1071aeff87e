#include "harness/cli/wrong_arguments.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/cli/nearest.hpp"

namespace splitproof::cli {
namespace {

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

// Returns the first word that is neither a command nor an option. It is the probable cause if the library only reports
// a missing or superfluous word.
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

std::string there_is_no(const CLI::App& app, const std::string& word) {
  const bool option = word.starts_with("-");
  const auto near = nearest(word, known_words(app, option));
  return "there is no " + std::string(option ? "option " : "command ") + "'" + word + "'" +
         (near ? "; did you mean " + *near + "?" : "");
}

}  // namespace

std::string what_is_wrong_with_the_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]).starts_with("-")) return {};
  const std::vector<std::string> known = known_words(app, false);
  const bool is_known = std::find(known.begin(), known.end(), argv[1]) != known.end();
  return is_known || &chosen(app) != &app ? std::string() : there_is_no(app, argv[1]);
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
    return there_is_no(app, *word);
  }
  if (missing && &chosen(app) == &app) return "name a command";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = error.what();
    const std::string option = text.substr(0, text.find(':'));
    const auto is_option = [&](std::string_view word) { return word.substr(0, word.find('=')) == option; };
    return option + (std::count_if(argv + 1, argv + argc, is_option) > 1 ? " may be given only once"
                                                                         : " needs a value");
  }
  if (left_over) {
    const std::string text = error.what();
    return "this command takes no '" + text.substr(text.rfind(": ") + 2) + "'";
  }
  return error.what();
}

}  // namespace splitproof::cli
