// Only the words of users and of the model are replaced.

#include "harness/record/anonymiser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/record/masked_body.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof::record::anonymiser_test {
namespace {

std::string document(std::string json) {
  Anonymiser(Framing::json_lines).take_document(json);
  return json;
}

std::string lines(std::string text) {
  Anonymiser(Framing::sse).take_lines(text);
  return text;
}

TEST(Anonymiser, ReplacesWordsOfARequest) {
  EXPECT_EQ(
      document(
          R"({"model":"m-1","messages":[{"role":"user","content":"How high, Zo\u00eb? 42"},)"
          R"({"role":"user","content":[{"type":"text","text":"Hi"}]}],)"
          R"("tools":[{"name":"read_tide","description":"Reads","parameters":{"type":"object"}}],"user":"ann7"})"),
      R"({"model":"m-1","messages":[{"role":"user","content":"Xxx xxxx, Xx\u00eb? 11"},)"
      R"({"role":"user","content":[{"type":"text","text":"Xx"}]}],)"
      R"("tools":[{"name":"read_tide","description":"Xxxxx","parameters":{"type":"object"}}],"user":"xxx1"})");
}

TEST(Anonymiser, KeepsTheJsonOfArguments) {
  EXPECT_EQ(
      document(
          R"({"function":{"name":"f","arguments":"{\"city\":\"Oslo\",\"n\":[10,-2.5e3],\"ok\":true,\"t\":\"a\\nb\"}"}})"),
      R"({"function":{"name":"f","arguments":"{\"city\":\"Xxxx\",\"n\":[10,-1.1e1],\"ok\":true,\"t\":\"x\\nx\"}"}})");
  EXPECT_EQ(document(R"({"input":{"city":"Oslo","days":[10,23],"deep":{"type":"Sun"}},"id":"toolu_1"})"),
            R"({"input":{"city":"Xxxx","days":[10,11],"deep":{"type":"Xxx"}},"id":"toolu_1"})");
}

TEST(Anonymiser, ReadsArgumentsInPieces) {
  const auto event = [](int index, const std::string& piece) {
    return R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":)" + std::to_string(index) +
           R"(,"function":{"arguments":")" + piece + "\"}}]}}]}\n\n";
  };
  // Two calls alternate.
  EXPECT_EQ(lines(event(0, R"({\"ci)") + event(1, R"({\"a\":tr)") + event(0, R"(ty\":\"Os)") +
                  event(1, R"(ue,\"b\":12})") + event(0, R"(lo\"})")),
            event(0, R"({\"ci)") + event(1, R"({\"a\":tr)") + event(0, R"(ty\":\"Xx)") +
                event(1, R"(ue,\"b\":11})") + event(0, R"(xx\"})"));
}

TEST(Anonymiser, KeepsMarksAndNamesOfEvents) {
  const std::string stream =
      "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded\"}}\n\ndata: [DONE]\n\n: ping\n\n";
  EXPECT_EQ(lines(stream), stream);
}

// The parts of an answer with all letters and digits equal.
std::vector<std::string> shape_of(const recording::Recording& recording, const std::string& body) {
  std::vector<std::string> parts;
  for (const observe::Part& part : dialect::read(*dialect::upstream_of(recording.protocol), body).parts)
    parts.push_back(observe::kind_of(part) + " " + part.id + " " + part.name + " " +
                    std::to_string(part.text.size()) + " " + std::to_string(part.arguments.size()));
  return parts;
}

TEST(Anonymiser, KeepsTheAnswersOfTheCorpus) {
  const std::filesystem::path root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::size_t changed = 0;
  const auto corpus = recording::load_corpus({(root / "corpus").string()});
  ASSERT_GT(corpus.recordings.size(), 300u);
  for (const recording::Recording& one : corpus.recordings) {
    if (dialect::upstream_of(one.protocol) == nullptr) continue;
    Secrets secrets{SecretShapes()};
    MaskedBody body(dialect::format_of(one.protocol).framing, secrets, true);
    std::string result = body.take(one.body);
    result += body.finish();
    ASSERT_EQ(result.size(), one.body.size()) << one.id;
    changed += result == one.body ? 0 : 1;
    EXPECT_EQ(shape_of(one, result), shape_of(one, one.body)) << one.id;
  }
  EXPECT_GT(changed, corpus.recordings.size() / 2);
}

}  // namespace
}  // namespace splitproof::record::anonymiser_test
