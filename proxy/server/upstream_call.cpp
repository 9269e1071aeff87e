#include "proxy/server/upstream_call.hpp"

#include <algorithm>
#include <utility>

#include "proxy/server/client_key.hpp"
#include "proxy/server/models.hpp"
#include "proxy/upstream_request.hpp"

namespace splitproof::server {
namespace {

using proxy::dialect::ClientRow;
using turn::ErrorKind;

}  // namespace

const ClientRow& asker(std::string_view path) {
  const auto clients = proxy::dialect::clients();
  const auto found = std::find_if(clients.begin(), clients.end(), [&](const ClientRow& client) {
    return path == client.path || (path.starts_with(client.path) && path[client.path.size()] == '/');
  });
  return found == clients.end() ? clients.front() : *found;
}

std::uint64_t unix_seconds(std::chrono::system_clock::time_point time) {
  const auto since = std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch());
  return since.count() > 0 ? static_cast<std::uint64_t>(since.count()) : 0;
}

tl::expected<UpstreamCall, Answer> upstream_call(const RequestHead& head, const std::string& body,
                                                 std::uint64_t id, const ServerSettings& settings) {
  const ClientRow& client = asker(head.path);
  const auto refuse = [&](ErrorKind kind, std::string_view message) {
    return tl::make_unexpected(client.error(kind, message));
  };
  TranslatorOptions options = settings.translator;
  options.client = &client;
  const auto key = client_key(head.field(client.key_header), head.field("authorization"));
  if (!key) return refuse(ErrorKind::authentication, "the key has characters that no API key can have");
  const auto find = [&](std::string_view item) { return settings.told->find(*key, item); };
  std::optional<std::string> resolved;
  if (client.resolve != nullptr && settings.told != nullptr)
    resolved = client.resolve(body, options.rules.limits.json_depth, find);
  auto written = upstream_request(options, resolved ? *resolved : body, [&](request::Asked& asked) {
    take_cleaning(asked, options);
    choose_model(settings.models, asked);
  });
  if (!written) return tl::make_unexpected(client.refused(written.error()));
  const bool relays = written->as_it_came;
  if (relays) options.pass_on();
  const request::Asked& asked = written->asked;
  options.secret = *key;
  options.reply = {id,
                   unix_seconds(std::chrono::system_clock::now()),
                   request::plain(asked.model),
                   asked.usage,
                   asked.aliases,
                   asked.echo};
  options.tool_map = written->tool_map;
  take_functions(asked, options);
  options.rules.stop_sequences.clear();
  for (const std::string& text : asked.stop) options.rules.stop_sequences.push_back(request::plain(text));
  const bool streamed = asked.stream;
  UpstreamPost post{settings.upstream,
                    {},
                    std::move(written->body),
                    relays && !streamed ? "application/json" : std::string(options.upstream->accepted)};
  if (!key->empty()) post.headers.push_back(std::string(options.upstream->key_header) + *key);
  const std::string_view header = options.upstream->header;
  if (!header.empty() && !(relays && !head.field(header.substr(0, header.find(':'))).empty()))
    post.headers.emplace_back(header);
  for (const auto& [name, value] : head.fields) {
    // Headers of the protocol that client and upstream share pass unchanged.
    if (relays && name.starts_with(client.own_headers)) post.headers.push_back(name + ": " + value);
  }
  return UpstreamCall{std::move(post), streamed, std::move(options)};
}

}  // namespace splitproof::server
