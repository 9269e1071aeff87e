#include "harness/dialect/openai_chat/content_parts.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/observe/surrogates.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::PartKind;

/// A type of content part that contains prose.
struct ProseType {
  std::string_view type;
  PartKind kind;
  std::string_view list;  ///< The member with a list of text parts. Empty if the type has no such member.
  std::string_view text;  ///< The member with the text of a part without such a list.
};

constexpr auto kProseTypes =
    std::to_array<ProseType>({{"text", PartKind::text, "", "text"},
                              {"output_text", PartKind::text, "", "text"},
                              {"thinking", PartKind::thinking, "thinking", "thinking"},
                              {"reasoning", PartKind::thinking, "summary", "text"},
                              {"summary_text", PartKind::thinking, "", "text"},
                              {"refusal", PartKind::refusal, "", "refusal"}});

/// Types of parts, and members of parts without a type, that name a source of the text.
constexpr auto kSources = std::to_array<std::string_view>({"citation", "citations", "reference"});

/// Members without content, such as the mark that a part of thinking is complete.
constexpr auto kLabels = std::to_array<std::string_view>({"closed"});

template <std::size_t N>
bool is_listed(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const ProseType* prose_of(std::string_view type) {
  const auto* const found = std::find_if(kProseTypes.begin(), kProseTypes.end(),
                                         [&](const ProseType& one) { return one.type == type; });
  return found == kProseTypes.end() ? nullptr : found;
}

bool has_list(const observe::WireJson& part, const ProseType& prose) {
  if (prose.list.empty()) return false;
  const observe::WireJson& list = part.at(prose.list);
  return list.is(Kind::array) && !list.children.empty();
}

/// True if a part has no type, and all its values name sources.
bool is_bare_source(const observe::WireJson& part) {
  if (!part.is(Kind::object) || observe::has_value(part.at("type"))) return false;
  bool any = false;
  return std::all_of(part.children.begin(), part.children.end(),
                     [&](const observe::WireJson& member) {
                       if (!observe::has_value(member)) return true;
                       any = true;
                       return is_listed(member.key, kSources);
                     }) &&
         any;
}

bool is_source(const observe::WireJson& part) {
  return is_listed(part.at("type").string(), kSources) || is_bare_source(part);
}

void take_whole(const observe::WireJson& part, const TakeUnread& take) {
  observe::WireJson whole = part;
  const std::string_view type = part.at("type").string();
  whole.key = type.empty() ? "untyped" : observe::type_in_note(type);
  take("content", whole);
}

ContentPiece content_piece(PartKind kind, const observe::WireJson& holder, std::string_view key) {
  ContentPiece piece;
  piece.kind = kind;
  piece.thought.text = holder.at(key).string();
  if (kind == PartKind::thinking)
    piece.thought.signature = observe::replace_surrogates(holder.at("signature").string());
  return piece;
}

bool is_prose_element(const observe::WireJson& element) {
  const std::string_view type = element.at("type").string();
  return type.empty() || type == "text" || type == "summary_text";
}

}  // namespace

std::vector<ContentPiece> pieces_of_content_part(const observe::WireJson& part) {
  std::vector<ContentPiece> pieces;
  const ProseType* const prose = prose_of(part.at("type").string());
  if (prose == nullptr) return pieces;
  if (!has_list(part, *prose)) {
    pieces.push_back(content_piece(prose->kind, part, prose->text));
    return pieces;
  }
  for (const observe::WireJson& element : part.at(prose->list).children)
    if (is_prose_element(element)) pieces.push_back(content_piece(prose->kind, element, "text"));
  const std::string signature = observe::replace_surrogates(part.at("signature").string());
  if (signature.empty()) return pieces;
  if (pieces.empty()) pieces.push_back({prose->kind, {}});
  pieces.back().thought.signature = signature;
  return pieces;
}

bool is_unknown_content_part(const observe::WireJson& part) {
  return observe::has_value(part) && prose_of(part.at("type").string()) == nullptr && !is_source(part);
}

void unread_of_content_part(const observe::WireJson& part, const TakeUnread& take) {
  if (!observe::has_value(part)) return;
  const ProseType* const prose = prose_of(part.at("type").string());
  if (is_bare_source(part)) {
    observe::for_each_unread(part, {}, [&](const observe::WireJson& member) { take("content", member); });
    return;
  }
  if (prose == nullptr) return take_whole(part, take);
  const bool listed = has_list(part, *prose);
  std::vector<std::string_view> read = {"type", listed ? prose->list : prose->text};
  if (prose->kind == PartKind::thinking) read.emplace_back("signature");
  read.insert(read.end(), kLabels.begin(), kLabels.end());
  observe::for_each_unread(part, read, [&](const observe::WireJson& member) { take("part", member); });
  if (!listed) return;
  constexpr auto kElement = std::to_array<std::string_view>({"type", "text", "signature"});
  for (const observe::WireJson& element : part.at(prose->list).children) {
    if (!is_prose_element(element))
      take_whole(element, take);
    else
      observe::for_each_unread(element, kElement,
                               [&](const observe::WireJson& member) { take("part", member); });
  }
}

}  // namespace splitproof::dialect
