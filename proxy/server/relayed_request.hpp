#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "proxy/server/answer.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/transfer.hpp"
#include "proxy/server/upstream_call.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

/// One request of a client and its answer. Holds what the client has not taken yet. It reads some 4 kB from the
/// upstream at a time, and only when its owner allows it. So a slow client slows the upstream, and nothing accumulates.
///
///     waiting --> stream                  the upstream has sent something
///             --> answer                  an error, or the client wants no stream
class RelayedRequest {
 public:
  enum class Stage : std::uint8_t { waiting, stream, answer };

  /// The loop calls `changed` when stage, events or `over` may have changed. It must not destroy this object.
  RelayedRequest(const UpstreamCall& call, const ServerSettings& settings, EventLoop& loop,
                 UpstreamPool& pool, std::function<void()> changed);
  ~RelayedRequest();
  RelayedRequest(const RelayedRequest&) = delete;
  RelayedRequest& operator=(const RelayedRequest&) = delete;

  Stage stage() const { return stage_; }

  /// Media type of the stream.
  std::string_view stream_type() const {
    return options_.reply.array ? "application/json" : options_.client->stream_type;
  }

  /// For Stage::answer.
  const Answer& answer() const { return answer_; }

  /// The next events for the client in Stage::stream. The caller clears what it has taken.
  std::string& events() { return events_; }

  /// True if the client's answer is complete. The upstream may not have ended: see `settled`.
  bool over() const { return over_; }

  /// Pauses or resumes reading for the client.
  void pause(bool paused);

  /// Notes that the client was sent something. A ping is due `settings.ping` later.
  void sent();

  /// Gives the upstream a moment to end its unused answer, then gives it up. Call once the client has its answer.
  void settle();

  /// True after the upstream has ended or was given up.
  bool settled() const;

  /// Ends the message with an error because the server ends.
  void stop();

 private:
  void moved();
  void advance();
  void read_stream();
  void look_at_the_clock();
  void decide(Answer answer);
  void give_up();
  void finish(turn::BodyEnd end);
  void keep_told();
  bool ended() const { return translator_.ended(); }
  Answer error(turn::ErrorKind kind, std::string_view message) const;
  Answer failed_before_its_head(TransferEnd end) const;
  Answer passed_on(std::string body) const;

  const ServerSettings& settings_;
  EventLoop& loop_;
  std::function<void()> changed_;
  bool streamed_;
  TranslatorOptions options_;
  Translator translator_;
  std::unique_ptr<UpstreamExchange> transfer_;  // null: given up
  EventLoop::Timer timer_;
  EventLoop::Clock::time_point sent_;
  Stage stage_ = Stage::waiting;
  bool over_ = false;
  bool settling_ = false;
  std::string events_;
  Answer answer_;
};

}  // namespace splitproof::server
