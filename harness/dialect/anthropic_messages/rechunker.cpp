#include "harness/dialect/anthropic_messages/rechunker.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/anthropic_messages/body.hpp"
#include "harness/dialect/anthropic_messages/layouts.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

class AnthropicParts final : public split::Parts {
 public:
  explicit AnthropicParts(std::string_view body) : body_(read_anthropic_body(body)) {
    bool open = false;
    std::map<std::size_t, std::u16string> arguments;  // by block, so far
    for (std::size_t event = 0; event < body_.frames.size(); ++event) {
      const AnthropicFrame& frame = body_.frames[event];
      events_.push_back(frame.bytes);
      if (frame.type == "ping") continue;
      const bool goes_on =
          open && !frame.key.empty() && blocks_.back() == frame.block && keys_.back() == frame.key;
      if (frame.key.empty() || frame.piece.empty()) {
        open = goes_on;
        continue;
      }
      open = true;
      if (!goes_on) {
        keys_.emplace_back(frame.key);
        blocks_.push_back(frame.block);
        runs_.emplace_back().json = frame.key == "partial_json";
        runs_.back().before = arguments[frame.block];
      }
      const std::u16string piece = split::wide(frame.piece);
      runs_.back().events.push_back(event);
      runs_.back().text += piece;
      if (runs_.back().json) arguments[frame.block] += piece;
    }
  }

  void say(std::size_t run, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    const AnthropicFrame& frame = body_.frames[event];
    for (const std::string& piece : pieces) {
      Json json = *frame.json;
      json["delta"][keys_[run]] = piece;
      recut.append(frame.with(json));
    }
  }

  split::Recut deal_by(std::string_view label) const override {
    for (const AnthropicLayout& deal : all_anthropic_deals()) {
      if (deal.label == label) return rewrite(body_.frames, deal.deal(body_));
    }
    return split::Parts::deal_by(label);
  }

  /// Returns the first run of text, or nullopt without one or without an end.
  std::optional<std::size_t> replaceable() const {
    const auto found = std::find(keys_.begin(), keys_.end(), "text");
    if (!body_.ends() || found == keys_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - keys_.begin());
  }

 private:
  AnthropicBody body_;
  std::vector<std::string> keys_;    ///< By run.
  std::vector<std::size_t> blocks_;  ///< By run.
};

class AnthropicDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<AnthropicParts>(body);
  }

  std::vector<std::string> labels() const override {
    std::vector<std::string> labels;
    for (const AnthropicLayout& deal : all_anthropic_deals()) labels.emplace_back(deal.label);
    return labels;
  }
};

}  // namespace

const split::Rechunker& anthropic_dealer() {
  static const AnthropicDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> anthropic_canary(std::string_view body, std::size_t number) {
  const AnthropicParts parts(body);
  const auto run = parts.replaceable();
  return run ? make_canary(parts, *run, number) : std::nullopt;
}

}  // namespace splitproof::dialect
