#include "harness/dialect/openai_chat/thinking.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "harness/dialect/json_events.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

/// The value of one key of a delta.
struct Source {
  std::string_view key;
  std::string text;
  std::vector<ThoughtPiece> pieces;
  bool again = false;
  bool late = false;  ///< a list says what strings of earlier deltas have said since the last list

  std::size_t signatures() const {
    return static_cast<std::size_t>(std::count_if(
        pieces.begin(), pieces.end(), [](const ThoughtPiece& piece) { return !piece.signature.empty(); }));
  }
  /// Returns the last signature, or "".
  std::string signature() const {
    const auto last = std::find_if(pieces.rbegin(), pieces.rend(),
                                   [](const ThoughtPiece& piece) { return !piece.signature.empty(); });
    return last == pieces.rend() ? std::string() : last->signature;
  }
};

Source string_of(const observe::WireJson& delta, std::string_view key) {
  const std::string text(delta.at(key).string());
  return {key, text, {{text, {}, std::nullopt, false}}};
}

Source list_of(const observe::WireJson& delta, std::string_view key,
               std::initializer_list<std::string_view> texts) {
  Source list{key, {}, {}};
  const observe::WireJson& elements = delta.at(key);
  if (!elements.is(observe::WireJson::Kind::array)) return list;
  for (const observe::WireJson& element : elements.children) {
    ThoughtPiece piece;
    for (const std::string_view text : texts)
      if (piece.text.empty()) piece.text = element.at(text).string();
    piece.signature = observe::replace_surrogates(element.at("signature").string());
    piece.number = integer(element.at("index"));
    piece.sealed = !element.at("data").string().empty();
    list.text += piece.text;
    list.pieces.push_back(std::move(piece));
  }
  return list;
}

bool says_all(const std::string& text, const std::vector<std::string_view>& thoughts) {
  const std::size_t size =
      std::accumulate(thoughts.begin(), thoughts.end(), std::size_t{0},
                      [](std::size_t sum, std::string_view thought) { return sum + thought.size(); });
  if (text.size() != size) return false;
  std::string_view rest = text;
  return std::all_of(thoughts.begin(), thoughts.end(), [&rest](std::string_view thought) {
    if (!rest.starts_with(thought)) return false;
    rest.remove_prefix(thought.size());
    return true;
  });
}

/// True if each element with text equals one of the last thoughts, in order.
bool says_last_thoughts(const Source& list, const std::vector<std::string_view>& thoughts) {
  auto thought = thoughts.rbegin();
  for (auto piece = list.pieces.rbegin(); piece != list.pieces.rend(); ++piece) {
    if (piece->text.empty()) continue;
    if (thought == thoughts.rend() || observe::replace_surrogates(piece->text) != *thought++) return false;
  }
  return true;
}

bool repeats(const Source& list, const ChatThinking& past) {
  const std::string signature = list.signature();
  const bool may = !signature.empty() || (past.pieces > 1 && past.key != list.key);
  const bool resigned = !signature.empty() && !past.signature.empty() && signature != past.signature;
  if (!may || resigned || list.text.empty() || past.thoughts.empty()) return false;
  const std::string said = observe::replace_surrogates(list.text);
  return said == past.thoughts.back() || (past.all && says_all(said, past.thoughts)) ||
         says_last_thoughts(list, past.thoughts);
}

/// True if the text may be an unproven repetition: it equals or extends the last thought, or is a signed
/// prefix of it. One lone piece is often followed by an equal one.
bool may_repeat(const Source& source, const ChatThinking& past) {
  if (past.thoughts.empty() || past.thoughts.back().empty()) return false;
  if (past.pieces < 2 && past.key == source.key && source.signatures() == 0) return false;
  const std::string said = observe::replace_surrogates(source.text);
  return said.starts_with(past.thoughts.back()) ||
         (source.signatures() > 0 && past.thoughts.back().starts_with(said));
}

/// True if a list may say what strings have said since the last list, and does not say exactly that.
bool may_be_late(const Source& list, std::string_view unlisted) {
  const std::string_view said = list.text;
  return !said.empty() && !unlisted.empty() &&
         (unlisted.starts_with(said) || unlisted.ends_with(said) || said.starts_with(unlisted));
}

/// Finds a list that comes a delta after the strings that said its text. `own` is what a string of this delta says.
void note_late(Source& list, std::string_view unlisted, std::string_view own, DeltaThinking& read) {
  const std::string_view said = list.text;
  if (said.empty()) return;
  read.listed = true;
  if (list.again || unlisted.empty()) return;
  const bool with_own =
      said.size() == unlisted.size() + own.size() && said.starts_with(unlisted) && said.ends_with(own);
  list.late = said == unlisted || with_own;
  list.again = list.late;
  const bool repeats_own = said == own;
  read.unclear |= list.late ? repeats_own : !repeats_own && may_be_late(list, unlisted);
  if (said == unlisted) read.unlisted = own;
}
/// Returns the new pieces. `text` is all of their text. If both lists have this text, the one with more
/// signatures counts.
std::vector<ThoughtPiece> pieces_of(const std::string& text, const Source& details, const Source& blocks) {
  const Source* list = nullptr;
  const Source* seal = nullptr;
  for (const Source* one : {&details, &blocks}) {
    const bool tells = !one->again && one->text == text && !one->pieces.empty();
    if (tells && (list == nullptr || one->signatures() > list->signatures())) list = one;
    if (!one->signature().empty()) seal = one;
  }
  if (list != nullptr && (seal == nullptr || list->signatures() > 0)) return list->pieces;
  std::vector<ThoughtPiece> pieces = {{text, {}, std::nullopt, false}};
  if (list != nullptr) pieces = list->pieces;
  if (seal == nullptr) return pieces;
  if (!seal->text.empty())
    pieces.push_back({{}, seal->signature(), std::nullopt, false});
  else
    pieces.insert(pieces.end(), seal->pieces.begin(), seal->pieces.end());
  return pieces;
}

}  // namespace

DeltaThinking read_thinking(const observe::WireJson& delta, const ChatThinking& past) {
  DeltaThinking read;
  Source content = string_of(delta, "reasoning_content");
  Source reasoning = string_of(delta, "reasoning");
  Source details = list_of(delta, "reasoning_details", {"text", "summary"});
  Source blocks = list_of(delta, "thinking_blocks", {"thinking"});
  Source* const sources[] = {&content, &reasoning, &details, &blocks};
  for (Source* list : {&details, &blocks}) {
    list->again = repeats(*list, past);
    const bool one_thought = list->again && observe::replace_surrogates(list->text) == past.thoughts.back();
    read.in_parts |= one_thought && list->signatures() > 1;
  }
  const std::string own = content.text.empty() ? reasoning.text : content.text;
  for (Source* list : {&details, &blocks}) note_late(*list, past.unlisted, own, read);
  if (!read.listed) read.unlisted = own;
  for (Source* source : sources) {
    for (const Source* list : {&details, &blocks})
      source->again |= list->again && !list->late && source->text == list->text;
  }
  std::size_t saying = 0;
  std::string text;
  for (const Source* source : sources) {
    if (source->text.empty()) continue;
    ++saying;
    read.again |= source->again;
    if (source->again || !read.key.empty()) continue;
    read.key = source->key;
    text = source->text;
    read.unclear |= may_repeat(*source, past);
  }
  read.several = saying > 1;
  read.pieces = pieces_of(text, details, blocks);
  const bool sealed_before = details.late && !text.empty() && details.text == past.unlisted;
  if (sealed_before && !details.signature().empty()) {
    // The signature is of the thinking before this delta.
    read.pieces = {{{}, details.signature(), std::nullopt, false}, {text, {}, std::nullopt, false}};
  }
  return read;
}

}  // namespace splitproof::dialect
