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

/// One option of a command, to be told more of.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();

  /// What stands for its value in the help.
  Option& type(const char* name);

  /// The help shows the value that it has if it is not given.
  Option& shows_default();

  /// It takes these words alone, and says which one is near to another.
  Option& one_of(const std::vector<std::string>& words);

  /// It refuses the empty word, which an unset variable of a script leaves.
  Option& path();

 private:
  CLI::Option* option_;
};

/// The smallest and the greatest number that an option takes.
struct Range {
  std::uint64_t least = 0;
  std::uint64_t most = ~std::uint64_t{0};
};

/// The options of one command. Each names where its value goes, which is left alone if it is not given. A name without dashes is that of a
/// word that stands at its place, such as FILE.
class Options {
 public:
  Options(CLI::App& app, char** words) : app_(app), words_(words) {}

  Option flag(const char* name, bool& to, const std::string& does);
  Option text(const char* name, std::string& to, const std::string& does);
  Option texts(const char* name, std::vector<std::string>& to, const std::string& does);

  /// A whole number. What a conversion would wrap round is refused.
  Option number(const char* name, std::uint64_t& to, Range range, const std::string& does);
  Option number(const char* name, unsigned& to, Range range, const std::string& does);

  /// "30s", "10m" or "1h".
  Option time(const char* name, std::chrono::seconds& to, const std::string& does);

  /// The words of the command line, as the program got them.
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

  /// Adds its options, and returns what runs it once they are read. That prints, and returns the program's exit code.
  std::function<std::function<int()>(Options& options)> add;
};

/// Of a command whose options go into an `Asked`: `add` adds them, and `run` does what is asked.
template <class Asked>
auto adding(void (*add)(Options&, Asked&), int (*run)(const Asked&)) {
  return [=](Options& options) -> std::function<int()> {
    const auto asked = std::make_shared<Asked>();
    add(options, *asked);
    return [=] { return run(*asked); };
  };
}

/// Reads the command line and runs the command that it names: returns the exit code. Prints help and version on standard output; a
/// mistake goes to standard error, with a suggestion where a known word is near, and ends with exit code 2.
int run_chosen(const std::vector<const Command*>& commands, int argc, char** argv);

}  // namespace splitproof::cli
