// Limits of a request.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "proxy/upstream_request.hpp"
#include "tests/cost/request.hpp"

namespace splitproof::request::limits_test {
namespace {

using cost::Request;
using proxy::dialect::ClientRow;

// A limit of 5: how to reach it, and the error.
struct Case {
  std::string limit;
  std::size_t Limits::*value;
  std::function<bool(Request&, std::size_t)> add;  // false: the protocol has no such thing
  std::function<std::string(const Request&, std::size_t)> refused;
};

std::string holds(const std::string& field, std::size_t count, const std::string& what,
                  const std::string& limit) {
  return field + ": holds " + std::to_string(count) + " " + what +
         ", more than the limit of 5 (limits: " + limit + ")";
}

std::string messages_of(const Request& request) {
  return request.is("openai.responses") ? "input" : request.is("google.gemini") ? "contents" : "messages";
}

bool add_stops(Request& request, const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(Request::quoted(text));
  if (request.is("openai.responses")) return false;
  if (request.is("google.gemini"))
    request.member("generationConfig", R"({"stopSequences":)" + Request::list(quoted) + "}");
  else if (request.is("bedrock.converse"))
    request.member("inferenceConfig", R"({"stopSequences":)" + Request::list(quoted) + "}");
  else
    request.member(request.is("openai.chat") ? "stop" : "stop_sequences", Request::list(quoted));
  return true;
}

std::string stop_of(const Request& request) {
  if (request.is("google.gemini")) return "generationConfig.stopSequences";
  if (request.is("bedrock.converse")) return "inferenceConfig.stopSequences";
  return request.is("openai.chat") ? "stop" : "stop_sequences";
}

std::string second_tool_of(const Request& request) {
  if (request.is("google.gemini")) return "tools.0.functionDeclarations.1.name";
  if (request.is("bedrock.converse")) return "toolConfig.tools.1.toolSpec.name";
  return request.is("openai.chat") ? "tools.1.function.name" : "tools.1.name";
}

std::vector<Case> cases() {
  return {
      {"messages", &Limits::messages,
       [](Request& request, std::size_t n) {
         for (std::size_t i = 2; i < n; ++i) request.user("a");  // it begins and ends with one
         return true;
       },
       [](const Request& request, std::size_t n) {
         return holds(messages_of(request), n, request.is("openai.responses") ? "items" : "messages",
                      "messages");
       }},
      {"tools", &Limits::tools,
       [](Request& request, std::size_t n) {
         for (std::size_t i = 0; i < n; ++i) request.tool("tool" + std::to_string(i));
         return true;
       },
       [](const Request& request, std::size_t n) {
         // Gemini's tools are in groups, and the groups are read only up to the limit.
         if (request.is("bedrock.converse")) return holds("toolConfig.tools", n, "tools", "tools");
         return holds("tools", request.is("google.gemini") ? 6 : n, "tools", "tools");
       }},
      {"history-calls", &Limits::history_calls,
       [](Request& request, std::size_t n) {
         std::vector<Request::Call> calls;
         for (std::size_t i = 0; i < n; ++i) calls.push_back({"call" + std::to_string(i), "look"});
         request.calls(calls);
         for (const Request::Call& call : calls) request.result(call.id);
         return true;
       },
       [](const Request& request, std::size_t n) {
         return holds(messages_of(request), n, "tool calls", "history-calls");
       }},
      {"stops", &Limits::stops,
       [](Request& request, std::size_t n) { return add_stops(request, std::vector<std::string>(n, "a")); },
       [](const Request& request, std::size_t n) { return holds(stop_of(request), n, "texts", "stops"); }},
      {"stop-bytes", &Limits::stop_bytes,
       [](Request& request, std::size_t n) {
         return add_stops(request, {"ab", std::string(n - 2, 'c')});
       },
       [](const Request& request, std::size_t n) {
         return holds(stop_of(request), n, "bytes", "stop-bytes");
       }},
      {"name-bytes", &Limits::name_bytes,
       [](Request& request, std::size_t n) {
         request.model(std::string(n, 'm'));
         return true;
       },
       [](const Request&, std::size_t n) { return holds("model", n, "bytes", "name-bytes"); }},
      {"name-bytes", &Limits::name_bytes,
       [](Request& request, std::size_t n) {
         request.tool("tool");
         request.tool(std::string(n, 't'));
         return true;
       },
       [](const Request& request, std::size_t n) {
         return holds(second_tool_of(request), n, "bytes", "name-bytes");
       }},
      {"name-bytes", &Limits::name_bytes,
       [](Request& request, std::size_t n) {
         request.raw_tool(R"({"type":"namespace","name":")" + std::string(n, 's') + R"(","tools":[]})");
         return request.is("openai.responses");
       },
       [](const Request&, std::size_t n) { return holds("tools.0.name", n, "bytes", "name-bytes"); }},
  };
}

tl::expected<UpstreamRequest, Refusal> asked(const ClientRow& client, const Limits& limits,
                                             const std::string& body) {
  TranslatorOptions options;
  options.client = &client;
  options.upstream = proxy::dialect::find_upstream("ollama.chat");
  options.rules.limits = limits;
  return upstream_request(options, body, [](Asked&) {});
}

TEST(RequestLimits, AreReachedAndNotPassed) {
  std::size_t refused = 0;
  for (const Case& each : cases()) {
    for (const ClientRow& client : proxy::dialect::clients()) {
      for (const std::size_t count : {4U, 5U, 6U, 50U}) {
        Request request{std::string(client.protocol)};
        if (!each.add(request, count)) continue;
        Limits limits;
        limits.*each.value = 5;
        const auto made = asked(client, limits, request.body());
        SCOPED_TRACE(each.limit + " " + std::string(client.protocol) + " " + std::to_string(count));
        if (count <= 5) {
          EXPECT_TRUE(made) << made.error().message;
        } else {
          ASSERT_FALSE(made);
          EXPECT_EQ(made.error().message, each.refused(request, count));
          ++refused;
        }
      }
    }
  }
  // Responses have no stop sequences, and only they have namespaces.
  EXPECT_EQ(refused, 2U * (5 * 8 - 2 - 4));
}

// Relayed content also repeats its model.
TEST(RequestLimits, LimitOfTheModelNameAppliesToRelayedRequests) {
  for (const ClientRow& client : proxy::dialect::clients()) {
    TranslatorOptions options;
    options.client = &client;
    options.upstream = proxy::dialect::find_upstream(client.protocol);
    options.rules.limits.name_bytes = 5;
    options.rules.limits.messages = 1;
    for (const std::size_t count : {5U, 6U}) {
      Request request{std::string(client.protocol)};
      request.model(std::string(count, 'm'));
      const auto made = upstream_request(options, request.body(), [](Asked&) {});
      EXPECT_EQ(made.has_value(), count == 5);
      const std::string said = made ? "" : made.error().message;
      EXPECT_EQ(said, count == 5 ? "" : holds("model", 6, "bytes", "name-bytes"));
    }
  }
}

}  // namespace
}  // namespace splitproof::request::limits_test
