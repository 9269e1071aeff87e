#include "proxy/relay/frame_relay.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/wire/empty.hpp"
#include "proxy/wire/event_stream_frame.hpp"
#include "proxy/wire/network_order.hpp"
#include "proxy/wire/secret.hpp"

namespace splitproof::relay {
namespace {

constexpr std::size_t kLength = 4;  // bytes of a frame's length, which are its first

}  // namespace

FrameRelay::FrameRelay(proxy::dialect::Order order, std::size_t frame_bytes, std::string secret)
    : secret_(std::move(secret)), framer_(frame_bytes), order_(std::move(order)) {}

bool FrameRelay::ended() const {
  return over_ || std::visit([](const auto& order) { return order.ended(); }, order_);
}

// Returns how many bytes to take before a frame may be complete.
std::size_t FrameRelay::wanted() const {
  if (raw_.size() < kLength) return kLength - raw_.size();
  const std::size_t size = wire::number_at(raw_, 0, kLength);
  return size > raw_.size() ? size - raw_.size() : 1;
}

void FrameRelay::feed(std::string_view bytes, std::string& out) {
  while (!bytes.empty() && !over_) {
    const std::string_view taken = bytes.substr(0, wanted());
    bytes.remove_prefix(taken.size());
    raw_ += taken;
    std::vector<wire::Frame> frames;
    framer_.feed(taken, frames);
    if (!frames.empty()) take(frames.front(), out);
  }
}

void FrameRelay::finish(turn::BodyEnd end, std::string& out) {
  if (over_) return;
  std::vector<wire::Frame> frames;
  framer_.finish(frames);
  if (!frames.empty()) take(frames.front(), out);
  if (!over_) apply(std::visit([&](auto& order) { return order.end(end, out); }, order_), out);
  close();
}

// An exception that has the secret leaves in another frame without it.
void FrameRelay::take(const wire::Frame& frame, std::string& out) {
  wire::Frame shown = frame;
  if (!frame.error.empty()) wire::conceal(shown.data, secret_);
  proxy::dialect::Ruling ruling = std::visit([&](auto& order) { return order.take(shown); }, order_);
  if (ruling.passes && shown == frame) {
    out += raw_;
  } else if (ruling.passes) {
    wire::append_event_frame(out,
                             {{":exception-type", shown.error},
                              {":content-type", "application/json"},
                              {":message-type", "exception"}},
                             shown.data);
  }
  passed_ = passed_ || ruling.passes;
  wire::empty(raw_);
  apply(std::move(ruling), out);
}

void FrameRelay::apply(proxy::dialect::Ruling ruling, std::string& out) {
  if (ruling.failure) {
    wire::conceal(ruling.failure->message, secret_);
    wire::conceal(ruling.failure->code, secret_);
    std::visit([&](auto& order) { order.fail(*ruling.failure, out); }, order_);
  }
  if (ruling.last || ruling.failure) close();
}

void FrameRelay::close() {
  over_ = true;
  wire::empty(raw_);
  framer_.stop();
}

}  // namespace splitproof::relay
