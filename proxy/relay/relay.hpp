#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/ruling.hpp"
#include "proxy/dialect/table.hpp"
#include "proxy/relay/form.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/keep_alive.hpp"
#include "proxy/wire/sse_framer.hpp"
#include "proxy/wire/sse_pieces.hpp"

namespace splitproof::relay {

/// Passes an event stream on to a client of the same protocol. The protocol's order says what may come when: what is
/// legal leaves once it is whole, and what is not ends the stream in an error of the protocol's own form, so that the
/// client gets a legal stream. Behind a legal end nothing leaves but the comments and blank lines that come next.
///
/// An event that the body breaks off in is dropped. One that lacks no more than its blank line leaves with that: clients pass
/// over it otherwise, and throw over an answer that came whole.
///
/// Pure, and a function of the bytes alone as `Translator` is.
class Relay {
 public:
  /// `secret`: what no error is to say; see wire::conceal.
  /// `calls`: tells them by other names; none: all leaves as it came.
  Relay(proxy::dialect::Order order, Form form, std::size_t event_bytes, std::string secret = {},
        std::optional<proxy::dialect::ToldCalls> calls = std::nullopt);

  /// Takes any number of bytes and appends what leaves.
  void feed(std::string_view bytes, std::string& out);

  /// The body is over, in the way given. Feed nothing more.
  void finish(turn::BodyEnd end, std::string& out);

  /// Appends what keeps a client waiting, in every protocol.
  static void write_ping(std::string& out) { out += wire::kKeepAlive; }

  /// Whatever else is fed says nothing.
  bool over() const { return stage_ == Stage::closed; }

  /// The client has the end of the message. What little may follow need not be waited for.
  bool ended() const;

  /// Something that the upstream said has left.
  bool passed() const { return passed_; }

  bool operator==(const Relay&) const = default;

 private:
  enum class Stage : std::uint8_t { open, ended, closed };  // ended: but for comments and blank lines

  void pass_on(std::vector<wire::Frame>& frames, std::string& out);
  proxy::dialect::Ruling rule(const wire::Frame& frame);
  void leave(wire::Frame* frame, std::string& out);
  void write(const wire::Frame& frame, std::string& out) const;
  void apply(proxy::dialect::Ruling ruling, std::string& out);
  void close();

  Form form_;
  std::size_t event_bytes_;
  std::string secret_;
  wire::SsePieces pieces_;
  wire::SseFramer framer_;
  std::string raw_;  // of what is not whole yet
  proxy::dialect::Order order_;
  std::optional<proxy::dialect::ToldCalls> calls_;
  Stage stage_ = Stage::open;
  bool passed_ = false;
  bool half_an_end_ =
      false;  // a CR ended what left in another form, or not at all: an LF after it is no line of its own
};

}  // namespace splitproof::relay
