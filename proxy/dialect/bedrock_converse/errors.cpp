#include "proxy/dialect/bedrock_converse/errors.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "proxy/wire/event_stream_frame.hpp"
#include "proxy/wire/event_stream_framer.hpp"
#include "proxy/wire/json.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::ErrorKind;

constexpr std::size_t kErrorDepth = 128;
constexpr std::size_t kNoFrameLimit = std::numeric_limits<std::size_t>::max() / 2;

struct ExceptionRow {
  ErrorKind kind;
  std::string_view type;      // of an error in place of a stream
  std::string_view in_frame;  // type of an exception
  int status;
};

// Errors of ConverseStream in the reference of the Amazon Bedrock Runtime API, and common errors of AWS. A frame has only
// the types of ConverseStreamOutput, because Vercel's AI SDK ignores others. If several kinds have one type in frames, a
// frame means the first kind. `request_too_large`, `api` and `timeout` have the usual statuses of proxies.
constexpr std::array<ExceptionRow, 10> kExceptions = {{
    {ErrorKind::invalid_request, "ValidationException", "validationException", 400},
    {ErrorKind::authentication, "UnrecognizedClientException", "validationException", 401},
    {ErrorKind::permission, "AccessDeniedException", "validationException", 403},
    {ErrorKind::not_found, "ResourceNotFoundException", "validationException", 404},
    {ErrorKind::request_too_large, "ValidationException", "validationException", 413},
    {ErrorKind::rate_limit, "ThrottlingException", "throttlingException", 429},
    {ErrorKind::billing, "ServiceQuotaExceededException", "throttlingException", 402},
    {ErrorKind::api, "InternalServerException", "internalServerException", 502},
    {ErrorKind::timeout, "ModelTimeoutException", "modelStreamErrorException", 504},
    {ErrorKind::overloaded, "ServiceUnavailableException", "serviceUnavailableException", 503},
}};

const ExceptionRow& row_of(ErrorKind kind) {
  return *std::find_if(kExceptions.begin(), kExceptions.end(),
                       [&](const ExceptionRow& row) { return row.kind == kind; });
}

Answer answer_of(const ExceptionRow& row, std::string_view message) {
  Answer answer{row.status,
                "{\"__type\":" + wire::quoted(row.type) + ",\"message\":" + wire::quoted(message) + "}"};
  answer.header = "x-amzn-ErrorType: " + std::string(row.type);
  return answer;
}

}  // namespace

void append_converse_exception(ErrorKind kind, std::string_view message, std::string& out) {
  wire::append_event_frame(out,
                           {{":exception-type", row_of(kind).in_frame},
                            {":content-type", "application/json"},
                            {":message-type", "exception"}},
                           "{\"message\":" + wire::quoted(message) + "}");
}

Answer converse_error(ErrorKind kind, std::string_view message) { return answer_of(row_of(kind), message); }

Answer converse_refused(const request::Refusal& refusal) {
  return converse_error(ErrorKind::invalid_request, refusal.message);
}

Answer converse_exception_answer(const wire::Frame& exception) {
  const auto row = std::find_if(kExceptions.begin(), kExceptions.end(),
                                [&](const ExceptionRow& known) { return known.in_frame == exception.error; });
  const wire::JsonDocument document(exception.data, kErrorDepth);
  return answer_of(row == kExceptions.end() ? row_of(ErrorKind::api) : *row,
                   document.root()["message"].text());
}

std::optional<Answer> converse_lone_error(std::string_view stream) {
  std::vector<wire::Frame> frames;
  wire::EventStreamFramer framer(kNoFrameLimit);
  framer.feed(stream, frames);
  if (frames.empty() || frames.front().error.empty()) return std::nullopt;
  return converse_exception_answer(frames.front());
}

bool is_converse_error(std::string_view body) {
  const wire::JsonDocument document(body, kErrorDepth);
  return document.root()["message"].is(wire::JsonKind::string);
}

}  // namespace splitproof::proxy::dialect
