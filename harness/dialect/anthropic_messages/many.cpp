#include <fmt/format.h>

#include <string>

#include "harness/dialect/anthropic_messages/upstream.hpp"

namespace splitproof::dialect {

std::string AnthropicUpstream::stream_of_many(Many what, std::size_t count, std::size_t first) const {
  if (what == Many::choices) return {};
  std::string body;
  const auto event = [&body](std::string_view type, const std::string& members) {
    body += fmt::format("event: {0}\ndata: {{\"type\":\"{0}\"{1}}}\n\n", type, members);
  };
  event("message_start",
        R"(,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],)"
        R"("stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":4,"output_tokens":1}})");
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_call = what == Many::calls;
    event(
        "content_block_start",
        fmt::format(R"(,"index":{},"content_block":{})", i,
                    is_call ? fmt::format(R"({{"type":"tool_use","id":"toolu_{}","name":"{}","input":{{}}}})",
                                          first + i, kManyTool)
                            : R"({"type":"text","text":""})"));
    event("content_block_delta", fmt::format(R"(,"index":{},"delta":{})", i,
                                             is_call ? R"({"type":"input_json_delta","partial_json":"{}"})"
                                                     : R"({"type":"text_delta","text":"a"})"));
    event("content_block_stop", fmt::format(R"(,"index":{})", i));
  }
  event("message_delta",
        fmt::format(R"(,"delta":{{"stop_reason":"{}","stop_sequence":null}},"usage":{{"output_tokens":1}})",
                    what == Many::calls ? "tool_use" : "end_turn"));
  event("message_stop", "");
  return body;
}

}  // namespace splitproof::dialect
