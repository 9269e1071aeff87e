#include "harness/dialect/stream_draft.hpp"

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_member.hpp"

namespace splitproof::dialect {
namespace {

using Ordered = nlohmann::ordered_json;

struct Stand {
  std::string_view in;
  std::string_view for_bytes;
};

constexpr std::array<Stand, 6> kStands = {{{kHighSurrogate, "\\ud83d"},
                                           {kLowSurrogate, "\\udca7"},
                                           {kBadByte, "\xFF"},
                                           {kHalfCharacter, "\xC3"},
                                           {kOtherHalfCharacter, "\xBC"},
                                           {kRawControl, "\x01"}}};

std::string dumped(const Ordered& data) {
  std::string text = data.dump(-1, ' ', false, Ordered::error_handler_t::replace);
  if (text.find("\xEE\x80") == std::string::npos) return text;
  for (const Stand& stand : kStands) {
    for (std::size_t at = text.find(stand.in); at != std::string::npos; at = text.find(stand.in, at))
      text.replace(at, stand.in.size(), stand.for_bytes);
  }
  return text;
}

std::ptrdiff_t offset(std::size_t event) { return static_cast<std::ptrdiff_t>(event); }

const Ordered& null() {
  static const Ordered kNull;
  return kNull;
}

}  // namespace

const Ordered& Draft::data(std::size_t event) const {
  return event < frames_.size() && frames_[event].json ? *frames_[event].json : null();
}

bool Draft::has(const FieldRef& spot) const {
  return data(spot.event).contains(Ordered::json_pointer(spot.field));
}

const Ordered& Draft::at(const FieldRef& spot) const {
  return has(spot) ? data(spot.event).at(Ordered::json_pointer(spot.field)) : null();
}

std::string Draft::text(const FieldRef& spot) const { return text_of(at(spot)); }

std::string Draft::type(std::size_t event) const { return text_of(member(data(event), "type")); }

std::size_t Draft::first(std::string_view type) const {
  std::size_t i = 0;
  while (i < size() && this->type(i).rfind(type, 0) != 0) ++i;
  return i;
}

std::size_t Draft::last(std::string_view type) const {
  for (std::size_t i = size(); i-- > 0;) {
    if (this->type(i).rfind(type, 0) == 0) return i;
  }
  return size();
}

void Draft::set_data(std::size_t event, const Ordered& data) {
  Frame& frame = frames_[event];
  frame.data = dumped(data);
  frame.bytes = frame_bytes(frame.event, frame.data);
  frame.json = std::make_shared<const Ordered>(data);
}

void Draft::set(const FieldRef& spot, const Ordered& value) {
  Ordered data = this->data(spot.event);
  data[Ordered::json_pointer(spot.field)] = value;
  set_data(spot.event, data);
}

void Draft::set_json(const FieldRef& spot, std::string_view value) { set(spot, Ordered::parse(value)); }

void Draft::erase(const FieldRef& spot) {
  Ordered data = this->data(spot.event);
  const Ordered::json_pointer at(spot.field);
  Ordered& parent = data[at.parent_pointer()];
  if (parent.is_array()) {
    parent.erase(parent.begin() + std::stol(at.back()));
  } else {
    parent.erase(at.back());
  }
  set_data(spot.event, data);
}

void Draft::set_bytes(std::size_t event, std::string bytes) { frames_[event].bytes = std::move(bytes); }

void Draft::insert(std::size_t event, std::string_view data, std::string_view type) {
  Frame frame;
  if (!frames_.empty() && frames_.front().event && !type.empty()) frame.event = std::string(type);
  frame.data = std::string(data);
  frame.bytes = frame_bytes(frame.event, data);
  Ordered parsed = Ordered::parse(data, nullptr, false);
  if (!parsed.is_discarded()) frame.json = std::make_shared<const Ordered>(std::move(parsed));
  frames_.insert(frames_.begin() + offset(event), std::move(frame));
}

void Draft::insert_bytes(std::size_t event, std::string bytes) {
  Frame frame;
  frame.bytes = std::move(bytes);
  frames_.insert(frames_.begin() + offset(event), std::move(frame));
}

void Draft::copy(std::size_t from, std::size_t to) {
  Frame frame = frames_[from];
  frames_.insert(frames_.begin() + offset(to), std::move(frame));
}

void Draft::remove(std::size_t event) { frames_.erase(frames_.begin() + offset(event)); }

void Draft::move(std::size_t from, std::size_t to) {
  Frame frame = frames_[from];
  remove(from);
  frames_.insert(frames_.begin() + offset(to), std::move(frame));
}

void Draft::renumber() {
  if (number_.empty()) return;
  long long next = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Ordered& number = at({i, number_});
    if (!number.is_number_integer()) continue;
    if (number != next) set({i, number_}, next);
    ++next;
  }
}

}  // namespace splitproof::dialect
