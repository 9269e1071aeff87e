#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/server/answer.hpp"
#include "proxy/server/client_socket.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/transfer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

/// One request of a client and its answer. Reads from the upstream only while the client takes what it is sent, so a
/// slow client slows the upstream down and nothing piles up here. Gives the upstream up as soon as the client has gone,
/// and once the client has the end of the message.
///
///     begin() --> stream --> stream(send) --> settle()     the upstream has said something
///             --> answer --> answer()     --> settle()     an error, or the client wants no stream
///             --> gone
class RelayedRequest {
 public:
  enum class Begun : std::uint8_t { stream, answer, gone };

  /// `options` are those of this stream. `settings`, `client` and `pool` have to outlive this.
  RelayedRequest(const UpstreamPost& call, bool streamed, const TranslatorOptions& options,
                 const ServerSettings& settings, const ClientSocket& client, TransferPool& pool);

  /// Waits until it is known what the answer begins with: an error before any output is an answer of its own, with a
  /// status that says so. Call once.
  Begun begin();

  /// After Begun::answer.
  const Answer& answer() const { return answer_; }

  /// After Begun::stream: hands over the events as they come, each piece of the upstream's at once, never empty, and a
  /// ping where there was none for settings.ping. False: `send` said false or the client has gone, and the stream was
  /// given up.
  bool stream(const std::function<bool(std::string_view)>& send);

  /// Lets the upstream end what nobody waits for any more. Call once the client has its answer.
  void settle();

 private:
  bool advance(std::chrono::milliseconds at_most);
  Begun decide(Answer answer);
  Begun give_up();
  Begun refused();
  Begun passed_on();
  std::optional<std::string> read_body(std::size_t most);
  Begun failed_before_its_head(TransferEnd end);
  Answer error(turn::ErrorKind kind, std::string message) const;
  void finish(turn::BodyEnd end);

  const ServerSettings& settings_;
  const ClientSocket& client_;
  bool streamed_;
  std::string key_;
  TranslatorOptions options_;
  Translator translator_;
  std::unique_ptr<Transfer> transfer_;  // null: given up
  bool over_ = false;                   // the upstream has said all that counts
  std::string pending_;                 // events to hand over
  Answer answer_;
};

}  // namespace splitproof::server
