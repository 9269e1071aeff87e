#include "harness/wiring/advice.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "harness/dialect/registry.hpp"
#include "harness/lower_case.hpp"
#include "harness/visible.hpp"

namespace splitproof::wiring {
namespace {

constexpr int kFirstError = 400;
constexpr int kUnauthorised = 401;
constexpr int kForbidden = 403;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

// A variable of the environment that a text names, with a value for it. The name is empty if the text names none.
struct MissingVariable {
  std::string name;
  std::string value;
};

MissingVariable variable_in(const std::string& text) {
  static const std::regex kName("\\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\\b");
  for (std::sregex_iterator match(text.begin(), text.end(), kName), end; match != end; ++match) {
    const std::string name = match->str();
    if (name.starts_with("ERR_")) continue;
    if (has_any(name, {"KEY", "TOKEN", "SECRET"})) return {name, "sk-splitproof"};
    if (has_any(name, {"URL", "BASE", "ENDPOINT", "UPSTREAM", "HOST"})) return {name, "{upstream}"};
    if (has_any(name, {"PORT"})) return {name, "{port}"};
  }
  return {};
}

std::string set_variable(const MissingVariable& variable, Advised advised) {
  return advised == Advised::command_line
             ? "put it before the command: '" + variable.name + "=" + variable.value + " COMMAND'"
             : "add to `env`: " + variable.name + ": \"" + variable.value + "\"";
}

// An address on this machine that a text names, such as "127.0.0.1:9999", unless it is the proxy's or the stand-in's.
std::string foreign_address(const std::string& text, const std::vector<std::string>& own) {
  static const std::regex kAddress("(?:127\\.0\\.0\\.1|localhost|\\[?::1\\]?)(?::| port )(\\d{1,5})\\b");
  for (std::sregex_iterator match(text.begin(), text.end(), kAddress), end; match != end; ++match) {
    const std::string port = (*match)[1];
    if (std::find(own.begin(), own.end(), port) == own.end()) return "127.0.0.1:" + port;
  }
  return {};
}

std::string advice_on_missing_call(const FailedProbe& failed, Advised advised) {
  const bool by_command = advised == Advised::command_line;
  const std::string text = failed.probe.reply.body + "\n" + failed.said;
  if (const std::string address = foreign_address(text, failed.own); !address.empty()) {
    return "its upstream is " + address + ": " +
           (by_command ? "add --upstream-listen " + address : "write `upstream_listen: " + address + "`");
  }
  if (const int status = failed.probe.status(); status == kUnauthorised || status == kForbidden) {
    return by_command ? "give the key that it asks for: --header 'authorization: Bearer KEY'"
                      : "give the key that it asks for: `request: {headers: {authorization: Bearer KEY}}`";
  }
  if (const MissingVariable variable = variable_in(text); !variable.name.empty())
    return set_variable(variable, advised);
  if (failed.probe.status() >= kFirstError && lower_case(failed.probe.reply.body).find("model") != text.npos)
    return by_command ? "name a model that it has: --model NAME"
                      : "name a model that it has: `request: {model: NAME}`";
  if (failed.file.command.empty()) {
    return "start the proxy with http://" + failed.file.upstream_listen + " as the address of its upstream";
  }
  return by_command
             ? "put {upstream} into the command where it takes the address of its upstream, such as "
               "'UPSTREAM_URL={upstream}/v1 COMMAND'"
             : "put {upstream} into `command`, `env` or `files` where it takes the address of its upstream";
}

}  // namespace

std::string error_line(std::string_view said) {
  std::istringstream lines{std::string(said)};
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos) continue;
    line.erase(0, begin);
    if (lower_case(line).find("error") != line.npos) return line;
    last = line;
  }
  return last;
}

std::string clipped(std::string_view text, std::size_t most) {
  const std::string line = visible(text.substr(0, most));
  return text.size() > most ? line + "..." : line;
}

std::string advice_on_start(std::string_view said, Advised advised) {
  const std::string text(said);
  if (const MissingVariable variable = variable_in(text); !variable.name.empty())
    return set_variable(variable, advised);
  if (has_any(text, {"EADDRINUSE", "ddress already in use"}))
    return "end what listens at its port, or put {port} into the command";
  if (text.find("listens at a port") != text.npos)
    return "put {port} into the command where it takes its port; it must keep running and listen";
  return advised == Advised::command_line
             ? "correct the command: it must keep running when a shell starts it here"
             : "correct `command`: it must keep running";
}

std::string advice_on_probe(const FailedProbe& failed, Advised advised) {
  const bool by_command = advised == Advised::command_line;
  const ClientProbe& probe = failed.probe;
  if (!probe.calls.empty() && probe.call() == nullptr)
    return "point it to an upstream that speaks " + dialect::upstream_names();
  switch (probe.reach) {
    case ProbeReach::nothing:
      if (probe.calls.empty()) {
        return by_command ? "name the client's protocol and its path: --client " +
                                (probe.client.empty() ? "PROTOCOL" : probe.client) + " --path /PATH"
                          : "correct the path: `request: {path: /PATH}`";
      }
      break;
    case ProbeReach::refused:
      return advice_on_missing_call(failed, advised);
    case ProbeReach::called:
      return "look into its log: it does not take a plain answer of " + probe.call()->protocol;
    case ProbeReach::answered:
      if (probe.calls.empty()) return advice_on_missing_call(failed, advised);
      return by_command ? "name the client's protocol and its path: --client PROTOCOL --path /PATH"
                        : "correct `client` and the path of `request`";
    case ProbeReach::streamed:
    case ProbeReach::read:
      break;
  }
  return {};
}

}  // namespace splitproof::wiring
