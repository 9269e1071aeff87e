#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "proxy/dialect/ruling.hpp"
#include "proxy/dialect/table.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/event_stream_framer.hpp"
#include "proxy/wire/frame.hpp"

namespace splitproof::relay {

/// Relays an AWS event stream to a client of the same protocol. Legal frames leave unchanged once they are complete. An
/// illegal frame ends the stream with an exception, so the client always gets a legal stream.
///
/// An incomplete frame at the end of the body is dropped. Pure, and depends only on the bytes, as `Translator` does.
class FrameRelay {
 public:
  /// `secret`: must not occur in exceptions; see wire::conceal.
  FrameRelay(proxy::dialect::Order order, std::size_t frame_bytes, std::string secret);

  /// Takes any number of bytes and appends the output.
  void feed(std::string_view bytes, std::string& out);

  /// The body has ended in the given way. Feed nothing more.
  void finish(turn::BodyEnd end, std::string& out);

  /// Appends nothing: no frame is without meaning.
  static void write_ping(std::string& /*out*/) {}

  /// True if later input is ignored.
  bool over() const { return over_; }

  /// True if the client has the end of the message.
  bool ended() const;

  /// True if some upstream content has left.
  bool passed() const { return passed_; }

  bool operator==(const FrameRelay&) const = default;

 private:
  std::size_t wanted() const;
  void take(const wire::Frame& frame, std::string& out);
  void apply(proxy::dialect::Ruling ruling, std::string& out);
  void close();

  std::string secret_;
  std::string raw_;  // the incomplete frame
  wire::EventStreamFramer framer_;
  proxy::dialect::Order order_;
  bool over_ = false;
  bool passed_ = false;
};

}  // namespace splitproof::relay
