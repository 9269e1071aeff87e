#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace splitproof::cli {

/// One option of a command. Its functions add details.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();

  /// Sets the word for its value in the help, such as FILE.
  Option& type(const char* name);

  /// Shows its default in the help.
  Option& shows_default();

  /// Accepts only these words. The error for another word suggests a similar one.
  Option& one_of(const std::vector<std::string>& words);

  /// Refuses the empty string: it comes from an unset variable in a script.
  Option& path();

 private:
  CLI::Option* option_;
};

/// The smallest and the greatest number that an option takes.
struct Range {
  std::uint64_t least = 0;
  std::uint64_t most = ~std::uint64_t{0};
};

/// The options of one command. An option that is not given leaves its variable unchanged. A name without
/// dashes, such as FILE, is a positional argument.
class Options {
 public:
  Options(CLI::App& app, char** words) : app_(app), words_(words) {}

  Option flag(const char* name, bool& to, const std::string& does);
  Option text(const char* name, std::string& to, const std::string& does);
  Option texts(const char* name, std::vector<std::string>& to, const std::string& does);

  /// A whole number within the range.
  Option number(const char* name, std::uint64_t& to, Range range, const std::string& does);
  Option number(const char* name, unsigned& to, Range range, const std::string& does);

  /// "30s", "10m" or "1h".
  Option time(const char* name, std::chrono::seconds& to, const std::string& does);

  /// The arguments of the program: argv.
  char** words() const { return words_; }

 private:
  CLI::App& app_;
  char** words_;
};

/// A command of the program.
struct Command {
  const char* name;
  const char* does;
  const char* example;

  /// Adds the options. Returns the function that runs the command after they are parsed; its result is the
  /// exit code.
  std::function<std::function<int()>(Options& options)> add;
};

/// Makes `Command::add` for a command with the options `Asked`: `add` declares them, and `run` runs the
/// command.
template <class Asked>
auto adding(void (*add)(Options&, Asked&), int (*run)(const Asked&)) {
  return [=](Options& options) -> std::function<int()> {
    const auto asked = std::make_shared<Asked>();
    add(options, *asked);
    return [=] { return run(*asked); };
  };
}

/// Parses the command line, runs the chosen command and returns the exit code. Prints help and version on
/// standard output. An error is printed on standard error, with a suggestion if a known word is similar; the
/// exit code is then 2.
int run_chosen(const std::vector<const Command*>& commands, int argc, char** argv);

/// The same for a program that is one command. Its name is the command's.
int run_alone(const Command& program, int argc, char** argv);

}  // namespace splitproof::cli
