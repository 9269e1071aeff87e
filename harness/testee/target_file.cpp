#include "harness/testee/target_file.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/contract/yaml_node.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/read_answer.hpp"
#include "harness/observe/read_event.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"
#include "harness/testee/unknown_place.hpp"

namespace splitproof::testee {
namespace {

using contract::Mistake;
using contract::refuse;
using contract::scalar_text;
using contract::YamlKey;
using contract::YamlMap;
using contract::YamlNode;
using std::chrono::milliseconds;

constexpr std::string_view kReference = "reference";
constexpr std::size_t kMaxConcurrency = 1024;
constexpr std::size_t kMaxInstances = 64;
constexpr milliseconds kLongest = std::chrono::hours(1);

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

milliseconds duration_of(const YamlNode& node, std::string_view what) {
  std::string_view text = scalar_text(node, what);
  const bool thousandths = text.size() > 2 && text.substr(text.size() - 2) == "ms";
  const bool seconds = !thousandths && text.size() > 1 && text.back() == 's';
  const auto number = number_of<std::uint32_t>(text.substr(0, text.size() - (thousandths ? 2
                                                                             : seconds   ? 1
                                                                                         : text.size())));
  const milliseconds duration(std::int64_t{number.value_or(0)} * (seconds ? 1000 : 1));
  if (!number || duration <= milliseconds::zero() || duration > kLongest) {
    refuse(node.line, fmt::format("{} is '{}', which is not a duration", what, text),
           "write whole seconds or milliseconds, such as 20s or 500ms, up to an hour");
  }
  return duration;
}

// Returns a scalar that may be empty if it is in quotes.
const std::string& text_of(const YamlNode& node, std::string_view what) {
  return node.is_scalar() && node.quoted ? node.text : scalar_text(node, what);
}

// `$` before the brace belongs to a shell or to JavaScript.
void refuse_places(const YamlNode& node, std::string_view what,
                   std::initializer_list<std::string_view> places) {
  for (const std::string_view place : places) {
    const std::size_t at = node.text.find(place);
    if (at != std::string::npos && (at == 0 || node.text[at - 1] != '$'))
      refuse(node.line, fmt::format("{} has {}, which has no value there", what, place), "remove it");
  }
}

// Refuses an unknown name in braces, which would reach the program as it is.
void refuse_unknown_place(std::string_view text, std::size_t line) {
  if (const auto unknown = unknown_place(text))
    refuse(line, fmt::format("there is no name {}", *unknown), fmt::format("use {}", kPlaceNames));
}

void refuse_unknown_places(const YamlNode& node) {
  for (const YamlKey& key : node.keys) refuse_unknown_place(key.name, key.line);
  for (const YamlNode& item : node.items) refuse_unknown_places(item);
  if (node.is_scalar()) refuse_unknown_place(node.text, node.line);
}

void refuse_line_ends(const YamlNode& node, std::string_view what) {
  if (node.text.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
    refuse(node.line, fmt::format("{} must be one line", what));
}

// Checks text for the first line of a request, in which a blank would end it.
void check_path(const YamlNode& node, std::string_view what) {
  refuse_line_ends(node, what);
  if (node.text.front() != '/') {
    refuse(node.line, fmt::format("{} is '{}'", what, node.text), "begin it with '/'");
  }
  const auto foreign = [](char c) { return c <= ' ' || c >= 0x7F; };  // a char may be negative
  if (std::any_of(node.text.begin(), node.text.end(), foreign)) {
    refuse(node.line,
           fmt::format("{} has a blank or another character that is not allowed in a request line", what),
           "encode it with a percent sign, such as %20");
  }
}

std::string name_of(const YamlNode& node) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  const std::string& name = scalar_text(node, "target");
  if (name.find_first_not_of(kAllowed) != std::string::npos || name.front() == '.' || name.front() == '-') {
    refuse(node.line, fmt::format("'{}' cannot be the name of a target", name),
           "use letters, digits, '.', '_' and '-', and begin with a letter or digit");
  }
  if (name == kReference)
    refuse(node.line, fmt::format("'{}' is the name of the built-in translator", name),
           "give it another name");
  return name;
}

std::string client_of(const YamlNode& node) {
  const std::string& name = scalar_text(node, "client");
  const std::string known = "write " + dialect::client_names();
  if (dialect::find(name) == nullptr) refuse(node.line, fmt::format("'{}' is not a protocol", name), known);
  if (dialect::client_of(name) == nullptr)
    refuse(node.line, fmt::format("splitproof has no client of {}", name), known);
  return name;
}

std::string upstream_of(const YamlNode& node) {
  const std::string known = "use one of " + dialect::protocol_names();
  const std::string& name = scalar_text(node, "upstream");
  const dialect::Dialect* dialect = dialect::find(name);
  if (dialect == nullptr) refuse(node.line, fmt::format("'{}' is not a protocol", name), known);
  if (dialect->is_format)
    refuse(node.line, fmt::format("'{}' is a format, not a protocol of a provider", name), known);
  return name;
}

std::vector<std::string> command_of(const YamlNode& node) {
  if (!node.is_list() || node.items.empty()) {
    refuse(node.line, "the command must be a list of words",
           "write [PROGRAM, ARGUMENT]; [sh, -c, TEXT] runs a shell");
  }
  std::vector<std::string> words;
  for (const YamlNode& item : node.items) words.push_back(text_of(item, "a word of the command"));
  if (words.front().empty()) refuse(node.line, "the command's first word is empty", "name a program");
  return words;
}

// Calls `take` for each entry of a map of texts, with its key's place.
template <class Take>
void for_each_text(const YamlNode& node, std::string_view what, Take take) {
  if (!node.is_map()) refuse(node.line, fmt::format("{} must be a map", what), "write {NAME: TEXT}");
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlKey& key = node.keys[i];
    take(key, node.items[i], text_of(node.items[i], fmt::format("'{}'", key.name)));
  }
}

// Returns the text of a file next to the target file.
std::string text_from(const YamlNode& node, const std::filesystem::path& folder) {
  const YamlMap map(node, "a file", {"from"});
  const YamlNode& from = map.need("from");
  const std::string path = (folder / scalar_text(from, "from")).string();
  Result<std::string> text = read_file(path);
  if (!text) refuse(from.line, fmt::format("{} cannot be read", path), "name a file next to the target file");
  return *std::move(text);
}

std::map<std::string, std::string> files_of(const YamlNode& node, const std::filesystem::path& folder) {
  if (!node.is_map()) refuse(node.line, "files must be a map", "write {PATH: TEXT} or {PATH: {from: FILE}}");
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlKey& key = node.keys[i];
    const bool inside = key.name.rfind("{dir}/", 0) == 0 || key.name.rfind("{home}/", 0) == 0;
    const bool climbs = (key.name + "/").find("/../") != std::string::npos;
    if (!inside || climbs || key.name.back() == '/') {
      refuse(key.line, fmt::format("the file '{}' is outside the target's own folders", key.name),
             "begin it with {dir}/ or {home}/, without '..'");
    }
    const YamlNode& item = node.items[i];
    files[key.name] = item.is_map() ? text_from(item, folder) : text_of(item, fmt::format("'{}'", key.name));
  }
  return files;
}

std::map<std::string, std::string> env_of(const YamlNode& node) {
  std::map<std::string, std::string> env;
  for_each_text(node, "env", [&](const YamlKey& key, const YamlNode&, const std::string& text) {
    if (key.name.empty() || key.name.find('=') != std::string::npos)
      refuse(key.line, fmt::format("'{}' cannot be the name of an environment variable", key.name));
    env[key.name] = text;
  });
  return env;
}

Headers headers_of(const YamlNode& node) {
  Headers headers;
  for_each_text(node, "headers", [&](const YamlKey& key, const YamlNode& value, const std::string& text) {
    if (!is_token(key.name)) refuse(key.line, fmt::format("'{}' cannot be the name of a header", key.name));
    refuse_line_ends(value, fmt::format("the header '{}'", key.name));
    headers.push_back({key.name, text});
  });
  return headers;
}

void read_request(const YamlNode& node, TargetFile& target) {
  const YamlMap map(node, "request", {"path", "model", "headers"});
  const YamlNode& path = map.need("path");
  target.request_path = scalar_text(path, "the request's path");
  check_path(path, "the request's path");
  target.model = scalar_text(map.need("model"), "the request's model");
  if (const YamlNode* headers = map.find("headers")) target.headers = headers_of(*headers);
}

SetupStep setup_step_of(const YamlNode& node) {
  const YamlMap map(node, "a step of setup", {"run", "request", "headers", "body"});
  SetupStep step;
  if (const YamlNode* run = map.find("run")) {
    if (node.keys.size() > 1)
      refuse(node.line, "a step of setup has both a command and a request", "write two steps");
    step.run = scalar_text(*run, "run");
    return step;
  }
  const YamlNode& request = map.need("request");
  const std::string& line = scalar_text(request, "the request of setup");
  const std::size_t blank = line.find(' ');
  step.method = line.substr(0, blank);
  step.path = blank == line.npos ? "" : line.substr(blank + 1);
  const auto foreign = [](char c) { return c <= ' ' || c >= 0x7F; };
  if (!is_token(step.method) || step.path.empty() || step.path.front() != '/' ||
      std::any_of(step.path.begin(), step.path.end(), foreign))
    refuse(request.line, fmt::format("the request of setup is '{}'", line),
           "write its method and its path, such as POST /api/providers");
  if (const YamlNode* headers = map.find("headers")) step.headers = headers_of(*headers);
  if (const YamlNode* body = map.find("body")) step.body = text_of(*body, "body");
  return step;
}

std::vector<SetupStep> setup_of(const YamlNode& node) {
  if (!node.is_list())
    refuse(node.line, "setup must be a list of steps", "write - {run: COMMAND} or - {request: POST /PATH}");
  std::vector<SetupStep> steps;
  for (const YamlNode& item : node.items) steps.push_back(setup_step_of(item));
  return steps;
}

void read_ready(const YamlNode& node, TargetFile& target) {
  const YamlMap map(node, "ready", {"path", "within"});
  if (const YamlNode* path = map.find("path")) {
    target.ready_path = scalar_text(*path, "the path of ready");
    check_path(*path, "the path of ready");
  }
  if (const YamlNode* within = map.find("within")) target.ready_within = duration_of(*within, "ready within");
}

// Returns why a host has no address, or "".
std::string unknown_host(std::string host) {
  if (host.front() == '[') host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int failed = getaddrinfo(host.c_str(), nullptr, &hints, &found); failed != 0)
    return gai_strerror(failed);
  freeaddrinfo(found);
  return {};
}

// Checks HOST:PORT, in which the port may be {port}.
void check_address(const YamlNode& node, std::string_view address, bool port_is_chosen,
                   std::string_view hint) {
  const std::size_t colon = address.rfind(':');
  const std::string_view host = address.substr(0, colon == std::string_view::npos ? 0 : colon);
  const std::string_view port = colon == std::string_view::npos ? "" : address.substr(colon + 1);
  const bool bare_ipv6 =
      host.find(':') != std::string_view::npos && (host.front() != '[' || host.back() != ']');
  const bool chosen = port == "{port}" && port_is_chosen;
  if (host.empty() || bare_ipv6 || (!chosen && number_of<std::uint16_t>(port).value_or(0) == 0))
    refuse(node.line, fmt::format("'{}' is not an address to listen on", node.text), std::string(hint));
  if (const std::string why = unknown_host(std::string(host)); !why.empty())
    refuse(node.line, fmt::format("the host '{}' is unknown: {}", host, why), std::string(hint));
}

void check_listen(const YamlNode& node, bool port_is_chosen) {
  constexpr std::string_view kScheme = "http://";
  const std::string_view hint = port_is_chosen ? "write http://127.0.0.1:{port}, or a fixed port"
                                               : "write the URL of the target, such as http://127.0.0.1:3456";
  std::string_view url = scalar_text(node, "listen");
  refuse_line_ends(node, "listen");
  if (url.substr(0, kScheme.size()) != kScheme)
    refuse(node.line, fmt::format("'{}' is not an address to listen on", url), std::string(hint));
  url.remove_prefix(kScheme.size());
  check_address(node, url.substr(0, url.find('/')), port_is_chosen, hint);
}

// Checks the keys of a kind: `needed` must exist, `foreign` must not.
void check_keys(const YamlNode& node, const YamlMap& map, std::string_view kind,
                std::initializer_list<std::string_view> needed,
                std::initializer_list<std::string_view> foreign, std::string_view hint = "remove it") {
  for (const std::string_view key : needed) {
    if (map.find(key) == nullptr)
      refuse(node.line, fmt::format("{} lacks the key '{}'", kind, key), "add it");
  }
  for (const YamlKey& key : node.keys) {
    if (std::find(foreign.begin(), foreign.end(), key.name) != foreign.end())
      refuse(key.line, fmt::format("{} cannot have '{}'", kind, key.name), std::string(hint));
  }
}

TargetFile::Kind kind_of(const YamlNode& node) {
  const std::string& kind = scalar_text(node, "kind");
  if (kind == "in-process") return TargetFile::Kind::in_process;
  if (kind == "pipe") return TargetFile::Kind::pipe;
  if (kind == "http") return TargetFile::Kind::http;
  refuse(node.line, fmt::format("there is no kind '{}'", kind), "write in-process, pipe or http");
}

// Checks the keys that a target of its kind needs and must not have.
void check_kind(const YamlNode& node, const YamlMap& map, TargetFile& target, bool runs_already) {
  if (target.kind == TargetFile::Kind::in_process) {
    check_keys(node, map, "an in-process target", {"library"},
               {"install", "version", "command", "files", "env", "listen", "upstream_listen", "request",
                "ready", "setup", "timeout", "network", "isolation", "instances", "transport"});
    target.library = scalar_text(map.need("library"), "library");
    refuse_places(map.need("library"), "library",
                  {"{dir}", "{home}", "{port}", "{upstream}", "{upstream_port}"});
    if (const YamlNode* variant = map.find("variant")) target.variant = scalar_text(*variant, "variant");
  } else if (target.kind == TargetFile::Kind::pipe) {
    check_keys(node, map, "a pipe target", {"command"},
               {"listen", "upstream_listen", "request", "ready", "setup", "library", "variant", "transport"});
  } else if (runs_already) {
    check_keys(node, map, "a target that already runs (with 'upstream_listen')", {"listen", "request"},
               {"command", "install", "version", "files", "env", "setup", "network", "isolation", "instances",
                "library", "variant"},
               "remove it, or remove 'upstream_listen' if splitproof must start the target");
  } else {
    check_keys(node, map, "an http target without 'upstream_listen'", {"command", "request"},
               {"library", "variant"});
  }
}

// Reads the keys of a target that is a client: what it reads, and of whose streams.
void read_client(const YamlNode& node, const YamlMap& map, TargetFile& target) {
  const YamlNode& tests = map.need("tests");
  if (scalar_text(tests, "tests") != "client")
    refuse(tests.line, fmt::format("tests is '{}'", tests.text),
           "write client, or remove it to test a proxy");
  check_keys(node, map, "a target with 'tests: client'", {"reads"}, {"upstream"});
  const YamlNode& reads = map.need("reads");
  const bool of_events = scalar_text(reads, "reads") == "events";
  if (!of_events && reads.text != "answer")
    refuse(reads.line, fmt::format("reads is '{}'", reads.text), "write events or answer");
  if (target.kind != TargetFile::Kind::pipe)
    refuse(map.need("kind").line,
           fmt::format("a target with 'reads: {}' is a program over a pipe", reads.text), "write kind: pipe");
  const YamlNode& streams = map.need("client");
  if (!of_events) {
    target.client = observe::kAnswerReader;
    target.upstream = upstream_of(streams);
    if (dialect::upstream_of(target.upstream) == nullptr)
      refuse(streams.line, fmt::format("splitproof cannot read streams of '{}'", streams.text),
             fmt::format("write {}", dialect::upstream_names()));
    return;
  }
  target.client = observe::kEventReader;
  target.upstream = kAnyStream;
  if (scalar_text(streams, "client") == kAnyStream) return;
  const dialect::Dialect* dialect = dialect::find(streams.text);
  if (dialect == nullptr || dialect::format_of(streams.text).framing != Framing::sse)
    refuse(streams.line, fmt::format("'{}' is not a protocol with event streams", streams.text),
           "write any, for the streams of all protocols, or the name of one");
  target.upstream = streams.text;
}

void read_isolation(const YamlMap& map, TargetFile& target) {
  if (const YamlNode* network = map.find("network")) {
    if (scalar_text(*network, "network") != "none")
      refuse(network->line, fmt::format("network is '{}'", network->text), "write none, or remove it");
    target.has_network = false;
  }
  if (const YamlNode* isolation = map.find("isolation")) {
    if (scalar_text(*isolation, "isolation") != "none")
      refuse(isolation->line, fmt::format("isolation is '{}'", isolation->text), "write none, or remove it");
    if (!target.has_network)
      refuse(isolation->line, "a target with 'network: none' cannot have 'isolation: none'",
             "remove one of them");
    target.is_isolated = false;
  }
}

std::size_t count_of(const YamlNode& node, std::string_view key, std::size_t most) {
  const std::size_t count = number_of<std::size_t>(scalar_text(node, key)).value_or(0);
  if (count == 0 || count > most)
    refuse(node.line, fmt::format("{} is '{}'", key, node.text),
           fmt::format("write a number from 1 to {}", most));
  return count;
}

void read_concurrency(const YamlMap& map, TargetFile& target) {
  const YamlNode* former = map.find("at_once");
  const YamlNode* count = map.find("max_concurrency");
  if (former != nullptr && count != nullptr)
    refuse(former->line, "'at_once' is the old name of 'max_concurrency', and the file has both",
           "remove it");
  if (former != nullptr || count != nullptr) {
    const char* key = former != nullptr ? "at_once" : "max_concurrency";
    if (count == nullptr) count = former;
    target.max_concurrency = count_of(*count, key, kMaxConcurrency);
  }
}

// Instances share the folder {dir}, and nothing else.
void read_instances(const YamlMap& map, TargetFile& target) {
  const YamlNode* instances = map.find("instances");
  if (instances == nullptr) return;
  target.instances = count_of(*instances, "instances", kMaxInstances);
  if (target.instances == 1) return;
  const auto needs_own = [&](const YamlNode& node, const std::string& what, const char* hint) {
    refuse(node.line, fmt::format("{} instances cannot share {}", target.instances, what), hint);
  };
  if (const YamlNode* upstream = map.find("upstream_listen"))
    needs_own(*upstream, "the address of one upstream", "remove upstream_listen, and use {upstream}");
  if (!target.listen.empty() && target.listen.find("{port}") == std::string::npos)
    needs_own(*map.find("listen"), "one port", "write http://127.0.0.1:{port}");
  for (const auto& entry : target.files)
    if (entry.first.starts_with("{dir}/"))
      needs_own(*map.find("files"), "the file '" + entry.first + "'", "write it below {home}");
}

// Reads `cannot`. A client lists members of its answers there, which are no features of recordings.
void read_cannot(const YamlNode& node, TargetFile& target) {
  const std::vector<std::string> words = contract::scalar_texts(node, "cannot");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_member = std::find(std::begin(observe::kReportable), std::end(observe::kReportable),
                                     words[i]) != std::end(observe::kReportable);
    if (is_member && target.client == observe::kAnswerReader) {
      target.unreported.push_back(words[i]);
      continue;
    }
    target.cannot.push_back(words[i]);
    target.cannot_lines.push_back(node.is_list() ? node.items[i].line : node.line);
  }
}

// Reads `transport: {client: websocket, upstream: websocket}`.
void read_transport(const YamlMap& map, TargetFile& target) {
  const YamlNode* transport = map.find("transport");
  if (transport == nullptr) return;
  const YamlMap sides(*transport, "transport", {"client", "upstream"});
  const auto speaks_socket = [&](const char* side, const std::string& protocol) {
    const YamlNode* node = sides.find(side);
    if (node == nullptr) return false;
    const std::string& word = scalar_text(*node, side);
    if (word != "websocket" && word != "http")
      refuse(node->line, fmt::format("the transport of the {} is '{}'", side, word),
             "write websocket or http");
    if (word == "websocket" && dialect::socket_form_of(protocol) == nullptr)
      refuse(node->line, fmt::format("{} is not spoken over WebSocket", protocol),
             fmt::format("remove it; {} is", dialect::socket_names()));
    return word == "websocket";
  };
  target.client_socket = speaks_socket("client", target.client);
  target.upstream_socket = speaks_socket("upstream", target.upstream);
}

TargetFile read_target(const YamlNode& node, const std::filesystem::path& folder) {
  const YamlMap map(node, "a target", {"target",          "kind",      "client",    "upstream", "install",
                                       "version",         "command",   "files",     "env",      "listen",
                                       "upstream_listen", "request",   "ready",     "setup",    "timeout",
                                       "max_concurrency", "at_once",   "network",   "cannot",   "library",
                                       "variant",         "isolation", "instances", "tests",    "reads",
                                       "coverage",        "transport", "turns"});
  refuse_unknown_places(node);
  TargetFile target;
  target.name = name_of(map.need("target"));
  target.kind = kind_of(map.need("kind"));
  if (map.find("tests") != nullptr) {
    read_client(node, map, target);
  } else {
    if (const YamlNode* reads = map.find("reads"))
      refuse(reads->line, "'reads' belongs to a target with 'tests: client'",
             "add that key, or remove this one");
    target.client = client_of(map.need("client"));
    target.upstream = upstream_of(map.need("upstream"));
  }

  if (const YamlNode* turns = map.find("turns")) {
    if (target.client != observe::kAnswerReader)
      refuse(turns->line, "'turns' belongs to a target with 'reads: answer'", "remove it");
    if (scalar_text(*turns, "turns") != "2")
      refuse(turns->line, fmt::format("turns is '{}'", turns->text), "write 2, or leave it out for one turn");
    if (dialect::client_of(target.upstream) == nullptr)
      refuse(turns->line, fmt::format("splitproof cannot continue a conversation of {}", target.upstream),
             "remove 'turns'");
    target.continues = true;
  }

  const bool pipe = target.kind == TargetFile::Kind::pipe;
  const bool runs_already = target.kind == TargetFile::Kind::http && map.find("upstream_listen") != nullptr &&
                            map.find("command") == nullptr;
  check_kind(node, map, target, runs_already);

  for (const auto& [key, text] :
       {std::pair{"install", &target.install}, std::pair{"version", &target.version}}) {
    const YamlNode* value = map.find(key);
    if (value == nullptr) continue;
    *text = scalar_text(*value, key);
    refuse_places(*value, key, {"{home}", "{port}", "{upstream}", "{upstream_port}"});
  }
  if (const YamlNode* command = map.find("command")) {
    target.command = command_of(*command);
    for (const YamlNode& word : command->items) {
      if (pipe)
        refuse_places(word, "the command of a pipe target", {"{port}", "{upstream}", "{upstream_port}"});
    }
  }
  if (const YamlNode* files = map.find("files")) target.files = files_of(*files, folder);
  if (const YamlNode* env = map.find("env")) target.env = env_of(*env);
  if (const YamlNode* listen = map.find("listen")) {
    check_listen(*listen, !runs_already);
    target.listen = listen->text;
    while (target.listen.back() == '/') target.listen.pop_back();
  }
  if (const YamlNode* upstream = map.find("upstream_listen")) {
    target.upstream_listen = scalar_text(*upstream, "upstream_listen");
    check_address(*upstream, target.upstream_listen, false, "write HOST:PORT, such as 127.0.0.1:4000");
  }
  if (const YamlNode* request = map.find("request")) read_request(*request, target);
  if (const YamlNode* ready = map.find("ready")) read_ready(*ready, target);
  if (const YamlNode* setup = map.find("setup")) target.setup = setup_of(*setup);
  if (const YamlNode* timeout = map.find("timeout")) target.timeout = duration_of(*timeout, "timeout");
  read_transport(map, target);
  read_isolation(map, target);
  read_concurrency(map, target);
  read_instances(map, target);
  if (const YamlNode* coverage = map.find("coverage"))
    target.coverage = coverage_of(*coverage, {.is_in_process = target.kind == TargetFile::Kind::in_process,
                                              .is_started = !target.command.empty(),
                                              .is_single = target.instances == 1,
                                              .has_network = target.has_network});
  if (const YamlNode* cannot = map.find("cannot")) read_cannot(*cannot, target);
  return target;
}

}  // namespace

Result<TargetFile> load_target_file(const std::string& path) {
  try {
    const YamlNode node = contract::read_yaml(path);
    TargetFile target = read_target(node, std::filesystem::path(path).parent_path());
    target.path = path;
    return target;
  } catch (Mistake& mistake) {
    mistake.error.file = path;
    return tl::unexpected(std::move(mistake.error));
  }
}

std::string filled(const std::string& text, const Places& places) {
  const std::array<std::pair<std::string_view, const std::string*>, 5> names{
      {{"{dir}", &places.dir},
       {"{home}", &places.home},
       {"{port}", &places.port},
       {"{upstream}", &places.upstream},
       {"{upstream_port}", &places.upstream_port}}};
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto name = std::find_if(names.begin(), names.end(), [&](const auto& candidate) {
      return text.compare(at, candidate.first.size(), candidate.first) == 0;
    });
    if (name == names.end()) {
      result += text[at++];
    } else {
      result += *name->second;
      at += name->first.size();
    }
  }
  return result;
}

}  // namespace splitproof::testee
