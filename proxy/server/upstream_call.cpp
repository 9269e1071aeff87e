#include "proxy/server/upstream_call.hpp"

#include <algorithm>
#include <utility>

#include "proxy/server/client_key.hpp"
#include "proxy/server/models.hpp"
#include "proxy/upstream_request.hpp"
#include "proxy/wire/url.hpp"

namespace splitproof::server {
namespace {

using proxy::dialect::ClientRow;
using turn::ErrorKind;

bool owns(const ClientRow& client, std::string_view path) {
  if (client.owns != nullptr) return client.owns(path);
  return path == client.path || (path.starts_with(client.path) && path[client.path.size()] == '/');
}

// Returns the client's key from the header of its protocol, or from the query.
std::string own_key(const ClientRow& client, const RequestHead& head) {
  std::string key(head.field(client.key_header));
  if (key.empty() && !client.key_member.empty()) key = wire::query_member(head.query, client.key_member);
  return key;
}

// Sets what the client's protocol has in the target.
void take_target(const request::Target& target, request::Asked& asked) {
  asked.model = target.model;
  asked.stream = target.stream;
  asked.array = target.array;
}

}  // namespace

const ClientRow& asker(std::string_view path) {
  const auto clients = proxy::dialect::clients();
  const auto found = std::find_if(clients.begin(), clients.end(),
                                  [&](const ClientRow& client) { return owns(client, path); });
  return found == clients.end() ? clients.front() : *found;
}

bool asks_for_answer(std::string_view path, std::string_view query) {
  const ClientRow& client = asker(path);
  return client.read_target == nullptr ? path == client.path : client.read_target(path, query).has_value();
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
  std::optional<request::Target> target;
  if (client.read_target != nullptr) target = client.read_target(head.path, head.query);
  if (target && target->model.size() > options.rules.limits.name_bytes)
    return refuse(ErrorKind::invalid_request,
                  "the name of the model is longer than the limit (limits: name-bytes)");
  const auto key = client_key(own_key(client, head), head.field("authorization"));
  if (!key) return refuse(ErrorKind::authentication, "the key has characters that no API key can have");
  const auto find = [&](std::string_view item) { return settings.told->find(*key, item); };
  std::optional<std::string> resolved;
  if (client.resolve != nullptr && settings.told != nullptr)
    resolved = client.resolve(body, options.rules.limits.json_depth, find);
  auto written = upstream_request(options, resolved ? *resolved : body, [&](request::Asked& asked) {
    if (target) take_target(*target, asked);
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
                   asked.echo,
                   asked.array};
  options.tool_map = written->tool_map;
  take_functions(asked, options);
  options.rules.stop_sequences.clear();
  for (const std::string& text : asked.stop) options.rules.stop_sequences.push_back(request::plain(text));
  const bool streamed = asked.stream;
  std::string url = settings.upstream;
  if (options.upstream->path_for != nullptr)
    url += options.upstream->path_for(url, options.reply.model, streamed || !relays);
  UpstreamPost post{std::move(url),
                    {},
                    std::move(written->body),
                    relays && !streamed ? "application/json" : std::string(options.upstream->accepted)};
  // A WebSocket has only events. A relay of a whole answer needs the upstream's own.
  if (settings.upstream_socket && (streamed || !relays)) post.socket = options.upstream->socket;
  if (!key->empty()) post.headers.push_back(std::string(options.upstream->key_header) + *key);
  const std::string_view header = options.upstream->header;
  if (!header.empty() && !(relays && !head.field(header.substr(0, header.find(':'))).empty()))
    post.headers.emplace_back(header);
  for (const auto& [name, value] : head.fields) {
    // Headers of the protocol that client and upstream share pass unchanged.
    if (post.socket == nullptr && client.socket != nullptr && client.socket->asks_for_socket(name, value))
      continue;
    if (relays && name.starts_with(client.own_headers) && name != client.key_header)
      post.headers.push_back(name + ": " + value);
  }
  return UpstreamCall{std::move(post), streamed, std::move(options)};
}

}  // namespace splitproof::server
