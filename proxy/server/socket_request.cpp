#include "proxy/server/socket_request.hpp"

#include <utility>
#include <variant>

#include "proxy/turn/step.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::server {

SocketRequest socket_request(const RequestHead& head, std::string_view message, std::uint64_t id,
                             const KeptConversation& conversation, const ServerSettings& settings) {
  const proxy::dialect::ClientRow& client = asker(head.path);
  const bool relays = settings.translator.upstream->protocol == client.protocol;
  auto read = client.socket->read_turn(
      message, {settings.translator.rules.limits.json_depth, settings.limits.request_bytes, relays},
      [&](std::string_view answer) { return conversation.find(answer); });
  if (!read) return {std::move(read.error()), {}, {}};
  if (!*read) return {};
  SocketRequest request{{}, *std::move(*read), {}};
  auto call = upstream_call(head, request.turn->body, id, settings);
  wire::empty(request.turn->body);
  if (!call) return {std::move(call.error()), {}, {}};
  std::string& echo = call->options.reply.echo;
  echo = client.socket->repeat_previous(std::move(echo), request.turn->previous);
  request.call = *std::move(call);
  return request;
}

std::string empty_answer(const UpstreamCall& call) {
  const TranslatorOptions& options = call.options;
  proxy::dialect::Writer writer = options.client->writer(options.dialect, options.reply);
  std::string events;
  const auto write = [&](const turn::Step& step) {
    std::visit([&](auto& writing) { writing.write(step, events); }, writer);
  };
  write(turn::StartMessage{options.reply.model});
  write(turn::FinishMessage{});
  return events;
}

}  // namespace splitproof::server
