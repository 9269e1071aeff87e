#include "harness/dialect/kiro_eventstream/rechunker.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/aws_frame.hpp"
#include "harness/dialect/kiro_eventstream/words.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/split/event_json.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kObjects = "input:object";
constexpr std::string_view kStopsAlone = "stop:alone";

/// The parts of a frame that recuts need.
struct KiroFrame {
  std::vector<AwsHeader> headers;
  std::shared_ptr<const Json> json;  ///< null: it stays unchanged, and ends all runs.
  std::string type;
  std::string key;     ///< Key of its content; empty: no content, and text moves past it.
  std::string id;      ///< Id of its call.
  bool keeps = false;  ///< Without its piece, it still has content: a name, a signature, a stop.
};

std::string text_at(const Json& json, std::string_view key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool says_stop(const Json& json) {
  return std::any_of(kKiroStops.begin(), kKiroStops.end(), [&](std::string_view key) {
    const auto found = json.find(key);
    return found != json.end() && *found == true;
  });
}

KiroFrame frame_of(std::string_view bytes) {
  KiroFrame frame;
  const ReadAwsFrame read = read_aws_frame(bytes);
  if (!read.fault.empty()) return frame;
  frame.headers = read.frame.headers;
  for (const AwsHeader& header : frame.headers) {
    if (header.type != kAwsText) continue;
    if (header.name == ":event-type") frame.type = header.value;
    if (header.name == ":message-type" && header.value != "event") return frame;
  }
  auto json = split::parse_event(
      bytes.substr(read.frame.payload_begin, bytes.size() - kAwsCrc - read.frame.payload_begin));
  if (!json || !json->is_object()) return frame;
  if (frame.type == kKiroText) {
    frame.key = "content";
  } else if (frame.type == kKiroThinking) {
    frame.key = "text";
    frame.keeps = json->size() > 1;
  } else if (frame.type == kKiroCall) {
    frame.id = text_at(*json, kKiroIds.front());
    // Calls without this id member stay unchanged.
    if (frame.id.empty() || !json->contains("input") || !(*json)["input"].is_string()) return frame;
    frame.key = "input";
    frame.keeps = true;
  }
  if (!frame.key.empty() && (!json->contains(frame.key) || !(*json)[frame.key].is_string())) return frame;
  frame.json = std::move(json);
  return frame;
}

class KiroParts final : public split::Parts {
 public:
  explicit KiroParts(std::string_view body) {
    while (!body.empty()) {
      std::size_t size = read_aws_prelude(body).size;
      if (size == 0 || size > body.size()) size = body.size();
      events_.push_back(body.substr(0, size));
      body.remove_prefix(size);
    }
    std::string open;  // text of the last run
    std::map<std::string, std::u16string> said;
    for (std::size_t event = 0; event < events_.size(); ++event) {
      const KiroFrame& frame = frames_.emplace_back(frame_of(events_[event]));
      if (!frame.json) {
        open.clear();
        continue;
      }
      ended_ = ended_ || (frame.type == kKiroMetadata && !text_at(*frame.json, "stopReason").empty());
      if (frame.key.empty()) continue;
      const std::u16string piece = split::wide((*frame.json)[frame.key].get<std::string>());
      const std::string what = frame.type + " " + frame.id;
      if (what != open) open.clear();
      if (!piece.empty()) {
        if (open.empty()) {
          runs_.emplace_back();
          runs_.back().json = frame.type == kKiroCall;
          runs_.back().before = said[what];
          open = what;
        }
        runs_.back().events.push_back(event);
        runs_.back().text += piece;
        if (frame.type == kKiroCall) said[what] += piece;
      }
      if (frame.type == kKiroCall && says_stop(*frame.json)) open.clear();
      // A signature belongs to the thinking before it.
      if (frame.type == kKiroThinking && frame.keeps) open.clear();
    }
  }

  void say(std::size_t /*run*/, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Json json = *frames_[event].json;
      json[frames_[event].key] = pieces[i];
      if (i + 1 < pieces.size()) leave_to_the_last(json);
      append(event, json, recut);
    }
    if (!pieces.empty() || !frames_[event].keeps) return;
    Json json = *frames_[event].json;
    json[frames_[event].key] = "";
    append(event, json, recut);
  }

  split::Recut deal_by(std::string_view label) const override {
    split::Recut recut;
    for (std::size_t event = 0; event < events_.size(); ++event) {
      const std::size_t before = recut.arrivals.size();
      if (label == kObjects) write_object(event, recut);
      if (label == kStopsAlone) write_stop_alone(event, recut);
      if (recut.arrivals.size() == before && !is_left_out(event, label)) recut.append(events_[event]);
    }
    return recut;
  }

  /// Returns the first run of text, or nullopt without one or without an end.
  std::optional<std::size_t> replaceable() const {
    if (!ended_) return std::nullopt;
    for (std::size_t run = 0; run < runs_.size(); ++run)
      if (frames_[runs_[run].events.front()].type == kKiroText) return run;
    return std::nullopt;
  }

 private:
  static void leave_to_the_last(Json& json) {
    for (const std::string_view key : kKiroStops) json.erase(std::string(key));
    json.erase("signature");
  }

  void append(std::size_t event, const Json& json, split::Recut& recut) const {
    const KiroFrame& frame = frames_[event];
    recut.append(json == *frame.json ? std::string(events_[event])
                                     : write_aws_frame(frame.headers, split::write_event(json)));
  }

  /// Returns the run whose pieces are all of a call's input, if it is one JSON object.
  const split::TextRun* object_with(std::size_t event) const {
    const auto of_event = [&](const split::TextRun& run) {
      return std::find(run.events.begin(), run.events.end(), event) != run.events.end();
    };
    const auto run = std::find_if(runs_.begin(), runs_.end(), of_event);
    if (run == runs_.end() || !run->json || !run->before.empty()) return nullptr;
    const std::string& id = frames_[event].id;
    const bool alone = std::count_if(runs_.begin(), runs_.end(), [&](const split::TextRun& other) {
                         return frames_[other.events.front()].id == id;
                       }) == 1;
    const std::string text = split::narrow(run->text);
    const bool is_object = observe::trim_json(text).starts_with('{') && observe::is_one_json_value(text);
    // A lone surrogate cannot be written outside a string.
    return alone && is_object && split::wide(text) == run->text ? &*run : nullptr;
  }

  bool is_left_out(std::size_t event, std::string_view label) const {
    if (label != kObjects) return false;
    const split::TextRun* run = object_with(event);
    return run != nullptr && run->events.front() != event && !says_stop(*frames_[event].json);
  }

  void write_object(std::size_t event, split::Recut& recut) const {
    const split::TextRun* run = object_with(event);
    if (run == nullptr) return;
    const bool first = run->events.front() == event;
    Json json = *frames_[event].json;
    if (!first) {
      if (!says_stop(json)) return;
      json.erase("input");
      return append(event, json, recut);
    }
    // Keeps its bytes, because rewriting would change numbers.
    constexpr std::string_view kHere = "\"the input stands here\"";
    json["input"] = kHere.substr(1, kHere.size() - 2);
    std::string payload = split::write_event(json);
    payload.replace(payload.find(kHere), kHere.size(), observe::trim_json(split::narrow(run->text)));
    recut.append(write_aws_frame(frames_[event].headers, payload));
  }

  void write_stop_alone(std::size_t event, split::Recut& recut) const {
    const KiroFrame& frame = frames_[event];
    if (!frame.json || frame.type != kKiroCall || !says_stop(*frame.json)) return;
    Json json = *frame.json;
    leave_to_the_last(json);
    append(event, json, recut);
    append(event, {{kKiroIds.front(), frame.id}, {kKiroStops.front(), true}}, recut);
  }

  std::vector<KiroFrame> frames_;  ///< One for each event.
  bool ended_ = false;
};

class KiroDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<KiroParts>(body);
  }
  std::vector<std::string> labels() const override {
    return {std::string(kObjects), std::string(kStopsAlone)};
  }
};

}  // namespace

const split::Rechunker& kiro_dealer() {
  static const KiroDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> kiro_canary(std::string_view body, std::size_t number) {
  const KiroParts parts(body);
  const auto run = parts.replaceable();
  return run ? make_canary(parts, *run, number) : std::nullopt;
}

}  // namespace splitproof::dialect
