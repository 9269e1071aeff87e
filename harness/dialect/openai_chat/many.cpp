#include <fmt/format.h>

#include <string>

#include "harness/dialect/openai_chat/upstream.hpp"

namespace splitproof::dialect {

std::string ChatUpstream::stream_of_many(Many what, std::size_t count, std::size_t first) const {
  std::string body;
  const auto chunk = [&body](const std::string& choice) {
    body +=
        R"(data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[)" +
        choice + "]}\n\n";
  };
  const auto delta = [&chunk](std::size_t choice, const std::string& said) {
    chunk(fmt::format(R"({{"index":{},"delta":{{{}}},"finish_reason":null}})", choice, said));
  };
  delta(0, R"("role":"assistant")");
  for (std::size_t i = 0; i < count; ++i) {
    if (what == Many::calls) {
      delta(0, fmt::format(R"("tool_calls":[{{"index":{0},"id":"call_{1}","type":"function",)"
                           R"("function":{{"name":"{2}","arguments":"{{}}"}}}}])",
                           i, first + i, kManyTool));
    } else if (what == Many::blocks) {
      delta(0, i % 2 == 0 ? R"("reasoning_content":"a")" : R"("content":"b")");
    } else {
      delta(i, R"("content":"a")");
    }
  }
  for (std::size_t i = 0; i < (what == Many::choices ? count : 1); ++i)
    chunk(fmt::format(R"({{"index":{},"delta":{{}},"finish_reason":"{}"}})", i,
                      what == Many::calls ? "tool_calls" : "stop"));
  return body + "data: [DONE]\n\n";
}

}  // namespace splitproof::dialect
