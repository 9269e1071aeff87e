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
  std::string call_id{};    ///< of a call
  std::string name{};       ///< of a call
  std::string text{};       ///< of a message: its parts of `output_text`, joined; of reasoning: its summary
  std::string refusal{};    ///< of a message: its parts of `refusal`, joined
  std::string arguments{};  ///< of a call, raw; of a custom tool, its input
  std::string thought{};    ///< of reasoning: its parts of `reasoning_text`, joined
  std::string id{};
  std::string status{};
  std::string notes{};   ///< of a message: the annotations of its parts, as JSON
  std::string sealed{};  ///< of reasoning: encrypted_content
  std::string whole{};   ///< of any other type: all of it, as JSON

  bool operator==(const ResponsesItem&) const = default;
};

/// What clients make of a stream of Responses events. The protocol says everything up to four times, and clients differ
/// in what they read, so all four count: an answer is sound only where they agree.
struct ResponsesAnswer {
  std::vector<ResponsesItem> streamed;  ///< started by `output_item.added`, with what the deltas said
  std::vector<ResponsesItem> closed;    ///< the same with what `.done` events of texts and arguments said
  std::vector<ResponsesItem> done;      ///< as `output_item.done` has them
  std::vector<ResponsesItem> repeated;  ///< as the last event's `response.output` has them
  std::optional<std::string>
      ending;          ///< type of the first event that ends the response; none where it never ended
  std::string reason;  ///< of an incomplete one: why
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> cached_tokens;
  std::optional<std::int64_t> written_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<std::int64_t> reasoning_tokens;
  std::optional<std::int64_t> total_tokens;
  std::string model;
  std::string error_code;               ///< of one that failed
  std::string error;                    ///< likewise, the message
  observe::ErrorClasses error_classes;  ///< likewise
  std::size_t refused = 0;  ///< events that belong to no item, or cannot be read; or that come after the end

  bool operator==(const ResponsesAnswer&) const = default;
};

/// Assembles any trace, as the API reference documents its streaming events. Events and items of other types mean
/// nothing; an unterminated tail never reaches a client.
ResponsesAnswer assemble_responses_answer(observe::EventStream& stream);
ResponsesAnswer assemble_responses_answer(const observe::Trace& trace);

}  // namespace splitproof::dialect
