#include "proxy/relay/relay.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "proxy/wire/empty.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/secret.hpp"
#include "proxy/wire/utf8.hpp"

namespace splitproof::relay {
namespace {

// True if a piece without data may be relayed. An `event` line there has no defined meaning.
bool may_pass(std::string_view piece) {
  const bool names = piece.starts_with("event") || piece.find("\nevent") != piece.npos ||
                     piece.find("\revent") != piece.npos;
  return !names && wire::is_utf8(piece);
}

// True if a frame may be an error of any protocol.
bool may_report(const wire::Frame& frame) {
  return frame.event == "error" || frame.data.find("\"error\"") != std::string::npos;
}

// Returns the missing end of an event that has all its data. A CR alone may be half of a line end.
std::string_view missing_end(std::string_view event) { return event.ends_with('\n') ? "\n" : "\n\n"; }

// True for the start of a comment or blank line.
bool says_nothing(char first) { return first == ':' || first == '\n' || first == '\r'; }

}  // namespace

using proxy::dialect::Ruling;
using wire::Frame;

Relay::Relay(proxy::dialect::Order order, Form form, std::size_t event_bytes, std::string secret,
             std::optional<proxy::dialect::ToldCalls> calls)
    : form_(form),
      event_bytes_(event_bytes),
      secret_(std::move(secret)),
      framer_(event_bytes),
      order_(std::move(order)),
      calls_(std::move(calls)) {}

bool Relay::ended() const {
  return stage_ != Stage::open || std::visit([](const auto& order) { return order.ended(); }, order_);
}

void Relay::feed(std::string_view bytes, std::string& out) {
  while (!bytes.empty() && !over()) {
    if (stage_ == Stage::ended && raw_.empty() && !says_nothing(bytes.front())) return close();
    const wire::SsePieces::Piece piece = pieces_.take(bytes);
    const std::string_view taken = bytes.substr(0, piece.size);
    bytes.remove_prefix(piece.size);
    raw_ += taken;
    std::vector<Frame> frames;
    if (stage_ == Stage::open) framer_.feed(taken, frames);
    if (raw_.size() > event_bytes_) frames.assign(1, Frame{{}, {}, true, true});
    const bool oversized = !frames.empty() && frames.front().oversized;
    // Possible errors in place of a stream are not relayed.
    if (oversized || (piece.whole && (!frames.empty() || !framer_.may_be_bare()))) pass_on(frames, out);
  }
}

void Relay::finish(turn::BodyEnd end, std::string& out) {
  std::vector<Frame> frames;
  if (stage_ == Stage::open) framer_.finish(frames);
  add_bare_object(frames);
  if (!frames.empty() && (frames.front().terminated || wire::is_utf8(raw_))) pass_on(frames, out);
  if (stage_ == Stage::open) apply(std::visit([&](auto& order) { return order.end(end, out); }, order_), out);
  close();
}

// A piece without a frame contains only comments, blank lines and unknown fields, or an object between events.
void Relay::pass_on(std::vector<Frame>& frames, std::string& out) {
  add_bare_object(frames);
  if (stage_ == Stage::ended && !frames.empty()) return close();
  Frame* frame = frames.empty() ? nullptr : &frames.front();
  if (frame != nullptr && may_report(*frame)) {
    wire::conceal(raw_, secret_);
    wire::conceal(frame->data, secret_);
  }
  const Ruling ruling = frame != nullptr ? rule(*frame) : Ruling{.passes = may_pass(raw_)};
  if (ruling.passes) leave(frame, out);
  if (!ruling.passes) half_an_end_ = raw_.ends_with('\r');
  passed_ = passed_ || ruling.passes;
  wire::empty(raw_);
  apply(ruling, out);
  if (stage_ == Stage::ended && (!ruling.passes || form_ == Form::encode)) close();
}

// Adds an object between events as a frame, if the protocol's provider sends some.
void Relay::add_bare_object(std::vector<Frame>& frames) const {
  const bool reads = std::visit(
      [](const auto& order) {
        if constexpr (requires { order.reads_bare_objects(); })
          return order.reads_bare_objects();
        else
          return false;
      },
      order_);
  if (reads && frames.empty() && raw_.starts_with('{')) frames.push_back(Frame{{}, raw_, true, false, true});
}

Ruling Relay::rule(const Frame& frame) {
  if (frame.bare || frame.oversized || wire::is_utf8(raw_))
    return std::visit([&](auto& order) { return order.take(frame); }, order_);
  // The client has the end already, and needs no error after it.
  if (ended()) return {.passes = false, .last = true};
  return proxy::dialect::failing("an event of the upstream is not UTF-8");
}

// Sends a frame. A renamed frame keeps only its name and its data.
void Relay::leave(Frame* frame, std::string& out) {
  bool anew = form_ == Form::encode;
  if (frame != nullptr && calls_) {
    proxy::dialect::Retold retold = calls_->take(*frame);
    out += retold.before;
    half_an_end_ = (!retold.leaves || retold.data) && raw_.ends_with('\r');
    if (!retold.leaves) return;
    anew = anew || retold.data.has_value();
    if (retold.data) frame->data = *std::move(retold.data);
  } else if (std::exchange(half_an_end_, false) && raw_ == "\n") {
    return;
  }
  if (!anew) out += raw_;
  if (!anew && frame != nullptr && !frame->terminated) out += missing_end(raw_);
  if (anew && frame != nullptr) write(*frame, out);
}

void Relay::write(const Frame& frame, std::string& out) const {
  if (!frame.event.empty()) out.append("event: ").append(frame.event).append("\n");
  out += "data: ";
  if (form_ == Form::encode &&
      wire::check_json(frame.data, std::numeric_limits<std::size_t>::max()) == wire::JsonFault::none) {
    wire::append_compact(out, frame.data);
  } else {
    for (const char c : frame.data) c == '\n' ? out += "\ndata: " : out += c;
  }
  out += "\n\n";
}

void Relay::apply(Ruling ruling, std::string& out) {
  if (ruling.last) {
    stage_ = Stage::ended;
    framer_.stop();
  }
  if (!ruling.failure) return;
  if (calls_) calls_->release(out);
  wire::conceal(ruling.failure->message, secret_);
  wire::conceal(ruling.failure->code, secret_);
  std::visit([&](auto& order) { order.fail(*ruling.failure, out); }, order_);
  close();
}

void Relay::close() {
  stage_ = Stage::closed;
  wire::empty(raw_);
  framer_.stop();
  pieces_ = {};
  half_an_end_ = false;
}

}  // namespace splitproof::relay
