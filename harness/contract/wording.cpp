#include "harness/contract/wording.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace splitproof::contract {
namespace {

constexpr std::string_view kHoles =
    "use {/pointer}, {@event}, {first}, {first/pointer}, {key}, {field}, {found}, {wanted} or "
    "{words./pointer}; write {{ for a brace";

}  // namespace

Wording Wording::parse(const YamlNode* message, const Offers& offers) {
  Wording wording;
  if (message == nullptr) return wording;
  if (!message->is_map()) {
    wording.event_ = parse_sentence(*message, offers, false);
    if (offers.end) wording.end_ = parse_sentence(*message, offers, true);
    return wording;
  }
  const YamlMap map(*message, "'message'", {"event", "end"});
  if (!offers.end) {
    refuse(message->line, "only a rule of the form 'finally' can be violated by the end of the stream",
           "write one sentence");
  }
  if (const YamlNode* event = map.find("event")) wording.event_ = parse_sentence(*event, offers, false);
  if (const YamlNode* end = map.find("end")) wording.end_ = parse_sentence(*end, offers, true);
  return wording;
}

Wording::Sentence Wording::parse_sentence(const YamlNode& node, const Offers& offers, bool at_end) {
  const std::string& text = scalar_text(node, "message");
  Sentence sentence;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      plain += c;
      ++at;
      continue;
    }
    if (c == '}')
      refuse(node.line, fmt::format("in '{}' a '}}' has no opening brace", text), std::string(kHoles));
    if (c != '{') {
      plain += c;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos)
      refuse(node.line, fmt::format("in '{}' a '{{' has no closing brace", text), std::string(kHoles));
    if (!plain.empty()) sentence.push_back({Piece::Kind::text, std::exchange(plain, {}), {}});
    sentence.push_back(parse_hole(text.substr(at + 1, end - at - 1), node, offers, at_end));
    at = end;
  }
  if (!plain.empty()) sentence.push_back({Piece::Kind::text, std::move(plain), {}});
  return sentence;
}

Wording::Piece Wording::parse_hole(const std::string& hole, const YamlNode& node, const Offers& offers,
                                   bool at_end) {
  using Kind = Piece::Kind;
  constexpr std::string_view kFirst = "first";
  const auto cannot = [&](std::string_view why) { refuse(node.line, fmt::format("'{{{}}}' {}", hole, why)); };
  if (hole.starts_with(kFirst)) {
    if (!offers.first) cannot("needs another event, and this form of rule reads only one");
    if (hole == kFirst) return {Kind::first, {}, {}};
    return {Kind::first_value, {}, Field::parse(hole.substr(kFirst.size()), node.line)};
  }
  if (hole == "key") {
    if (!offers.key) cannot("needs the key of a slice, and the rule has no 'per'");
    return {Kind::key, {}, {}};
  }
  if (hole == "field") {
    if (!offers.field) cannot("needs a field, which only 'each' with 'where' or an order reads");
    return {Kind::field, {}, {}};
  }
  if (hole == "found" || hole == "wanted") {
    if (!offers.values) cannot("is only for rules on fields or joined text");
    return {hole == "found" ? Kind::found : Kind::wanted, {}, {}};
  }
  constexpr std::string_view kWords = "words.";
  if (hole.starts_with(kWords)) {
    if (!offers.words) cannot("is only for rules that compare meanings");
    return {Kind::words, {}, {}, Pointer::parse(hole.substr(kWords.size()), node.line)};
  }
  if (hole.empty() || std::string_view("/@^").find(hole.front()) == std::string_view::npos)
    refuse(node.line, fmt::format("there is no placeholder '{{{}}}'", hole), std::string(kHoles));
  if (at_end) {
    refuse(node.line,
           fmt::format("'{{{}}}' needs a value of an event, and the end of the stream has none", hole),
           "write message: {event: SENTENCE, end: SENTENCE}");
  }
  return {Kind::here, {}, Field::parse(hole, node.line)};
}

std::string Wording::tell(const ClauseResult& outcome, const Reading& reading, const Slices& slices,
                          const Context& context) const {
  std::string told;
  const auto value = [&](std::optional<std::size_t> subject, const Field& field) {
    return subject ? excerpt(reading.value(*subject, field).get()) : std::string("absent");
  };
  for (const Piece& piece : outcome.subject ? event_ : end_) {
    switch (piece.kind) {
      case Piece::Kind::text:
        told += piece.text;
        break;
      case Piece::Kind::here:
        told += value(outcome.subject, piece.field);
        break;
      case Piece::Kind::first:
        told += outcome.first ? place_of(reading, *outcome.first) : "the beginning of the stream";
        break;
      case Piece::Kind::first_value:
        told += value(outcome.first, piece.field);
        break;
      case Piece::Kind::key:
        told += outcome.slice ? slices.key(*outcome.slice) : std::string();
        break;
      case Piece::Kind::field:
        told += outcome.field;
        break;
      case Piece::Kind::found:
        if (outcome.wanted.empty()) return {};
        told += outcome.found;
        break;
      case Piece::Kind::wanted:
        if (outcome.wanted.empty()) return {};
        told += outcome.wanted;
        break;
      case Piece::Kind::words: {
        const Json* member = context.words == nullptr ? nullptr : piece.pointer.resolve(context.words);
        const auto text = member == nullptr ? std::nullopt : text_of(*member);
        if (!text) return {};
        told += *text;
        break;
      }
    }
  }
  return told;
}

std::string title_of(const observe::Event& event) {
  if (event.event && !event.event->empty()) return *event.event;
  for (const char* name : {"type", "object"}) {
    const Json* value = event.json == nullptr ? nullptr : member(*event.json, name, std::nullopt);
    const auto text = value == nullptr ? std::nullopt : text_of(*value);
    if (text && !text->empty()) return std::string(*text);
  }
  return excerpt(std::string_view(event.data));
}

std::string place_of(const Reading& reading, std::size_t subject) {
  const observe::Event& event = reading.event_of(subject);
  return fmt::format("event {} ({}, line {})", reading.first_event() + reading.subject(subject).event,
                     title_of(event), event.line);
}

}  // namespace splitproof::contract
