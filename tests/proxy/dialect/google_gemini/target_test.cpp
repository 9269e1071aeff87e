#include "proxy/dialect/google_gemini/target.hpp"

#include <gtest/gtest.h>

#include <string>

#include "proxy/wire/event_array.hpp"
#include "proxy/wire/url.hpp"

namespace splitproof::proxy::dialect::google_gemini::target_test {
namespace {

std::string target_of(const std::string& path, const std::string& query = {}) {
  const auto target = read_gemini_target(path, query);
  if (!target) return is_gemini_path(path) ? "own" : "none";
  return target->model + (target->array ? " array" : target->stream ? " events" : " whole");
}

TEST(GeminiTarget, ModelAndFormOfTheAnswer) {
  EXPECT_EQ(target_of("/v1beta/models/m-1.5:streamGenerateContent", "alt=sse"), "m-1.5 events");
  EXPECT_EQ(target_of("/v1beta/models/m:streamGenerateContent", "key=k&alt=sse"), "m events");
  EXPECT_EQ(target_of("/v1beta/models/m:streamGenerateContent"), "m array");
  EXPECT_EQ(target_of("/v1/models/m:streamGenerateContent", "alt=json"), "m array");
  EXPECT_EQ(target_of("/v1beta/models/m:generateContent", "alt=sse"), "m whole");
  EXPECT_EQ(target_of("/v1/models/a/b:c:generateContent"), "a/b:c whole");
  EXPECT_EQ(target_of("/v1beta/models/a%2Fb%20%C3%A9%22:generateContent"), "a/b é\\\" whole");
  EXPECT_EQ(target_of("/v1beta1/projects/p/locations/l/publishers/google/models/m:generateContent"),
            "m whole");
}

TEST(GeminiTarget, OtherTargets) {
  for (const char* own : {"/v1beta", "/v1beta/models", "/v1beta/models/m", "/v1beta/models/m:countTokens",
                          "/v1/models/m:countTokens", "/v1beta/models/:generateContent", "/v1beta/x",
                          "/v1beta/projects/p:generateContent", "/v1beta/models/%FF:generateContent"})
    EXPECT_EQ(target_of(own), "own") << own;
  for (const char* other : {"/", "/v1/models", "/v1/models/m", "/v1/models/llama3:8b", "/v1/messages",
                            "/v1betas/x", "/v1/x/m:generateContent", "/models/m:generateContent"})
    EXPECT_EQ(target_of(other), "none") << other;
}

TEST(Url, MembersOfAQuery) {
  EXPECT_EQ(wire::query_member("key=a%2Bb&alt=sse", "key"), "a+b");
  EXPECT_EQ(wire::query_member("key=a&key=b", "key"), "a");
  EXPECT_EQ(wire::query_member("monkey=a&alt", "key"), "");
  EXPECT_EQ(wire::query_member("alt", "alt"), "");
  EXPECT_EQ(wire::query_member("&&alt=", "alt"), "");
  EXPECT_EQ(wire::query_member("a=1&alt=x=y", "alt"), "x=y");
}

TEST(Url, EscapesThatAreNoneStay) {
  for (const char* text : {"%", "%4", "%zz", "%4z", "a%"}) EXPECT_EQ(wire::percent_decoded(text), text);
  EXPECT_EQ(wire::percent_decoded("%41%4a%4A%"), "AJJ%");
}

TEST(EventArray, EachEventIsAnElement) {
  const auto array_of = [](const std::string& events, std::size_t size) {
    wire::EventArray array(1000);
    std::string out;
    for (std::size_t at = 0; at < events.size(); at += size)
      array.feed(std::string_view(events).substr(at, size), out);
    array.finish(out);
    array.finish(out);
    return out;
  };
  for (const std::size_t size : {1U, 3U, 1000U}) {
    EXPECT_EQ(
        array_of("data: {\"a\": 1.50}\r\n\r\n: note\n\nevent: x\ndata: {\ndata: }\n\ndata:  \n\n", size),
        "[{\"a\": 1.50},\r\n{\n}]");
    EXPECT_EQ(array_of("", size), "[]");
    EXPECT_EQ(array_of("data: {}", size), "[]") << "an incomplete event is none";
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::target_test
