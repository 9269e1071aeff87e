#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/observe/error_class.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect {

/// One item of an answer of the Responses API.
struct ResponsesItem {
  std::string type{};       ///< "message", "function_call", "reasoning", ...
  std::string call_id{};    ///< Calls only.
  std::string name{};       ///< Calls only.
  std::string text{};       ///< For a message its `output_text` parts, for reasoning its summary, joined.
  std::string refusal{};    ///< Messages only: their `refusal` parts, joined.
  std::string arguments{};  ///< Calls only, raw; for a custom tool, its input.
  std::string thought{};    ///< Reasoning only: its `reasoning_text` parts, joined.
  std::string id{};
  std::string status{};
  std::string notes{};   ///< Messages only: the annotations of their parts, as JSON.
  std::string sealed{};  ///< Reasoning only: encrypted_content.
  std::string whole{};   ///< Other types only: the whole item as JSON.

  bool operator==(const ResponsesItem&) const = default;
};

/// A client's reading of a stream of Responses events. The protocol has most content up to four times, and
/// clients read different copies. So an answer is sound only if all four agree.
struct ResponsesAnswer {
  std::vector<ResponsesItem> streamed;  ///< Items of `output_item.added`, with the content of deltas.
  std::vector<ResponsesItem> closed;    ///< The same items, with the content of `.done` events.
  std::vector<ResponsesItem> done;      ///< Items of `output_item.done`.
  std::vector<ResponsesItem> repeated;  ///< Items of the last event's `response.output`.
  std::optional<std::string> ending;    ///< Type of the first event that ends the response, if any.
  std::string reason;                   ///< Incomplete responses only: the reason.
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> cached_tokens;
  std::optional<std::int64_t> written_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<std::int64_t> reasoning_tokens;
  std::optional<std::int64_t> total_tokens;
  std::string model;
  std::string error_code;               ///< Failed responses only.
  std::string error;                    ///< Failed responses only: the message.
  observe::ErrorClasses error_classes;  ///< Failed responses only.
  std::size_t refused = 0;              ///< Unreadable events, events without an item or after the end.

  bool operator==(const ResponsesAnswer&) const = default;
};

/// Assembles any trace, as the API reference documents its streaming events. Ignores events and items of
/// other types, and an unterminated tail, which never reaches a client.
ResponsesAnswer assemble_responses_answer(observe::EventStream& stream);
ResponsesAnswer assemble_responses_answer(const observe::Trace& trace);

}  // namespace splitproof::dialect
