#include "harness/dialect/google_gemini/recut_body.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/event_frames.hpp"
#include "harness/framing.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/json_array_reader.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/split/event_json.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the JSON of a frame if a recut may rewrite it. Rewriting keeps integers, but no fractions.
std::shared_ptr<const Json> rewritable(std::string_view text) {
  auto json = split::parse_event(text);
  const bool fits = json && json->is_object() && !json->contains("error") && !has_fractions(*json);
  return fits ? json : nullptr;
}

std::vector<GeminiFrame> events_of(std::string_view body) {
  std::vector<GeminiFrame> frames;
  for (std::size_t begin = 0; begin < body.size(); begin += frames.back().bytes.size()) {
    const EventFrame event = event_frame_at(body, begin);
    GeminiFrame& frame = frames.emplace_back();
    frame.bytes = event.bytes;
    frame.says_nothing = event.says_nothing;
    if (event.json == nullptr) continue;
    frame.before = event.before;
    frame.after = event.after;
    frame.json = rewritable(frame.text());
  }
  return frames;
}

std::vector<GeminiFrame> elements_of(std::string_view body) {
  observe::JsonArrayReader reader;
  reader.feed(body);
  reader.finish();
  std::vector<GeminiFrame> frames;
  std::size_t from = 0;
  for (const observe::SseEvent& element : reader.events()) {
    const std::size_t end = &element == &reader.events().back() ? body.size() : element.end;
    GeminiFrame& frame = frames.emplace_back();
    frame.bytes = body.substr(from, end - from);
    frame.before = body.substr(from, element.begin - from);
    frame.after = body.substr(element.end, end - element.end);
    if (element.terminated && element.broken.empty())
      frame.json = rewritable(body.substr(element.begin, element.end - element.begin));
    from = end;
  }
  if (frames.empty() && !body.empty()) frames.emplace_back().bytes = body;  // no element
  return frames;
}

/// Adds the spellings of a frame's arguments.
void add_spellings(const Json& frame, std::string_view text, std::map<std::string, std::string>& spellings) {
  const Json* parts = parts_of(frame);
  const auto wire = observe::parse_wire_json(text);
  if (parts == nullptr || !wire) return;
  const auto& of_wire = wire->at("candidates").children[0].at("content").at("parts").children;
  if (of_wire.size() != parts->size()) return;  // repeated members
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const Json& args = member(member((*parts)[i], "functionCall"), "args");
    const std::string_view raw = of_wire[i].at("functionCall").at("args").raw;
    if (args.is_object() && !raw.empty()) spellings.emplace(split::write_event(args), raw);
  }
}

}  // namespace

std::string GeminiBody::written(const Json& frame) const {
  constexpr std::string_view kMember = "\"args\":";
  std::string text = split::write_event(frame);
  for (std::size_t at = text.find(kMember); at != text.npos; at = text.find(kMember, at + 1)) {
    const std::size_t begin = at + kMember.size();
    for (const auto& [compact, raw] : spellings) {
      if (text.compare(begin, compact.size(), compact) != 0) continue;
      text.replace(begin, compact.size(), raw);
      break;
    }
  }
  return text;
}

void GeminiBody::append(std::size_t frame, const std::vector<Json>& replacements, split::Recut& recut) const {
  const GeminiFrame& old = frames[frame];
  for (const Json& json : replacements) {
    const bool first = &json == &replacements.front();
    const bool last = &json == &replacements.back();
    if (first && last && json == *old.json) {
      recut.append(old.bytes);
      continue;
    }
    const std::string_view before = is_array && !first ? "," : old.before;
    const std::string_view after = is_array && !last ? "" : old.after;
    recut.append(std::string(before) + written(json) + std::string(after));
  }
}

split::Recut GeminiBody::with(const std::vector<GeminiElement>& elements) const {
  split::Recut recut;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const GeminiFrame& old = frames[elements[i].frame];
    const bool unchanged = elements[i].json == nullptr || (old.json && *elements[i].json == *old.json);
    if (!is_array) {
      recut.append(unchanged ? std::string(old.bytes)
                             : std::string(old.before) + written(*elements[i].json) + std::string(old.after));
      continue;
    }
    const std::string_view before = i == 0              ? frames.front().before
                                    : frames.size() > 1 ? frames[1].before
                                                        : ",";
    const std::string_view after = i + 1 == elements.size() ? frames.back().after : "";
    recut.append(std::string(before) + (unchanged ? std::string(old.text()) : written(*elements[i].json)) +
                 std::string(after));
  }
  return recut;
}

GeminiBody read_gemini_body(std::string_view body) {
  GeminiBody read;
  read.is_array = framing_of(Framing::sse_or_array, body) == Framing::json_array;
  read.frames = read.is_array ? elements_of(body) : events_of(body);
  for (const GeminiFrame& frame : read.frames)
    if (frame.json) add_spellings(*frame.json, frame.text(), read.spellings);
  return read;
}

const Json* candidate_of(const Json& frame) {
  const Json& candidates = member(frame, "candidates");
  if (!candidates.is_array() || candidates.size() != 1 || !candidates[0].is_object()) return nullptr;
  const Json& index = member(candidates[0], "index");
  return index.is_null() || index == 0 ? &candidates[0] : nullptr;
}

const Json* parts_of(const Json& frame) {
  const Json* candidate = candidate_of(frame);
  if (candidate == nullptr) return nullptr;
  const Json& parts = member(member(*candidate, "content"), "parts");
  return parts.is_array() ? &parts : nullptr;
}

bool has_finish(const Json& frame) {
  const Json* candidate = candidate_of(frame);
  if (candidate == nullptr) return false;
  const Json& reason = member(*candidate, "finishReason");
  return !reason.is_null() && reason != "" && reason != 0;
}

Json head_of(const Json& frame, const Json& parts) {
  Json head = Json::object();
  for (const auto& [key, value] : frame.items()) {
    if (key == "candidates") {
      Json candidate = Json::object();
      for (const char* kept : {"content", "index"})
        if (value[0].contains(kept)) candidate[kept] = value[0][kept];
      candidate["content"]["parts"] = parts;
      head[key] = Json::array({std::move(candidate)});
    } else if (key == "modelVersion" || key == "responseId" || key == "createTime") {
      head[key] = value;
    }
  }
  return head;
}

Json with_parts(Json frame, const Json& parts) {
  frame["candidates"][0]["content"]["parts"] = parts;
  return frame;
}

}  // namespace splitproof::dialect
