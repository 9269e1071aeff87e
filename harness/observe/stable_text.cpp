#include "harness/observe/stable_text.hpp"

#include "harness/observe/redacted.hpp"
#include "harness/observe/stop_texts.hpp"
#include "harness/observe/taken_out.hpp"

namespace splitproof::observe {

void StableText::take(std::string_view piece, const TextFilters& filters) {
  const Choices& choices = filters.choices;
  if (!choices.takes_text_out()) {
    settled_ += piece.size();
    return;
  }
  said_ += piece;
  const std::string* left = &said_;
  if (choices.marker != Choices::Marker::none) {
    for (const char& c : piece)
      paths_.take(c, std::string_view(&c, 1), marker_of(choices.marker), without_paths_);
    left = &without_paths_;
  }
  if (choices.rewrites_identity) {
    identity_.read(*left, filters.model, renamed_);
    left = &renamed_;
  }
  if (choices.strips_blocks) {
    blocks_.read(*left, without_blocks_);
    left = &without_blocks_;
  }
  if (!choices.cuts_at_stops || kind_ != PartKind::text) {
    settled_ = left->size();
    return;
  }
  stops_.read(*left, filters.stops);
  settled_ = stops_.settled();
  stopped_ = stops_.stopped();
}

void StableText::end(const TextFilters& filters) {
  const Choices& choices = filters.choices;
  if (!choices.takes_text_out()) return;
  std::vector<Part> parts(1);
  parts[0].kind = kind_;
  parts[0].text = said_;
  take_out(parts, choices, filters.model);
  stopped_ = choices.cuts_at_stops && cut_at_stops(parts, filters.stops);
  settled_ = parts.empty() ? 0 : parts[0].text.size();
}

}  // namespace splitproof::observe
