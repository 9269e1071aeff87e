#include "harness/cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/nearest.hpp"
#include "harness/cli/wrong_arguments.hpp"

namespace splitproof::cli {
namespace {

CLI::Validator checked(const std::function<std::string(const std::string&)>& what_is_wrong) {
  return CLI::Validator([=](std::string& text) { return what_is_wrong(text); }, "");
}

// Refuses numbers that a conversion would wrap, and values beyond a machine's capacity.
CLI::Validator whole_number(Range range) {
  return checked([=](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value >= range.least && value <= range.most
               ? std::string()
               : "'" + text + "' is not a whole number from " + std::to_string(range.least) + " to " +
                     std::to_string(range.most);
  });
}

std::optional<std::chrono::seconds> duration_of(std::string_view text) {
  constexpr std::chrono::seconds kMost = std::chrono::hours(168);
  std::int64_t value = 0;
  const char* last = text.data() + text.size() - (text.empty() ? 0 : 1);
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < 1 || value > kMost.count()) return std::nullopt;
  const std::int64_t unit = *last == 's' ? 1 : *last == 'm' ? 60 : *last == 'h' ? 3600 : 0;
  const std::chrono::seconds time(value * unit);
  return time > kMost || unit == 0 ? std::nullopt : std::optional(time);
}

// Prints what is wrong and how to get help, in one line. `program`: "splitproof run", or "splitproof" without a command.
int complain(const std::string& wrong, const std::string& program) {
  std::cerr << "splitproof: " << wrong << (wrong.ends_with('?') ? " For" : "; for") << " help run " << program
            << " --help\n";
  return kWrongInput;
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::type(const char* name) {
  option_->type_name(name);
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& words) {
  option_->check(checked([=](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    const auto near = nearest(text, words);
    return "'" + text + "' is not " + (words.size() > 1 ? "one of " : "") + CLI::detail::join(words, ", ") +
           (near ? "; did you mean " + *near + "?" : "");
  }));
  return *this;
}

Option& Option::path() {
  option_->check(checked([](const std::string& text) {
    return text.empty() ? std::string("a path is missing") : std::string();
  }));
  return *this;
}

Option Options::flag(const char* name, bool& to, const std::string& does) {
  return Option(app_.add_flag(name, to, does));
}

Option Options::text(const char* name, std::string& to, const std::string& does) {
  return Option(app_.add_option(name, to, does));
}

Option Options::texts(const char* name, std::vector<std::string>& to, const std::string& does) {
  return Option(app_.add_option(name, to, does));
}

Option Options::number(const char* name, std::uint64_t& to, Range range, const std::string& does) {
  return Option(app_.add_option(name, to, does)->check(whole_number(range)));
}

Option Options::number(const char* name, unsigned& to, Range range, const std::string& does) {
  return Option(app_.add_option(name, to, does)->check(whole_number(range)));
}

Option Options::time(const char* name, std::chrono::seconds& to, const std::string& does) {
  const auto check = checked([](const std::string& text) {
    return duration_of(text)
               ? std::string()
               : "'" + text + "' is not a duration: write 30s, 10m or 1h, at least 1s and at most 168h";
  });
  return Option(app_.add_option_function<std::string>(
                        name, [&to](const std::string& text) { to = *duration_of(text); }, does)
                    ->check(check));
}

int run_chosen(const std::vector<const Command*>& commands, int argc, char** argv) {
  CLI::App app("The conformance suite for LLM streaming proxies.", "splitproof");
  app.set_version_flag("--version", "splitproof " SPLITPROOF_VERSION);
  app.require_subcommand(1);
  app.footer("Example:\n  splitproof run --splits 64");
  std::map<std::string, std::function<int()>> runs;
  for (const Command* command : commands) {
    CLI::App& own = *app.add_subcommand(command->name, command->does);
    own.footer(std::string("Example:\n  ") + command->example);
    Options options(own, argv);
    runs[command->name] = command->add(options);
  }
  // `splitproof help run` is `splitproof run --help`.
  std::string help_option = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help_option.data());
  }
  argc = static_cast<int>(words.size());
  argv = words.data();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    const std::string wrong = what_is_wrong_with_the_command(app, argc, argv);
    return wrong.empty() ? app.exit(help) : complain(wrong, "splitproof");
  } catch (const CLI::ParseError& error) {
    return complain(what_is_wrong(app, error, argc, argv),
                    &chosen(app) == &app ? "splitproof" : "splitproof " + chosen(app).get_name());
  }
  return runs.at(chosen(app).get_name())();
}

int run_alone(const Command& program, int argc, char** argv) {
  CLI::App app(program.does, program.name);
  app.footer(std::string("Example:\n  ") + program.example);
  Options options(app, argv);
  const auto run = program.add(options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(what_is_wrong(app, error, argc, argv), program.name);
  }
  return run();
}

}  // namespace splitproof::cli
