#include "harness/dialect/openai_responses/rechunker.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/dialect/openai_responses/body.hpp"
#include "harness/dialect/openai_responses/layouts.hpp"
#include "harness/dialect/openai_responses/sequence.hpp"
#include "harness/json_member.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;
using Role = ResponsesRole;

class ResponsesParts final : public split::Parts {
 public:
  explicit ResponsesParts(std::string_view body) : body_(read_responses_body(body)) {
    bool open = false;
    std::string last_key;
    std::map<std::string, std::u16string> strings;  // so far
    std::map<std::string, std::size_t> deltas;
    std::set<std::string> repeated;  // strings with a delta that may repeat those before it
    for (std::size_t event = 0; event < body_.frames.size(); ++event) {
      const ResponsesFrame& frame = body_.frames[event];
      events_.push_back(frame.bytes);
      if (frame.role == Role::nothing) continue;
      const bool is_delta = frame.role == Role::delta;
      const bool goes_on = open && is_delta && last_key == frame.key;
      if (!is_delta || frame.said.empty()) {
        open = goes_on;
        continue;
      }
      open = true;
      if (!goes_on) {
        last_key = frame.key;
        runs_.emplace_back().json = frame.type.starts_with("response.function_call_arguments");
        runs_.back().before = strings[frame.key];
      }
      const std::u16string piece = split::wide(frame.said);
      runs_.back().events.push_back(event);
      runs_.back().text += piece;
      if (deltas[frame.key]++ > 1 && piece == strings[frame.key]) repeated.insert(frame.key);
      strings[frame.key] += piece;
    }
    // Other pieces would not be a repetition.
    std::erase_if(runs_, [&](const split::TextRun& run) {
      return repeated.contains(body_.frames[run.events.front()].key);
    });
    first_number_ = first_sequence_number(rewrite(body_.frames, {}));
  }

  void say(std::size_t /*run*/, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    const ResponsesFrame& frame = body_.frames[event];
    for (const std::string& piece : pieces) {
      Json json = *frame.json;
      json["delta"] = piece;
      // The tokens' probabilities belong to the old piece.
      if (piece != frame.said && json.contains("logprobs")) json["logprobs"] = Json::array();
      recut.append(frame.with(json));
    }
  }

  split::Recut deal_by(std::string_view label) const override {
    for (const ResponsesLayout& deal : all_responses_deals()) {
      if (deal.label == label) return rewrite(body_.frames, deal.deal(body_));
    }
    return split::Parts::deal_by(label);
  }

  split::Recut settled(split::Recut recut) const override {
    return first_number_ ? numbered(recut, *first_number_) : recut;
  }

  const ResponsesBody& body() const { return body_; }

  /// Returns the first run of text of a regular body, or nullopt.
  std::optional<std::size_t> replaceable() const {
    const auto is_text = [&](const split::TextRun& run) {
      return body_.frames[run.events.front()].type == "response.output_text.delta";
    };
    const auto found = std::find_if(runs_.begin(), runs_.end(), is_text);
    if (!body_.regular || found == runs_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - runs_.begin());
  }

 private:
  ResponsesBody body_;
  std::optional<std::uint64_t> first_number_;
};

class ResponsesDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<ResponsesParts>(body);
  }

  std::vector<std::string> labels() const override {
    std::vector<std::string> labels;
    for (const ResponsesLayout& deal : all_responses_deals()) labels.emplace_back(deal.label);
    return labels;
  }
};

void replace_strings(Json& json, const std::string& from, const std::string& to) {
  if (json.is_string() && json == from) json = to;
  if (!json.is_structured()) return;
  for (Json& child : json) replace_strings(child, from, to);
}

}  // namespace

const split::Rechunker& responses_dealer() {
  static const ResponsesDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> responses_canary(std::string_view body, std::size_t number) {
  const ResponsesParts parts(body);
  const auto run = parts.replaceable();
  if (!run) return std::nullopt;
  const ResponsesFrame& first = parts.body().frames[parts.runs()[*run].events.front()];
  const std::string& text = parts.body().strings.at(first.key);
  std::string canary;
  for (const std::string& piece : canary_pieces(number)) canary += piece;
  canary += text.substr(first.said.size());
  FrameReplacements replacements;
  for (std::size_t i = 0; i < parts.body().frames.size(); ++i) {
    const ResponsesFrame& frame = parts.body().frames[i];
    if (frame.json == nullptr || frame.role == Role::delta) continue;
    Json json = *frame.json;
    replace_strings(json, text, canary);
    replacements[i] = {frame.with(json)};
  }
  const split::Recut repeated = rewrite(parts.body().frames, replacements);
  return make_canary(ResponsesParts(repeated.body), *run, number);
}

}  // namespace splitproof::dialect
