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

/// One request of a client and its answer. Holds what the client has not taken yet, and reads on from the upstream only as
/// its owner lets it: what comes at a time is some 4 kB, so a slow client slows the upstream down and nothing piles up.
///
///     waiting --> stream                  the upstream has said something
///             --> answer                  an error, or the client wants no stream
class RelayedRequest {
 public:
  enum class Stage : std::uint8_t { waiting, stream, answer };

  /// `changed` is called from the loop whenever stage, events or `over` may have changed; it must not destroy this.
  RelayedRequest(const UpstreamCall& call, const ServerSettings& settings, EventLoop& loop,
                 UpstreamPool& pool, std::function<void()> changed);
  ~RelayedRequest();
  RelayedRequest(const RelayedRequest&) = delete;
  RelayedRequest& operator=(const RelayedRequest&) = delete;

  Stage stage() const { return stage_; }

  /// Of Stage::answer.
  const Answer& answer() const { return answer_; }

  /// Of Stage::stream: the events to hand over next. Whoever has taken some clears them.
  std::string& events() { return events_; }

  /// What the client gets is all there. The upstream may not be at its end: see `settled`.
  bool over() const { return over_; }

  /// The client takes nothing for now, or it does again.
  void pause(bool paused);

  /// A ping is due where the client was sent nothing since `settings.ping`.
  void sent();

  /// Lets the upstream end what nobody waits for any more, for a moment; then it is given up. Call once the client has
  /// its answer.
  void settle();

  /// The upstream has ended it, or was given up.
  bool settled() const;

  /// The server ends: so does the message, with an error that says it.
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
  std::unique_ptr<Transfer> transfer_;  // null: given up
  EventLoop::Timer timer_;
  EventLoop::Clock::time_point sent_;
  Stage stage_ = Stage::waiting;
  bool over_ = false;
  bool settling_ = false;
  std::string events_;
  Answer answer_;
};

}  // namespace splitproof::server
