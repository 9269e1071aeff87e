#include "harness/selftest/changes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/dialect/stream_frames.hpp"
#include "harness/selftest/field_changes.hpp"
#include "harness/selftest/words_of.hpp"

namespace splitproof::selftest {
namespace {

using json = nlohmann::ordered_json;
using dialect::Frame;
using dialect::frame_bytes;

// Returns the middle of the data's first line in the bytes, at a character's beginning, or 0.
std::size_t middle_of_data(const Frame& frame) {
  std::size_t at = frame.bytes.rfind("\ndata:");
  at = at == std::string::npos ? (frame.bytes.rfind("data:", 0) == 0 ? 0 : std::string::npos) : at + 1;
  if (at == std::string::npos) return 0;
  const std::size_t end = std::min(frame.bytes.find_first_of("\r\n", at), frame.bytes.size());
  std::size_t middle = at + 6 + (end - std::min(end, at + 6)) / 2;
  while (middle < end && (static_cast<unsigned char>(frame.bytes[middle]) & 0xC0) == 0x80) ++middle;
  return middle < end ? middle : 0;
}

// Returns the bytes without the blank line at their end, if any.
std::string without_blank_line(const std::string& bytes) {
  for (const std::string_view blank : {"\r\n\r\n", "\n\n", "\r\r"}) {
    if (bytes.size() >= blank.size() && bytes.compare(bytes.size() - blank.size(), blank.size(), blank) == 0)
      return bytes.substr(0, bytes.size() - blank.size() / 2);
  }
  return bytes;
}

bool is_empty(const json& value) { return value.is_null() || value == ""; }

class Changes {
 public:
  Changes(std::string_view protocol, std::string_view body)
      : words_(words_of(protocol)), body_(body), frames_(dialect::frames_of(body)), pointers_(words_) {
    seen_.insert(body_);
    for (const Frame& frame : frames_) {
      if (frame.json) pointers_.take(*frame.json);
    }
  }

  std::vector<Change> all() && {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      change_framing(i);
      change_event(i);
      change_fields(i);
    }
    return std::move(changes_);
  }

 private:
  std::string class_of(std::size_t i) const {
    const Frame& frame = frames_[i];
    return frame.json ? words_.event_class(*frame.json) : frame.data.substr(0, 16);
  }
  bool idle(std::size_t i) const { return frames_[i].json && words_.idle(*frames_[i].json); }
  std::string piece(std::size_t i) const {
    return i < frames_.size() && frames_[i].json ? words_.piece_of(*frames_[i].json) : std::string();
  }

  // Keeps the change unless its bytes equal the original or an earlier change.
  void add(Change change, std::size_t i, std::string body) {
    if (!seen_.insert(body).second) return;
    change.event = i;
    change.event_class = class_of(i);
    change.body = std::move(body);
    changes_.push_back(std::move(change));
  }
  void add(std::string_view kind, ChangePart part, std::size_t i, std::string body, std::string to = {}) {
    Change change;
    change.kind = kind;
    change.part = part;
    change.to = std::move(to);
    add(std::move(change), i, std::move(body));
  }

  // Returns the body with other bytes for one event.
  std::string with(std::size_t i, std::string_view bytes) const {
    std::string body;
    for (std::size_t k = 0; k < frames_.size(); ++k)
      body += k == i ? bytes : std::string_view(frames_[k].bytes);
    return body;
  }

  void change_framing(std::size_t i) {
    const Frame& frame = frames_[i];
    const bool last = i + 1 == frames_.size();
    add(last ? "no-end" : "glue", ChangePart::framing, i, with(i, without_blank_line(frame.bytes)));
    if (frame.event) {
      add("no-event-line", ChangePart::framing, i, with(i, frame_bytes(std::nullopt, frame.data)));
      for (const std::string_view type : words_.types) {
        if (type == *frame.event) continue;
        add("other-event-line", ChangePart::framing, i, with(i, frame_bytes(std::string(type), frame.data)),
            std::string(type));
        break;
      }
    }
    const std::string name = frame.event ? *frame.event + "x" : "chunk";
    add("other-event-line", ChangePart::framing, i, with(i, frame_bytes(name, frame.data)), name);
    if (const std::size_t middle = middle_of_data(frame); middle > 0) {
      std::string bytes = frame.bytes;
      add("tear", ChangePart::framing, i, with(i, bytes.insert(middle, "\n")));
      bytes = frame.bytes;
      add("bad-byte", ChangePart::framing, i, with(i, bytes.insert(middle, "\xff")));
      add("cut-inside", ChangePart::framing, i, before(i) + frame.bytes.substr(0, middle));
    }
    if (frame.json)
      add("no-brace", ChangePart::framing, i,
          with(i, frame_bytes(frame.event, frame.data.substr(0, frame.data.size() - 1))));
    if (!last) add("cut-behind", ChangePart::framing, i, before(i) + frame.bytes);
  }

  std::string before(std::size_t i) const {
    std::string body;
    for (std::size_t k = 0; k < i; ++k) body += frames_[k].bytes;
    return body;
  }

  void change_event(std::size_t i) {
    const Frame& frame = frames_[i];
    const bool is_piece = !piece(i).empty();
    if (!idle(i)) {
      add("drop", is_piece ? ChangePart::content : ChangePart::structure, i, with(i, ""));
      add("double", is_piece ? ChangePart::content : ChangePart::structure, i,
          with(i, frame.bytes + frame.bytes));
    }
    if (i + 1 < frames_.size() && !(idle(i) && i > 0) && !idle(i + 1)) {
      const ChangePart part = is_piece && !piece(i + 1).empty() ? ChangePart::content : ChangePart::structure;
      add("swap", part, i, moved(i, i + 1));
    }
    if (i > 1) add("to-front", ChangePart::structure, i, moved(i, 0));
    if (i + 2 < frames_.size()) add("to-end", ChangePart::structure, i, moved(i, frames_.size() - 1));
    if (!frame.json || !frame.json->is_object() || !frame.json->contains("type")) return;
    for (const std::string_view type : words_.types) {
      json data = *frame.json;
      data["type"] = type;
      add("retype", ChangePart::structure, i,
          with(i, frame_bytes(frame.event ? std::optional<std::string>(type) : std::nullopt, data.dump())),
          std::string(type));
    }
  }

  std::string moved(std::size_t from, std::size_t to) const {
    std::vector<Frame> frames = frames_;
    Frame frame = frames[from];
    frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(from));
    frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(to), std::move(frame));
    return dialect::joined(frames);
  }

  void change_fields(std::size_t i) {
    const Frame& frame = frames_[i];
    if (!frame.json) return;
    const bool is_piece = !piece(i).empty();
    for_each_field_change(words_, *frame.json, pointers_, [&](Change change, const json& data) {
      const bool gone =
          change.kind == "drop-field" || change.kind == "rename-field" || change.kind == "null-field";
      if (gone && words_.may_be_absent(change.field_class) &&
          is_empty(frame.json->at(json::json_pointer(change.field))))
        return;
      if ((is_piece && gone && words_.silent(data)) || words_.own(change.field_class))
        change.part = ChangePart::content;
      add(std::move(change), i,
          with(i, frame_bytes(frame.event, data.dump(-1, ' ', false, json::error_handler_t::replace))));
    });
  }

  const dialect::SelfTestWords& words_;
  std::string body_;
  std::vector<Frame> frames_;
  Pointers pointers_;
  std::set<std::string> seen_;
  std::vector<Change> changes_;
};

}  // namespace

std::string_view name(ChangePart part) {
  switch (part) {
    case ChangePart::framing:
      return "framing";
    case ChangePart::structure:
      return "structure";
    case ChangePart::content:
      return "content";
  }
  return "";
}

std::vector<Change> small_changes(std::string_view protocol, std::string_view body) {
  return Changes(protocol, body).all();
}

}  // namespace splitproof::selftest
