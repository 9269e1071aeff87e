#include "harness/dialect/google_gemini/rechunker.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/google_gemini/frame_layouts.hpp"
#include "harness/dialect/google_gemini/recut_body.hpp"
#include "harness/json_member.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

/// Kind of text in a frame that has one part.
enum class GeminiVoice : unsigned char { other, silent, text, thinking };

struct GeminiSaid {
  GeminiVoice voice = GeminiVoice::other;
  std::string text;
};

GeminiSaid said_by_frame(const GeminiFrame& frame) {
  if (frame.says_nothing) return {GeminiVoice::silent, {}};
  const Json* parts = frame.json ? parts_of(*frame.json) : nullptr;
  if (parts == nullptr || parts->size() != 1 || !(*parts)[0].is_object()) return {};
  const Json& part = (*parts)[0];
  for (const auto& [key, value] : part.items())
    if (key != "text" && key != "thought" && key != "thoughtSignature") return {};
  const auto text = part.find("text");
  if (text == part.end() || !text->is_string()) return {};
  if (text->get_ref<const std::string&>().empty()) {
    const bool silent = !part.contains("thoughtSignature") && !has_finish(*frame.json);
    return {silent ? GeminiVoice::silent : GeminiVoice::other, {}};
  }
  const bool thinks = part.contains("thought") && part["thought"] == true;
  return {thinks ? GeminiVoice::thinking : GeminiVoice::text, text->get<std::string>()};
}

class GeminiParts final : public split::Parts {
 public:
  explicit GeminiParts(std::string_view body) : body_(read_gemini_body(body)) {
    bool open = false;
    for (std::size_t event = 0; event < body_.frames.size(); ++event) {
      const GeminiFrame& frame = body_.frames[event];
      events_.push_back(frame.bytes);
      if (ended_) continue;
      const GeminiSaid said = said_by_frame(frame);
      ended_ = frame.json && has_finish(*frame.json);
      if (said.voice == GeminiVoice::silent) continue;
      if (said.voice == GeminiVoice::other) {
        open = false;
        continue;
      }
      if (!open || voices_.back() != said.voice) {
        runs_.emplace_back();
        voices_.push_back(said.voice);
      }
      open = true;
      runs_.back().events.push_back(event);
      runs_.back().text += split::wide(said.text);
    }
  }

  /// Only the last of several frames keeps the signature, the end and the counts.
  void say(std::size_t /*run*/, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    const Json& old = *body_.frames[event].json;
    const Json& part = (*parts_of(old))[0];
    const bool is_bare =
        !part.contains("thoughtSignature") && !has_finish(old) && !old.contains("usageMetadata");
    // A frame that names the model first must stay.
    const bool is_named =
        event == 0 || !body_.frames[event - 1].json ||
        member(old, "modelVersion") != member(*body_.frames[event - 1].json, "modelVersion");
    if (pieces.empty() && is_bare && !is_named && !body_.is_array) return;
    std::vector<Json> frames;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Json said = part;
      said["text"] = pieces[i];
      const bool last = i + 1 == pieces.size();
      if (!last) said.erase("thoughtSignature");
      frames.push_back(last ? with_parts(old, Json::array({said})) : head_of(old, Json::array({said})));
    }
    if (pieces.empty()) {
      Json said = part;
      said["text"] = "";
      frames.push_back(with_parts(old, Json::array({said})));
    }
    body_.append(event, frames, recut);
  }

  split::Recut deal_by(std::string_view label) const override {
    for (const FrameLayout& layout : frame_layouts())
      if (layout.label == label) return layout.apply(body_);
    return split::Parts::deal_by(label);
  }

  /// Returns the first run of text, or nullopt without one or without an end.
  std::optional<std::size_t> replaceable() const {
    const auto found = std::find(voices_.begin(), voices_.end(), GeminiVoice::text);
    if (!ended_ || found == voices_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - voices_.begin());
  }

 private:
  GeminiBody body_;
  std::vector<GeminiVoice> voices_;  ///< By run.
  bool ended_ = false;
};

class GeminiDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<GeminiParts>(body);
  }

  std::vector<std::string> labels() const override {
    std::vector<std::string> labels;
    for (const FrameLayout& layout : frame_layouts()) labels.emplace_back(layout.label);
    return labels;
  }
};

}  // namespace

const split::Rechunker& gemini_dealer() {
  static const GeminiDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> gemini_canary(std::string_view body, std::size_t number) {
  const GeminiParts parts(body);
  const auto run = parts.replaceable();
  return run ? make_canary(parts, *run, number) : std::nullopt;
}

}  // namespace splitproof::dialect
