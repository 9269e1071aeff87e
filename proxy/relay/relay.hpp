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

/// Relays an event stream to a client of the same protocol. Legal events leave once they are complete. An illegal event
/// ends the stream with an error in the protocol's form, so the client always gets a legal stream. After a legal end
/// only the next comments and blank lines leave.
///
/// An incomplete event at the end of the body is dropped. An event that lacks only its blank line gets one: otherwise
/// clients ignore it and lose a complete answer.
///
/// Pure, and depends only on the bytes, as `Translator` does.
class Relay {
 public:
  /// `secret`: must not occur in errors; see wire::conceal. `calls`: renames calls; none: all stays unchanged.
  Relay(proxy::dialect::Order order, Form form, std::size_t event_bytes, std::string secret = {},
        std::optional<proxy::dialect::ToldCalls> calls = std::nullopt);

  /// Takes any number of bytes and appends the output.
  void feed(std::string_view bytes, std::string& out);

  /// The body has ended in the given way. Feed nothing more.
  void finish(turn::BodyEnd end, std::string& out);

  /// Appends a keep-alive, which works in every protocol.
  static void write_ping(std::string& out) { out += wire::kKeepAlive; }

  /// True if later input is ignored.
  bool over() const { return stage_ == Stage::closed; }

  /// True if the client has the end of the message. It need not wait for the little that may follow.
  bool ended() const;

  /// True if some upstream content has left.
  bool passed() const { return passed_; }

  bool operator==(const Relay&) const = default;

 private:
  // ended: only comments and blank lines may follow
  enum class Stage : std::uint8_t { open, ended, closed };

  void pass_on(std::vector<wire::Frame>& frames, std::string& out);
  void add_bare_object(std::vector<wire::Frame>& frames) const;
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
  std::string raw_;  // the incomplete piece
  proxy::dialect::Order order_;
  std::optional<proxy::dialect::ToldCalls> calls_;
  Stage stage_ = Stage::open;
  bool passed_ = false;
  bool half_an_end_ = false;  // a CR ended a renamed or held event: a following LF belongs to it
};

}  // namespace splitproof::relay
