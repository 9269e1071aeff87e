#include "proxy/dialect/openai_responses/answer.hpp"

#include <limits>
#include <string>
#include <vector>

#include "proxy/dialect/openai_error.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/sse_reader.hpp"

namespace splitproof::proxy::dialect {
namespace {

// The translator has applied the limits already.
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max() / 2;

std::vector<wire::Frame> frames_of(std::string_view events) {
  std::vector<wire::Frame> frames;
  wire::SseReader reader(kNoLimit);
  reader.feed(events, frames);
  return frames;
}

Answer failed(const wire::Json& response) {
  const wire::Json error = response["error"];
  return openai_error_of(error["code"].text(), error["message"].text());
}

}  // namespace

std::optional<Answer> responses_lone_error(std::string_view events) {
  constexpr std::size_t kEvents = 3;  // created, in progress, failed
  const std::vector<wire::Frame> frames = frames_of(events);
  if (frames.size() != kEvents || frames.back().event != "response.failed") return std::nullopt;
  const wire::JsonDocument document(frames.back().data, kNoLimit);
  return failed(document.root()["response"]);
}

Answer responses_whole_answer(std::string_view events) {
  const std::vector<wire::Frame> frames = frames_of(events);
  const std::string_view last = frames.empty() ? std::string_view() : frames.back().event;
  if (last != "response.completed" && last != "response.incomplete" && last != "response.failed")
    return openai_error(turn::ErrorKind::api, "the upstream stream ended before the message did");
  const wire::JsonDocument document(frames.back().data, kNoLimit);
  const wire::Json response = document.root()["response"];
  if (last == "response.failed") return failed(response);
  return {200, std::string(response.raw())};
}

}  // namespace splitproof::proxy::dialect
