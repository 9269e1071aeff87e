#include "proxy/relay/relay.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "proxy/wire/json_text.hpp"

namespace splitproof::relay {

using proxy::dialect::Ruling;
using wire::Frame;

Relay::Relay(proxy::dialect::Order order, Form form, std::size_t event_bytes)
    : form_(form), event_bytes_(event_bytes), framer_(event_bytes), order_(std::move(order)) {}

bool Relay::ended() const {
  return over_ || std::visit([](const auto& order) { return order.ended(); }, order_);
}

void Relay::feed(std::string_view bytes, std::string& out) {
  std::vector<Frame> frames;
  while (!bytes.empty() && !over()) {
    const wire::SsePieces::Piece piece = pieces_.take(bytes);
    const std::string_view taken = bytes.substr(0, piece.size);
    bytes.remove_prefix(piece.size);
    if (over_) {  // the CR that ended the last line of all may have an LF
      if (piece.whole && taken == "\n") out += taken;
      pieces_ = {};
      return;
    }
    raw_ += taken;
    frames.clear();
    framer_.feed(taken, frames);
    if (raw_.size() > event_bytes_) frames.assign(1, Frame{{}, {}, true, true});
    const bool oversized = !frames.empty() && frames.front().oversized;
    // What may be an error in place of a stream is not passed on.
    if (oversized || (piece.whole && (!frames.empty() || !framer_.may_be_bare()))) pass_on(frames, out);
  }
}

void Relay::finish(turn::BodyEnd end, std::string& out) {
  std::vector<Frame> frames;
  if (!over_) framer_.finish(frames);
  const bool torn = !frames.empty() && !frames.front().terminated;
  if (!frames.empty() && (!torn || end == turn::BodyEnd::complete)) pass_on(frames, out);
  if (!over_) apply(std::visit([&](auto& order) { return order.end(end, out); }, order_), out);
  stop();
  pieces_ = {};
}

// Of a piece without a frame, all of it is comments, blank lines and fields that nobody knows.
void Relay::pass_on(const std::vector<Frame>& frames, std::string& out) {
  const Frame* frame = frames.empty() ? nullptr : &frames.front();
  Ruling ruling;
  if (frame != nullptr) ruling = std::visit([&](auto& order) { return order.take(*frame); }, order_);
  const bool anew = form_ == Form::encode || (frame != nullptr && !frame->terminated);
  if (ruling.passes && !anew) out += raw_;
  if (ruling.passes && anew && frame != nullptr) write(*frame, out);
  passed_ = passed_ || ruling.passes;
  raw_.clear();
  apply(ruling, out);
  if (!over_) return;
  stop();
  if (!ruling.passes || ruling.failure || anew) pieces_ = {};
}

void Relay::write(const Frame& frame, std::string& out) const {
  if (!frame.event.empty()) out.append("event: ").append(frame.event).append("\n");
  out += "data: ";
  if (wire::check_json(frame.data, std::numeric_limits<std::size_t>::max()) == wire::JsonFault::none) {
    wire::append_compact(out, frame.data);
  } else {
    for (const char c : frame.data) c == '\n' ? out += "\ndata: " : out += c;
  }
  out += "\n\n";
}

void Relay::apply(const Ruling& ruling, std::string& out) {
  if (ruling.failure) std::visit([&](auto& order) { order.fail(*ruling.failure, out); }, order_);
  over_ = ruling.last || ruling.failure.has_value();
}

void Relay::stop() {
  over_ = true;
  raw_ = {};
  framer_.stop();
}

}  // namespace splitproof::relay
