// Prints what a client of Anthropic Messages has to get of every Chat Completions recording below the folders that are
// its arguments: one JSON object a line, as the harness reads the upstream's bytes under the profile `default`. Nothing
// of the proxy is asked. Ends with 1 where a folder cannot be read.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/reading.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/expect.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof {
namespace {

using nlohmann::json;
using observe::Expected;
using observe::Failure;
using observe::Finish;
using observe::Part;
using observe::PartKind;

observe::Answer meaning_of(const recording::Recording& recording) {
  observe::SseReader sse;
  sse.feed(recording.body);
  sse.finish();
  dialect::ChatReading chat(observe::Choices{}.same_index_new_id);
  for (const observe::SseEvent& event : sse.events()) chat.take(event);
  chat.take_plain_body(recording.body);
  return chat.finished();
}

// Anthropic's words for why an answer ended.
const char* stop_reason_of(Finish finish) {
  switch (finish) {
    case Finish::stop:
      return "end_turn";
    case Finish::length:
      return "max_tokens";
    case Finish::calls:
      return "tool_use";
    case Finish::filter:
      return "refusal";
  }
  return "";
}

json failure_of(const Expected& expected) {
  if (!expected.failure) return nullptr;
  switch (*expected.failure) {
    case Failure::reported:
      return "reported";
    case Failure::cut_off:
      return "cut_off";
    case Failure::nameless:
    case Failure::arguments:
    case Failure::demanded:
    case Failure::elsewhere:
      break;
  }
  return "unusable";
}

// `id` is null where the translator chooses it. Arguments are text, for the reader to parse as clients do; `input` says
// what they hold: an "object", "none", or one that was "cut".
json block_of(const Part& part) {
  switch (part.kind) {
    case PartKind::text:
    case PartKind::refusal:
      return {{"type", "text"}, {"text", part.text}};
    case PartKind::thinking:
      return {{"type", "thinking"}, {"thinking", part.text}, {"signature", part.signature}};
    case PartKind::call:
    case PartKind::other:  // no translator is asked for one
      break;
  }
  const observe::Arguments kind = observe::kind_of_arguments(part.arguments);
  const char* input = kind == observe::Arguments::object ? "object"
                      : kind == observe::Arguments::none ? "none"
                                                         : "cut";
  return {{"type", "tool_use"},
          {"id", part.id.empty() ? json() : json(part.id)},
          {"name", part.name},
          {"arguments", part.arguments},
          {"input", input}};
}

bool ranks_ascend(const std::vector<Part>& parts) {
  std::vector<std::uint64_t> ranks;
  for (const Part& part : parts) {
    if (part.kind == PartKind::call) ranks.push_back(part.rank);
  }
  return std::is_sorted(ranks.begin(), ranks.end());
}

json usage_of(const observe::Tokens& tokens) {
  json usage = json::object();
  if (tokens.prompt && tokens.cached.value_or(0) <= *tokens.prompt) {
    usage["input_tokens"] = *tokens.prompt - tokens.cached.value_or(0);
    usage["cache_read_input_tokens"] = tokens.cached.value_or(0);
  }
  if (tokens.completion) usage["output_tokens"] = *tokens.completion;
  return usage;
}

json line_of(const recording::Recording& recording) {
  const observe::Answer meaning = meaning_of(recording);
  Expected expected = observe::expected_of(meaning, recording.end, {});
  const auto demanded = observe::apply_expect(recording, "default", expected);
  if (!demanded) return {{"id", recording.id}, {"broken", demanded.error().what}};
  json line = {{"id", recording.id},
               {"file", recording.path},
               {"model", meaning.model},
               {"failure", failure_of(expected)},
               {"reported", meaning.error ? json(*meaning.error) : json()},
               {"stop_reason", stop_reason_of(expected.finish)},
               {"usage", usage_of(expected.usage)},
               {"calls_in_order", ranks_ascend(expected.parts)},
               {"content", json::array()},
               {"unsettled", json::array()}};
  for (const Part& part : expected.parts) line["content"].push_back(block_of(part));
  for (const Part& part : expected.unsettled) line["unsettled"].push_back(part.name);
  return line;
}

int print_all(const std::vector<std::string>& folders) {
  const recording::Corpus corpus = recording::load_corpus(folders);
  for (const auto& error : corpus.errors) std::fprintf(stderr, "%s\n", describe(error).c_str());
  for (const recording::Recording& recording : corpus.recordings) {
    if (recording.protocol == "openai.chat") std::puts(line_of(recording).dump().c_str());
  }
  return corpus.errors.empty() ? 0 : 1;
}

}  // namespace
}  // namespace splitproof

int main(int argc, char** argv) { return splitproof::print_all({argv + 1, argv + argc}); }
