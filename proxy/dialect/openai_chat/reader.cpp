#include "proxy/dialect/openai_chat/reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/openai_chat/chunk.hpp"
#include "proxy/dialect/openai_chat/failure.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using turn::Finish;
using wire::Json;
using wire::JsonKind;

void add_prose(BlockKind kind, std::string text, std::vector<Event>& events) {
  if (!text.empty()) events.push_back(turn::Prose{kind, std::move(text)});
}

// Thinking parts hold their text in a member of their own, or in a list of text parts.
void add_thinking(const Json& thinking, std::vector<Event>& events) {
  add_prose(BlockKind::thinking, thinking.text(), events);
  for (Json part = thinking.first(); part; part = part.next())
    add_prose(BlockKind::thinking, part["text"].text(), events);
}

void add_content(const Json& content, std::vector<Event>& events) {
  add_prose(BlockKind::text, content.text(), events);
  for (Json part = content.first(); part; part = part.next()) {
    const std::string type = part["type"].text();
    if (type == "thinking") add_thinking(part["thinking"], events);
    if (type == "text") add_prose(BlockKind::text, part["text"].text(), events);
  }
}

void add_finish(const Json& choice, std::vector<Event>& events) {
  const std::string said = chat_finish(choice);
  if (said.empty()) return;
  // vLLM and SGLang name what ended the answer: a text, or the number of a token.
  std::string stopped_at = choice["stop_reason"].text();
  if (stopped_at.empty()) stopped_at = choice["matched_stop"].text();
  events.push_back(finish_of(kChat, said, wire::whole(std::move(stopped_at))));
}

}  // namespace

void ChatReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  const StreamFrame read = chat_frame(frame, limits_);
  frames_ += frame.bare ? 0 : 1;
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
    case StreamFrame::Kind::torn:
      return;
    case StreamFrame::Kind::bare:
      return read_bare_body(read.object(), events);
    case StreamFrame::Kind::object:
      return read_chunk(read.object(), frame.event == "error", events);
    case StreamFrame::Kind::unreadable:
      events.push_back(turn::Failure{turn::ErrorKind::api,
                                     "upstream event " + std::to_string(frames_) + " " + read.problem()});
      return;
    case StreamFrame::Kind::done:
      break;
  }
  if (others_chosen_ && !first_chosen_) {
    events.push_back(turn::Failure{turn::ErrorKind::api, "the upstream gave no first choice, only others"});
  }
  events.push_back(turn::Done{});
}

void ChatReader::read_bare_body(const Json& object, std::vector<Event>& events) const {
  std::optional<turn::Failure> failure = find_failure(object, !object["choices"].is(JsonKind::array));
  if (failure) events.push_back(std::move(*failure));
}

void ChatReader::read_chunk(const Json& chunk, bool named_error, std::vector<Event>& events) {
  const std::vector<Json> choices = first_choices(chunk["choices"]);
  // Vendors keep counts of their own under x_ keys; the chunk's own have the last word.
  for (const Json& choice : choices) add_usage(choice["usage"], events);
  for (Json key = chunk.first_key(); key; key = key.next()) {
    if (key.text().starts_with("x_")) add_usage(key.value()["usage"], events);
  }
  add_usage(chunk["usage"], events);
  if (!choices.empty()) events.push_back(turn::Begin{wire::whole(chunk["model"].text())});
  for (const Json& choice : choices) {
    read_delta(choice["delta"], events);
    read_message(choice["message"], events);
  }
  // An error says more than the finish_reason beside it.
  std::optional<turn::Failure> failure = find_failure(chunk, named_error);
  for (const Json& choice : choices) {
    if (!failure) failure = find_failure(choice, false, true);
  }
  if (failure) {
    events.push_back(std::move(*failure));
  } else {
    for (const Json& choice : choices) add_finish(choice, events);
  }
}

// The entries for choice 0. A choice without an index has that of its place.
std::vector<Json> ChatReader::first_choices(const Json& choices) {
  std::vector<Json> first;
  std::size_t place = 0;
  for (Json choice = choices.first(); choice; choice = choice.next(), ++place) {
    if (!choice.is(JsonKind::object)) continue;
    const bool is_first = choice["index"].count().value_or(place) == 0;
    (is_first ? first_chosen_ : others_chosen_) = true;
    if (is_first) first.push_back(choice);
  }
  return first;
}

void ChatReader::read_delta(const Json& delta, std::vector<Event>& events) {
  const std::size_t begin = events.size();
  add_reasoning(delta, events);
  const std::size_t before = events.size();
  add_content(delta["content"], events);
  add_prose(BlockKind::refusal, delta["refusal"].text(), events);
  read_calls(delta, events);
  for (const auto& [key, what] : {std::pair("images", "an image"), std::pair("audio", "audio")}) {
    const Json made = delta[key];
    if ((made.is(JsonKind::array) || made.is(JsonKind::object)) && !made.empty())
      events.push_back(turn::Unplaced{what});
  }
  thought_ended_ |= events.size() > before;
  begun_ |= events.size() > begin;
}

// A message repeats the deltas. What they left out is read from it: everything, or calls by their ids.
void ChatReader::read_message(const Json& message, std::vector<Event>& events) {
  if (!begun_) return read_delta(message, events);
  std::size_t place = 0;
  for (Json call = message["tool_calls"].first(); call; call = call.next()) {
    ++place;
    const std::string id = scalar_of(call["id"]);
    if (!id.empty() && !calls_.knows(id))
      read_call(call["function"], {std::nullopt, id, {}, {}}, place, events);
  }
}

// The same thinking may stand under several keys of one delta: the first that says something new counts. Signatures stand in
// the lists alone, often in an element that has no text, or that has all of the thinking once more.
void ChatReader::add_reasoning(const Json& delta, std::vector<Event>& events) {
  struct Source {
    std::string_view key;
    std::string text;
  };
  std::vector<Source> sources = {{"reasoning_content", delta["reasoning_content"].text()},
                                 {"reasoning", delta["reasoning"].text()}};
  std::vector<std::string> snapshots;
  std::vector<std::string> signatures;
  struct List {
    const char* name;
    std::vector<const char*> texts;  // the first key that holds any counts
  };
  for (const List& list :
       {List{"reasoning_details", {"text", "summary"}}, List{"thinking_blocks", {"thinking"}}}) {
    std::vector<std::string> texts;
    std::string joined;
    const std::size_t signed_before = signatures.size();
    for (Json element = delta[list.name].first(); element; element = element.next()) {
      std::string text;
      for (const char* text_key : list.texts) {
        if (text.empty()) text = element[text_key].text();
      }
      std::string signature = wire::whole(element["signature"].text());
      if (!signature.empty()) signatures.push_back(std::move(signature));
      joined += text;
      if (!text.empty()) texts.push_back(std::move(text));
    }
    const bool is_signed = signatures.size() > signed_before;
    const bool may_repeat = is_signed || (thought_pieces_ > 1 && thought_under_ != list.name);
    const bool repeats = may_repeat && repeats_thinking(texts, joined);
    (repeats ? snapshots.emplace_back() : sources.emplace_back(Source{list.name, {}}).text) =
        std::move(joined);
  }
  for (Source& source : sources) {
    const bool again = std::find(snapshots.begin(), snapshots.end(), source.text) != snapshots.end();
    if (source.text.empty() || again) continue;
    think(source.key, std::move(source.text), events);
    break;
  }
  for (std::string& signature : signatures) events.push_back(turn::Signature{std::move(signature)});
}

void ChatReader::think(std::string_view key, std::string text, std::vector<Event>& events) {
  if (std::exchange(thought_ended_, false)) thoughts_.emplace_back();
  thoughts_.back().add(text);
  all_thoughts_.add(text);
  thought_under_ = key;
  ++thought_pieces_;
  add_prose(BlockKind::thinking, std::move(text), events);
}

// Whether the texts say what was thought, and no more: together the last run of thinking or all of it, or one each of the last
// runs.
bool ChatReader::repeats_thinking(const std::vector<std::string>& texts, const std::string& joined) const {
  if (texts.empty() || thoughts_.empty()) return false;
  const auto is = [](const Said& thought, const std::string& text) {
    const std::optional<std::string> rest = thought.rest_of(text);
    return rest && rest->empty();
  };
  if (is(thoughts_.back(), joined) || is(all_thoughts_, joined)) return true;
  return texts.size() <= thoughts_.size() &&
         std::equal(thoughts_.rbegin(), thoughts_.rbegin() + static_cast<std::ptrdiff_t>(texts.size()),
                    texts.rbegin(), is);
}

void ChatReader::add_usage(const Json& usage, std::vector<Event>& events) {
  if (!usage.is(JsonKind::object)) return;
  usage_.take(usage);
  events.push_back(usage_.usage());
}

void ChatReader::read_calls(const Json& delta, std::vector<Event>& events) {
  const Json calls = delta["tool_calls"];
  std::size_t place = 0;
  bool any = false;
  for (Json call = calls.first(); call; call = call.next()) {
    ++place;  // 0 is that of function_call
    if (!call.is(JsonKind::object)) continue;
    any = true;
    const std::string id = scalar_of(call["id"]);
    read_call(call["function"], {call["index"].count(), id, {}, {}}, place, events);
    if (calls_.size() > limits_.calls) return;  // one more than the ledger lets pass
  }
  // The form that came before tool_calls: one call, without index and id. Some send both forms of the same call.
  const Json legacy = delta["function_call"];
  if (legacy.is(JsonKind::object) && !any) read_call(legacy, {}, 0, events);
}

// Arguments sent as JSON instead of text are passed on as they stand.
void ChatReader::read_call(const Json& function, ChatCallMark mark, std::size_t place,
                           std::vector<Event>& events) {
  const Json arguments = function["arguments"];
  const bool other = !arguments.is(JsonKind::string) && !arguments.is(JsonKind::null);
  const std::string said = other ? std::string(arguments.raw()) : arguments.text();
  const std::string name = wire::whole(function["name"].text());
  mark.name = name;
  mark.arguments = said;
  const std::size_t call = calls_.match(mark, place, same_index_new_id_);
  events.push_back(turn::CallPiece{call, calls_.rank(call), std::string(mark.id), name, said});
}

}  // namespace splitproof::proxy::dialect
