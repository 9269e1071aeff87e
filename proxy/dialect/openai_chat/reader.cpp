#include "proxy/dialect/openai_chat/reader.hpp"

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

// The same thinking may stand under several keys of one delta: the first that holds any counts. Signatures stand in
// the lists alone, often in an element that has no text.
void add_reasoning(const Json& delta, std::vector<Event>& events) {
  std::string plain = delta["reasoning_content"].text();
  if (plain.empty()) plain = delta["reasoning"].text();
  bool said = !plain.empty();
  add_prose(BlockKind::thinking, std::move(plain), events);
  struct List {
    const char* name;
    std::vector<const char*> texts;  // the first key that holds any counts
  };
  for (const List& list :
       {List{"reasoning_details", {"text", "summary"}}, List{"thinking_blocks", {"thinking"}}}) {
    bool says = false;
    for (Json element = delta[list.name].first(); element; element = element.next()) {
      std::string text;
      for (const char* key : list.texts) {
        if (text.empty()) text = element[key].text();
      }
      says |= !text.empty();
      if (!said) add_prose(BlockKind::thinking, std::move(text), events);
      std::string signature = wire::whole(element["signature"].text());
      if (!signature.empty()) events.push_back(turn::Signature{std::move(signature)});
    }
    said |= says;
  }
}

void add_usage(const Json& usage, std::vector<Event>& events) {
  if (!usage.is(JsonKind::object)) return;
  events.push_back(turn::Usage{
      usage["prompt_tokens"].count(), usage["prompt_tokens_details"]["cached_tokens"].count(),
      usage["completion_tokens"].count(), usage["completion_tokens_details"]["reasoning_tokens"].count()});
}

// In lower case. A reason that nobody has written down means that the model stopped of itself.
constexpr std::array<FinishWord, 7> kReasons = {{
    {"length", Finish::length},
    {"max_tokens", Finish::length},
    {"model_length", Finish::length},
    {"tool_calls", Finish::calls},
    {"function_call", Finish::calls},
    {"content_filter", Finish::content_filter},
    {"sensitive", Finish::content_filter},
}};

void add_finish(const Json& choice, std::vector<Event>& events) {
  const std::string said = chat_finish(choice);
  if (said.empty()) return;
  if (auto failure = find_breakdown(said)) {
    events.push_back(std::move(*failure));
    return;
  }
  // vLLM and SGLang name what ended the answer: a text, or the number of a token.
  std::string stopped_at = choice["stop_reason"].text();
  if (stopped_at.empty()) stopped_at = choice["matched_stop"].text();
  events.push_back(turn::Finished{finish_of(kReasons, said), wire::whole(std::move(stopped_at))});
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
  const Json choice = first_choice(chunk["choices"]);
  // Vendors keep counts of their own under x_ keys; the chunk's own have the last word.
  add_usage(choice["usage"], events);
  for (Json key = chunk.first_key(); key; key = key.next()) {
    if (key.text().starts_with("x_")) add_usage(key.value()["usage"], events);
  }
  add_usage(chunk["usage"], events);
  if (choice) {
    events.push_back(turn::Begin{wire::whole(chunk["model"].text())});
    read_delta(choice["delta"], events);
  }
  // An error says more than the finish_reason beside it.
  std::optional<turn::Failure> failure = find_failure(chunk, named_error);
  if (!failure) failure = find_failure(choice, false, true);
  if (failure) {
    events.push_back(std::move(*failure));
  } else {
    add_finish(choice, events);
  }
}

// Choice 0, if it is there. A choice without an index has that of its place.
Json ChatReader::first_choice(const Json& choices) {
  std::size_t place = 0;
  for (Json choice = choices.first(); choice; choice = choice.next(), ++place) {
    if (!choice.is(JsonKind::object)) continue;
    if (choice["index"].count().value_or(place) == 0) {
      first_chosen_ = true;
      return choice;
    }
    others_chosen_ = true;
  }
  return {};
}

void ChatReader::read_delta(const Json& delta, std::vector<Event>& events) {
  add_reasoning(delta, events);
  add_content(delta["content"], events);
  add_prose(BlockKind::refusal, delta["refusal"].text(), events);
  read_calls(delta, events);
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
