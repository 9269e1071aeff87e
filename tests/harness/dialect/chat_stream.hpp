#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/openai_chat/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"

/// Chat Completions streams for tests, and their meaning in short form.

namespace splitproof::dialect {

/// One event of `data`.
inline std::string frame(std::string_view data) { return "data: " + std::string(data) + "\n\n"; }

/// An event with the delta of choice 0.
inline std::string delta(std::string_view delta) {
  return frame(R"({"choices":[{"index":0,"delta":)" + std::string(delta) + "}]}");
}

/// An event with one piece of a call.
inline std::string call(std::string_view piece) {
  return delta(R"({"tool_calls":[)" + std::string(piece) + "]}");
}

inline std::string text(std::string_view escaped) {
  return delta(R"({"content":")" + std::string(escaped) + R"("})");
}

inline std::string finish(std::string_view reason) {
  return frame(R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + std::string(reason) + R"("}]})");
}

inline const std::string kDone = frame("[DONE]");

/// Returns the parts as `text[Hi.]`, `thinking[Well.|signature]`, `refusal[No.]` and `call[id|name|arguments]`.
inline observe::Answer read_chat(std::string_view body,
                                 observe::SameIndexNewId rule = observe::SameIndexNewId::new_call) {
  observe::Choices choices;
  choices.same_index_new_id = rule;
  return read(ChatUpstream(), body, choices);
}

inline std::string parts_in_short(const observe::Answer& meaning) {
  std::string all;
  for (const observe::Part& part : meaning.parts) {
    if (!all.empty()) all += ' ';
    switch (part.kind) {
      case observe::PartKind::text:
        all += "text[" + part.text + "]";
        break;
      case observe::PartKind::thinking:
        all += "thinking[" + part.text + (part.signature.empty() ? "" : "|" + part.signature) + "]";
        break;
      case observe::PartKind::refusal:
        all += "refusal[" + part.text + "]";
        break;
      case observe::PartKind::call:
        all += "call[" + part.id + "|" + part.name + "|" + part.arguments + "]";
        break;
      case observe::PartKind::other:
        all += "other[" + part.text + "]";
    }
  }
  return all;
}

/// Returns the parts and the end: `text[Hi.] =stop done` or `text[Hi.] !The message of the error`.
inline std::string in_short(const observe::Answer& meaning) {
  std::string all = parts_in_short(meaning);
  const auto add = [&](const std::string& word) { all += (all.empty() ? "" : " ") + word; };
  if (meaning.finish) add("=" + meaning.finish->word);
  if (meaning.done) add("done");
  if (meaning.error) add("!" + *meaning.error);
  return all;
}

/// Returns the counts as `prompt/cached/completion`, with `-` for none.
inline std::string tokens_in_short(const observe::Tokens& tokens) {
  const auto show = [](const auto& count) { return count ? std::to_string(*count) : std::string("-"); };
  return show(tokens.prompt) + "/" + show(tokens.cached) + "/" + show(tokens.completion);
}

}  // namespace splitproof::dialect
