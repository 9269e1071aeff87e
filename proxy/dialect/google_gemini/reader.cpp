#include "proxy/dialect/google_gemini/reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/google_gemini/failure.hpp"
#include "proxy/dialect/google_gemini/flag.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/dialect/stream_frame.hpp"
#include "proxy/dialect/usage_member.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using wire::Json;
using wire::JsonKind;

// The words of numbers, as Google's protocol buffers define them.
constexpr std::array<std::string_view, 6> kNumbered = {"",       "stop",       "max_tokens",
                                                       "safety", "recitation", "other"};

// Members of a part that have no content for another protocol: signatures, the form of an input, and the work of tools
// that the provider runs.
constexpr std::array<std::string_view, 11> kPartMembers = {
    "text",         "thought",        "thoughtSignature",    "videoMetadata", "mediaResolution",
    "partMetadata", "executableCode", "codeExecutionResult", "toolCall",      "toolResponse",
    "functionCall"};

// Returns a word in lower case; empty for none.
std::string word_of(const Json& reason) {
  if (const auto number = reason.count())
    return *number < kNumbered.size() ? std::string(kNumbered[*number]) : std::to_string(*number);
  std::string word = wire::lowered(scalar_of(reason));
  return word == "finish_reason_unspecified" ? std::string() : word;
}

// True if a filter of the provider stopped the prompt.
bool blocks(const Json& feedback) {
  const std::string reason = scalar_of(feedback["blockReason"]);
  return !reason.empty() && reason != "0" && reason != "BLOCK_REASON_UNSPECIFIED" &&
         reason != "BLOCKED_REASON_UNSPECIFIED";
}

// Returns the kind of content other than text, by its media type.
std::string output_of(const Json& data) {
  const std::string type = wire::lowered(data["mimeType"].text());
  return type.starts_with("audio/")                   ? "audio"
         : type.starts_with("video/")                 ? "a video"
         : type.empty() || type.starts_with("image/") ? "an image"
                                                      : "a file";
}

// True if a part has a member that no reader knows.
bool is_unknown(const Json& part) {
  for (Json key = part.first_key(); key; key = key.next()) {
    const Json value = key.value();
    const bool is_empty = value.is(JsonKind::null) || (value.empty() && value.text().empty());
    const auto known = std::find(kPartMembers.begin(), kPartMembers.end(), key.text());
    if (!is_empty && known == kPartMembers.end()) return true;
  }
  return false;
}

// Returns the candidates that are the answer.
std::vector<Json> first_candidates(const Json& candidates) {
  std::vector<Json> first;
  for (Json candidate = candidates.first(); candidate; candidate = candidate.next()) {
    if (candidate.is(JsonKind::object) && candidate["index"].count().value_or(0) == 0)
      first.push_back(candidate);
  }
  return first;
}

}  // namespace

void GeminiReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  const bool named_error = frame.event == "error";
  const bool own_name = !frame.event.empty() && frame.event != "message" && !named_error;
  const StreamFrame read(frame, limits_,
                         named_error ? Named::error
                         : own_name  ? Named::extension
                                     : Named::nothing);
  switch (read.kind()) {
    case StreamFrame::Kind::object:
    case StreamFrame::Kind::bare:
      break;
    case StreamFrame::Kind::unreadable:
      // The error lacks the frame's number, so that the same answer in other frames ends in the same error.
      events.push_back(turn::Failure{turn::ErrorKind::api, "a frame of the upstream " + read.problem()});
      return;
    case StreamFrame::Kind::torn:
    case StreamFrame::Kind::nothing:
    case StreamFrame::Kind::done:  // Some gateways add the mark. The body goes on until its end.
      torn_ |= frame.unclosed;
      return;
  }
  const Json answer = read.object();
  read_answer(answer, events);
  const Json error = answer["error"];
  const bool fails = !error.empty() || !error.text().empty();
  if (fails || named_error) events.push_back(google_failure(fails ? error : answer));
}

void GeminiReader::read_answer(const Json& answer, std::vector<Event>& events) {
  const std::vector<Json> candidates = first_candidates(answer["candidates"]);
  const bool blocked = candidates.empty() && blocks(answer["promptFeedback"]);
  read_usage(answer["usageMetadata"]);
  if (!candidates.empty() || blocked)
    events.push_back(turn::Begin{wire::whole(answer["modelVersion"].text())});
  if (blocked) end_ = turn::Finished{turn::Finish::content_filter};
  for (const Json& candidate : candidates) {
    const Json parts = candidate["content"]["parts"];
    for (Json part = parts.first(); part; part = part.next()) read_part(part, events);
    if (const std::string word = word_of(candidate["finishReason"]); !word.empty())
      end_ = finish_of("google.gemini", word);
  }
}

// Keeps counts. Those of the provider's tools are not in the prompt's.
void GeminiReader::read_usage(const Json& usage) {
  UsageReader reader("google.gemini", false, true);
  reader.take(usage);
  turn::Usage counts = reader.usage();
  if (const auto tokens = usage["toolUsePromptTokenCount"].count())
    counts.prompt = counts.prompt.value_or(0) + *tokens;
  if (counts != turn::Usage()) usage_ = counts;
}

void GeminiReader::read_part(const Json& part, std::vector<Event>& events) {
  const BlockKind kind = is_true(part["thought"]) ? BlockKind::thinking : BlockKind::text;
  if (std::string text = part["text"].text(); !text.empty())
    events.push_back(turn::Prose{kind, std::move(text)});
  if (const Json call = part["functionCall"]; call.is(JsonKind::object)) calls_.read(call, events);
  const Json data = part[part["inlineData"].is(JsonKind::object) ? "inlineData" : "fileData"];
  if (data.is(JsonKind::object))
    events.push_back(turn::Unplaced{output_of(data)});
  else if (is_unknown(part))
    events.push_back(turn::unknown_content());
}

void GeminiReader::finish(turn::BodyEnd, std::vector<Event>& events) {
  if (usage_) events.push_back(*usage_);
  if (end_ && !torn_ && !calls_.in_pieces()) events.push_back(*end_);
}

}  // namespace splitproof::proxy::dialect
