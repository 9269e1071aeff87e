#include "harness/observe/taken_out.hpp"

#include <cstddef>

#include "harness/observe/code_bytes.hpp"
#include "harness/observe/hidden_names.hpp"
#include "harness/observe/own_identity.hpp"
#include "harness/observe/redacted.hpp"

namespace splitproof::observe {
namespace {

// Returns the name of the block that begins at `at`, or "".
std::string_view hidden_at(std::string_view text, std::size_t at) {
  for (const std::string_view name : kHiddenBlocks) {
    const std::string tag = "<" + std::string(name) + ">";
    if (text.substr(at).starts_with(tag)) return name;
  }
  return {};
}

}  // namespace

std::string without_hidden_blocks(std::string_view text) {
  std::string told;
  CodeBytes code;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view name = code.in_code() ? std::string_view() : hidden_at(text, at);
    if (name.empty()) {
      told += text[at];
      code.take(text[at++]);
      continue;
    }
    const std::string close = "</" + std::string(name) + ">";
    const std::size_t end = text.find(close, at);
    if (end == text.npos) return told;
    at = end + close.size();
    if (code.line_begins() && at < text.size() && text[at] == '\n') ++at;
  }
  return told;
}

void take_out(std::vector<Part>& parts, const Choices& choices, std::string_view model) {
  const bool redacts = choices.marker != Choices::Marker::none;
  for (Part& part : parts) {
    if (part.kind == PartKind::call && redacts) {
      part.arguments = redacted_arguments(part.arguments, marker_of(choices.marker));
      continue;
    }
    const bool prose =
        part.kind == PartKind::text || part.kind == PartKind::thinking || part.kind == PartKind::refusal;
    if (!prose) continue;
    std::string told = part.text;
    if (redacts) told = redacted(told, marker_of(choices.marker));
    if (choices.rewrites_identity) told = with_identity_of(model, told);
    if (choices.strips_blocks) told = without_hidden_blocks(told);
    if (told == part.text) continue;
    part.signature.clear();
    part.text = std::move(told);
  }
  std::erase_if(parts, [](const Part& part) {
    const bool prose =
        part.kind == PartKind::text || part.kind == PartKind::thinking || part.kind == PartKind::refusal;
    return prose && part.text.empty() && part.signature.empty();
  });
}

}  // namespace splitproof::observe
