#include "harness/selftest/kinds/strand.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace splitproof::selftest {
namespace {

// So many bytes of a text, and those that the character at the cut needs.
std::size_t whole_characters(const std::string& text, std::size_t from, std::size_t length) {
  std::size_t end = std::min(text.size(), from + length);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return end - from;
}

}  // namespace

std::string Strand::text(const Draft& draft) const {
  std::string all;
  for (const Spot& piece : pieces) all += draft.text(piece);
  return all;
}

void Strand::say(Draft& draft, const std::string& text) const {
  std::size_t from = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    const std::size_t length =
        last ? text.size() - from : whole_characters(text, from, draft.text(pieces[i]).size());
    draft.set(pieces[i], text.substr(from, length));
    from += length;
  }
  for (const Repeat& repeat : repeats) draft.set(repeat.spot, text);
}

void Strand::put(Draft& draft, std::string_view value) const {
  for (const Spot& piece : pieces) draft.set_json(piece, value);
  for (const Repeat& repeat : repeats) draft.set_json(repeat.spot, value);
}

const std::vector<StrandClass>& strand_classes(std::string_view protocol) {
  static const std::vector<StrandClass> kNone;
  if (protocol == "anthropic.messages") return anthropic_strand_classes();
  if (protocol == "openai.chat") return chat_strand_classes();
  if (protocol == "openai.responses") return responses_strand_classes();
  return kNone;
}

std::vector<Strand> strands_of(std::string_view protocol, const Draft& draft) {
  if (protocol == "anthropic.messages") return anthropic_strands(draft);
  if (protocol == "openai.chat") return chat_strands(draft);
  if (protocol == "openai.responses") return responses_strands(draft);
  return {};
}

std::vector<Strand> strands_of(std::string_view protocol, const Draft& draft, std::string_view what) {
  std::vector<Strand> strands = strands_of(protocol, draft);
  std::erase_if(strands, [&](const Strand& strand) { return strand.what != what; });
  return strands;
}

}  // namespace splitproof::selftest
