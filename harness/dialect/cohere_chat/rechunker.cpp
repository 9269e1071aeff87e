#include "harness/dialect/cohere_chat/rechunker.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/dialect/cohere_chat/body.hpp"
#include "harness/dialect/cohere_chat/layouts.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

class CohereParts final : public split::Parts {
 public:
  explicit CohereParts(std::string_view body) : body_(read_cohere_body(body)) {
    std::map<std::uint64_t, std::u16string> arguments;  // by call, so far
    const CohereFrame* last = nullptr;                  // the event before, if a run goes on after it
    for (std::size_t event = 0; event < body_.frames.size(); ++event) {
      const CohereFrame& frame = body_.frames[event];
      events_.push_back(frame.bytes);
      if (frame.says_nothing) continue;
      if (frame.type == "tool-call-start") arguments.clear();
      const bool goes_on = last != nullptr && last->key == frame.key && last->index == frame.index;
      if (frame.key.empty() || frame.piece.empty()) {
        if (!goes_on) last = nullptr;
        continue;
      }
      if (!goes_on) {
        runs_.emplace_back().json = frame.key == "arguments";
        runs_.back().before = arguments[frame.index];
        if (frame.key == "text" && !first_text_) first_text_ = runs_.size() - 1;
      }
      last = &frame;
      const std::u16string piece = split::wide(frame.piece);
      runs_.back().events.push_back(event);
      runs_.back().text += piece;
      if (runs_.back().json) arguments[frame.index] += piece;
    }
  }

  void say(std::size_t /*run*/, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    for (const std::string& piece : pieces) recut.append(body_.frames[event].with_piece(piece));
  }

  split::Recut deal_by(std::string_view label) const override {
    for (const CohereLayout& layout : all_cohere_layouts())
      if (layout.label == label) return rewrite(body_.frames, layout.deal(body_));
    return split::Parts::deal_by(label);
  }

  /// Returns the first run of text, or nullopt without one or without an end.
  std::optional<std::size_t> replaceable() const { return body_.ends() ? first_text_ : std::nullopt; }

 private:
  CohereBody body_;
  std::optional<std::size_t> first_text_;
};

class CohereDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<CohereParts>(body);
  }

  std::vector<std::string> labels() const override {
    std::vector<std::string> labels;
    for (const CohereLayout& layout : all_cohere_layouts()) labels.emplace_back(layout.label);
    return labels;
  }
};

}  // namespace

const split::Rechunker& cohere_dealer() {
  static const CohereDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> cohere_canary(std::string_view body, std::size_t number) {
  const CohereParts parts(body);
  const auto run = parts.replaceable();
  return run ? make_canary(parts, *run, number) : std::nullopt;
}

}  // namespace splitproof::dialect
