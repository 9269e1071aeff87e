#include "proxy/server/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "proxy/dialect/table.hpp"
#include "proxy/knobs.hpp"

namespace splitproof::server {
namespace {

constexpr int kWrongUsage = 2;
constexpr std::size_t kNear = 3;  // edits between a mistyped and an existing option

std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc,
                          const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument(argv[i]);
    const std::string word = argument.substr(0, argument.find('='));
    if (!word.starts_with("--")) continue;
    std::string nearest;
    std::size_t least = kNear + 1;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        const std::size_t distance = edits(word, "--" + name);
        if (distance < least) nearest = "--" + name;
        least = std::min(least, distance);
      }
    }
    if (least > 0) {
      return "there is no option '" + word + "'" + (nearest.empty() ? "" : "; did you mean " + nearest + "?");
    }
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string text = error.what();
    return text.substr(0, text.find(':')) + " needs a value";
  }
  return error.what();
}

// Joins one column of the rows as alternatives.
template <class Row>
std::string any_of(std::span<const Row> rows, std::string_view Row::*of) {
  std::string text;
  for (const Row& row : rows) text.append(text.empty() ? "" : " or ").append(row.*of);
  return text;
}

// Lists the knobs of the configuration with their answers.
std::string knobs_text() {
  std::string text =
      "Knobs of the configuration (docs/profiles.md); the first value of each is the default:\n";
  TranslatorOptions options;
  each_knob(options, [&](const char* name, const auto&, const auto& values) {
    std::string answers;
    for (const auto& value : values) answers.append(answers.empty() ? "" : "|").append(value.first);
    text.append("  ").append(name).append(": ").append(answers).append("\n");
  });
  return text;
}

}  // namespace

std::variant<EarlyExit, ServeCommand> parse_arguments(int argc, const char* const* argv) {
  using proxy::dialect::ClientRow;
  using proxy::dialect::UpstreamRow;
  const auto upstreams = proxy::dialect::upstreams();
  const std::string protocols = any_of(upstreams, &UpstreamRow::protocol);
  ServeCommand command;
  CLI::App app("Serves " + any_of(proxy::dialect::clients(), &ClientRow::title) + " clients from an " +
                   any_of(upstreams, &UpstreamRow::title) + " upstream.",
               "splitproof-proxy");
  app.set_version_flag("--version", "splitproof-proxy " SPLITPROOF_VERSION);
  app.footer(knobs_text() + "\nExample:\n  splitproof-proxy --listen 127.0.0.1:8080 --upstream " +
             std::string(upstreams.front().example_base));
  app.add_option("--listen", command.listen, "address to listen on; port 0 lets the system choose a port")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  std::string sockets;
  for (const UpstreamRow& row : upstreams) {
    if (row.socket != nullptr) sockets.append(sockets.empty() ? "" : ", ").append(row.protocol);
  }
  app.add_option("--upstream", command.upstream,
                 "base URL of the upstream; the proxy sends requests to URL" +
                     any_of(upstreams, &UpstreamRow::path) + "; with ws:// or wss:// over a WebSocket (" +
                     sockets + ")")
      ->required()
      ->type_name("URL");
  app.add_option("--upstream-protocol", command.upstream_protocol,
                 "protocol of the upstream: " + protocols +
                     " (default: the protocol of the profile, otherwise " +
                     std::string(upstreams.front().protocol) + ")")
      ->check(CLI::Validator(
          [&](const std::string& text) {
            return proxy::dialect::find_upstream(text) != nullptr ? "" : "'" + text + "' is not " + protocols;
          },
          ""))
      ->type_name("P");
  // An empty value comes from an unset variable in a script. It must not select the defaults.
  const std::function<std::string(const std::string&)> not_empty = [](const std::string& text) {
    return text.empty() ? "the value is empty" : "";
  };
  app.add_option(
         "--profile", command.profile,
         "profile that sets the knobs: a name, such as windsurf, or a YAML file; --config overrides it")
      ->check(not_empty, "")
      ->type_name("NAME|FILE");
  app.add_option("--config", command.config, "YAML file with limits, timeouts, knobs and models")
      ->check(not_empty, "")
      ->type_name("FILE");
  std::map<std::string, relay::Form> forms;
  for (const auto& [name, form] : relay::forms()) forms.emplace(name, form);
  app.add_option("--relay", command.relay,
                 "how to relay streams that need no translation: unchanged bytes, or encoded again")
      ->transform(CLI::CheckedTransformer(forms).description(""))
      ->type_name("raw|encode");
  app.add_option("--seed", command.seed, "seed of the ids in every stream (default: random)")
      ->check(CLI::Validator(
          [](const std::string& text) {
            std::uint64_t seed = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
            const bool whole = error == std::errc() && end == text.data() + text.size();
            return whole ? "" : "'" + text + "' is not a whole number from 0 to 18446744073709551615";
          },
          ""))
      ->type_name("S");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return EarlyExit{app.exit(help)};
  } catch (const CLI::ParseError& error) {
    std::cerr << "splitproof-proxy: " << what_is_wrong(app, error, argc, argv)
              << "\nsplitproof-proxy: for help run splitproof-proxy --help\n";
    return EarlyExit{kWrongUsage};
  }
  return command;
}

}  // namespace splitproof::server
