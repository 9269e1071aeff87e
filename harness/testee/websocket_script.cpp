#include "harness/testee/websocket_script.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/line_end.hpp"
#include "harness/observe/frame_style.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/websocket_frames.hpp"

namespace splitproof::testee {
namespace {

using observe::FrameStyle;
using observe::Opcode;
using observe::SseEvent;

constexpr int kNormalClosure = 1000;
constexpr int kFirstErrorStatus = 400;

// Makes the frames of one script, and notes the place of each byte of its body among them.
class FramePlanner {
 public:
  FramePlanner(const ResponseScript& script, const dialect::SocketForm& form) : script_(script), form_(form) {
    for (const std::string& piece : script.pieces) body_ += piece;
  }

  FramePlan plan() {
    if (script_.status >= kFirstErrorStatus) {
      put_message(form_.error_message(script_.status, body_));
      is_answered_ = true;
      places_.assign(body_.size() + 1, bytes().size());
      places_.front() = 0;
    } else {
      put_body();
    }
    const bool leaves_open = is_answered_ && script_.end == recording::End::complete;
    const bool is_orderly = script_.end == recording::End::complete || script_.end == recording::End::closed;
    if (ends_between_events_ && is_orderly && !leaves_open)
      bytes() += observe::websocket_frame(Opcode::close, true, observe::close_payload(kNormalClosure));
    place_writes();
    return {std::move(plan_), leaves_open};
  }

 private:
  std::string& bytes() { return plan_.bytes; }

  void put_body() {
    observe::SseReader reader;
    reader.feed(body_);
    reader.finish();
    const std::vector<SseEvent>& events = reader.events();
    std::vector<std::string> messages;
    for (const SseEvent& event : events) messages.push_back(data_of(event));
    if (script_.frames.kind == FrameStyle::Kind::sized) observe::fill_shortest(messages, script_.frames.size);
    for (std::size_t i = 0; i < events.size(); ++i) {
      fill_places(events[i].begin);
      if (!events[i].terminated) {
        put_torn(events[i]);
      } else if (form_.has_message(events[i].data)) {
        put_event(events[i], messages[i]);
        is_answered_ = is_answered_ || form_.ends_answer(events[i].data);
      }
      fill_places(events[i].end);
    }
    fill_places(body_.size() + 1);
  }

  // Returns the data of an event as the body has it. A message is not UTF-8 if its event is not.
  std::string data_of(const SseEvent& event) const {
    if (!event.ill_formed_data) return event.data;
    std::string data;
    for (const std::size_t at : event.data_at) {
      if (at != event.data_at.front()) data += '\n';
      data += body_.substr(at, find_line_end(body_, at) - at);
    }
    return data;
  }

  // Bytes up to `offset` of the body have their place at the end of the frames so far.
  void fill_places(std::size_t offset) {
    if (places_.size() < offset) places_.resize(offset, bytes().size());
  }

  void put_event(const SseEvent& event, const std::string& message) {
    const std::size_t begin = bytes().size();
    const std::vector<std::size_t> payload = put_message(message);
    const std::size_t header = payload.empty() ? bytes().size() : payload.front();
    const std::size_t data = event.data_at.empty() ? event.end : event.data_at.front();
    for (std::size_t at = event.begin; at < data; ++at)
      places_.push_back(std::min(begin + (at - event.begin), header));
    if (event.data_at.size() != 1) return;  // its lines have no places of their own
    const std::size_t size = std::min(data_of(event).size(), payload.size());
    for (std::size_t i = 0; i < size; ++i) places_.push_back(payload[i]);
  }

  // Puts a frame that is cut where the body ends.
  void put_torn(const SseEvent& event) {
    ends_between_events_ = false;
    const std::string message = data_of(event);
    const std::string header = observe::websocket_header(Opcode::text, true, message.size() + 1);
    bytes() += event.data_at.empty() ? header.substr(0, 1) : header + message;
  }

  // Puts a message and returns the place of each byte of its payload.
  std::vector<std::size_t> put_message(std::string_view message) {
    const FrameStyle& style = script_.frames;
    if (style.kind == FrameStyle::Kind::pings) put_ping();
    std::vector<std::size_t> places;
    const std::vector<std::string_view> fragments = observe::fragments_of(message, style);
    for (std::size_t i = 0; i < fragments.size(); ++i) {
      if (style.kind == FrameStyle::Kind::between && i > 0) put_ping();
      const Opcode opcode = i == 0 ? Opcode::text : Opcode::continuation;
      bytes() += observe::websocket_header(opcode, i + 1 == fragments.size(), fragments[i].size());
      for (const char c : fragments[i]) {
        places.push_back(bytes().size());
        bytes() += c;
      }
    }
    return places;
  }

  void put_ping() { bytes() += observe::websocket_frame(Opcode::ping, true, kPingOfScript); }

  std::size_t place_of(std::size_t offset) const {
    return offset < body_.size() ? std::min(places_[offset], plan_.bytes.size()) : ended_at_;
  }

  void place_writes() {
    const std::size_t size = bytes().size();
    ended_at_ = std::min(places_[body_.size()], size);
    std::vector<std::size_t>& ends = plan_.ends;
    std::size_t offset = 0;
    bool in_bytes = script_.pieces.size() > 1;
    for (std::size_t i = 0; i <= script_.pieces.size(); ++i) {
      if (i < script_.pauses.size() && script_.pauses[i] > 0) add_pause(place_of(offset), script_.pauses[i]);
      if (i == script_.pieces.size()) break;
      in_bytes = in_bytes && script_.pieces[i].size() == 1;
      offset += script_.pieces[i].size();
      ends.push_back(place_of(offset));
    }
    for (const std::size_t hold : script_.holds) {
      plan_.holds.push_back(place_of(hold));
      ends.push_back(plan_.holds.back());
    }
    for (const Pause& pause : plan_.pauses) ends.push_back(pause.at);
    for (std::size_t at = 0; in_bytes && at < size; ++at) ends.push_back(at);
    ends.push_back(size);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    if (!ends.empty() && ends.front() == 0) ends.erase(ends.begin());
  }

  void add_pause(std::size_t at, double seconds) {
    if (!plan_.pauses.empty() && plan_.pauses.back().at == at) {
      plan_.pauses.back().seconds += seconds;
    } else {
      plan_.pauses.push_back({at, seconds});
    }
  }

  const ResponseScript& script_;
  const dialect::SocketForm& form_;
  std::string body_;
  std::vector<std::size_t> places_;  // of each byte of the body, and of its end
  std::size_t ended_at_ = 0;
  bool ends_between_events_ = true;
  bool is_answered_ = false;  // the last event of an answer is among the messages
  WritePlan plan_;
};

}  // namespace

FramePlan plan_frames(const ResponseScript& script, const dialect::SocketForm& form) {
  return FramePlanner(script, form).plan();
}

}  // namespace splitproof::testee
