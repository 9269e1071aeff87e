#include "harness/cli/wiring_draft.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/testee/unknown_place.hpp"

namespace splitproof::cli {
namespace {

constexpr const char* kKey = "sk-splitproof";
constexpr std::size_t kConcurrency = 4;

// The name of the working directory, as a target may be called.
std::string name_of_target() {
  std::error_code failed;
  std::string name = std::filesystem::current_path(failed).filename().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' && c != '-') c = '-';
  name.erase(0, std::min(name.find_first_not_of(".-"), name.size()));
  return name.empty() || name == "reference" ? "proxy" : name;
}

bool has_names_in_braces(const std::string& command) {
  for (const char* name : {"{port}", "{upstream}", "{upstream_port}"})
    if (command.find(name) != command.npos) return true;
  return false;
}

void add_environment(testee::TargetFile& target, bool with_addresses) {
  if (with_addresses) {
    target.env["PORT"] = "{port}";
    for (const dialect::AddressVariable& variable : dialect::address_variables())
      target.env[std::string(variable.name)] = "{upstream}" + std::string(variable.suffix);
  }
  for (const std::string_view name : dialect::key_variables())
    if (std::getenv(std::string(name).c_str()) == nullptr) target.env[std::string(name)] = kKey;
}

Result<void> add_headers(testee::TargetFile& target, const std::vector<std::string>& headers) {
  for (const std::string& text : headers) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    if (colon == text.npos || !testee::is_token(name) || text.find_first_of("\r\n") != text.npos) {
      return tl::unexpected(Error{"--header '" + text + "' is not a header",
                                  {},
                                  0,
                                  "write NAME: VALUE, such as 'x-api-key: sk-test'"});
    }
    target.headers.push_back({name, std::string(testee::without_blanks(text.substr(colon + 1)))});
  }
  for (const auto& [name, value] :
       {std::pair{"authorization", std::string("Bearer ") + kKey}, std::pair{"x-api-key", std::string(kKey)}})
    if (testee::find_header(target.headers, name) == nullptr) target.headers.push_back({name, value});
  return {};
}

Result<void> check_protocols(const WiringOptions& wiring) {
  if (!wiring.client.empty() && dialect::client_of(wiring.client) == nullptr)
    return tl::unexpected(Error{"--client " + wiring.client + " is not a protocol of clients",
                                {},
                                0,
                                "write " + dialect::client_names()});
  if (!wiring.upstream.empty() && dialect::upstream_of(wiring.upstream) == nullptr)
    return tl::unexpected(Error{"--upstream " + wiring.upstream + " is not a protocol of upstreams",
                                {},
                                0,
                                "write " + dialect::upstream_names()});
  if (!wiring.path.empty() && wiring.path.front() != '/')
    return tl::unexpected(Error{"--path " + wiring.path + " is not a path", {}, 0, "begin it with /"});
  return {};
}

}  // namespace

void add_wiring(Options& options, WiringOptions& wiring) {
  options
      .text("--url", wiring.url, "a proxy that runs already: where it listens, such as http://127.0.0.1:8080")
      .type("URL");
  options
      .text("--upstream-listen", wiring.upstream_listen,
            "where the proxy expects its upstream, if that address is fixed")
      .type("HOST:PORT");
  options.text("--client", wiring.client, "protocol of the clients (default: all are tried)")
      .type("PROTOCOL");
  options.text("--upstream", wiring.upstream, "protocol of the upstream (default: what the proxy calls)")
      .type("PROTOCOL");
  options.text("--path", wiring.path, "path of the clients' requests (default: the usual paths)")
      .type("PATH");
  options.text("--model", wiring.model, "model that requests ask for").type("NAME");
  options.texts("--header", wiring.headers, "header of requests, such as 'x-api-key: KEY' (repeatable)")
      .type("'NAME: VALUE'");
}

Result<testee::TargetFile> draft_of(const WiringOptions& wiring) {
  const bool runs_already = !wiring.url.empty();
  if (runs_already != wiring.command.empty()) {
    return tl::unexpected(Error{
        runs_already ? "a command and --url exclude each other" : "neither a command nor --url is given",
        {},
        0,
        "give the command that starts the proxy, or --url and --upstream-listen"});
  }
  if (runs_already && wiring.upstream_listen.empty()) {
    return tl::unexpected(Error{"--url needs --upstream-listen HOST:PORT",
                                {},
                                0,
                                "splitproof listens there, and the proxy takes it for its upstream"});
  }
  if (const auto unknown = testee::unknown_place(wiring.command))
    return tl::unexpected(
        Error{"there is no name " + *unknown, {}, 0, "use " + std::string(testee::kPlaceNames)});
  if (const auto known = check_protocols(wiring); !known) return tl::unexpected(known.error());
  testee::TargetFile target;
  target.name = name_of_target();
  target.path = "target.yaml";  // so {dir} is the working directory
  target.client = wiring.client;
  target.upstream = wiring.upstream;
  target.request_path = wiring.path;
  target.model = wiring.model;
  target.listen = wiring.url;
  while (target.listen.ends_with('/')) target.listen.pop_back();
  target.upstream_listen = wiring.upstream_listen;
  target.max_concurrency = kConcurrency;
  if (!runs_already) {
    target.command = {"sh", "-c", wiring.command};
    add_environment(target, !has_names_in_braces(wiring.command));
  }
  if (const auto added = add_headers(target, wiring.headers); !added) return tl::unexpected(added.error());
  return target;
}

}  // namespace splitproof::cli
