// Answers that are too long for a file of the corpus: an event of more than a megabyte. Their meaning is known, and the
// reference conforms on them in every direction.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::recording::long_answers_test {
namespace {

constexpr std::size_t kLong = (std::size_t{1} << 20) + 1000;

constexpr std::size_t kRead = 65521;  // a prime

// Numbered words, so that no two parts are equal.
std::string long_text() {
  std::string text;
  for (std::size_t i = 0; text.size() < kLong; ++i) text += fmt::format("tide {} ", i);
  return text;
}

Recording recording_of(const std::string& protocol, std::string body) {
  Recording recording;
  recording.id = protocol + "/long";
  recording.protocol = protocol;
  recording.headers = {{"content-type", std::string(dialect::upstream_of(protocol)->content_type())}};
  for (std::size_t end = kRead; end < body.size(); end += kRead) recording.arrivals.push_back({0, end});
  recording.arrivals.push_back({0, body.size()});
  recording.body = std::move(body);
  return recording;
}

// Returns the tiny answer of a protocol with another text.
Recording with_text(const std::string& protocol, const std::string& text) {
  std::string body;
  for (const std::string& piece : dialect::upstream_of(protocol)->tiny_answer()) body += piece;
  for (std::size_t at = 0; (at = body.find(dialect::kTinyText, at)) != body.npos; at += text.size())
    body.replace(at, dialect::kTinyText.size(), text);
  return recording_of(protocol, std::move(body));
}

Recording chat_with(const std::string& delta, const std::string& finish) {
  const auto chunk = [](const std::string& said, const std::string& reason) {
    return R"(data: {"id":"chatcmpl-long","object":"chat.completion.chunk","created":1,"model":"fable-large",)"
           R"("choices":[{"index":0,"delta":)" +
           said + R"(,"finish_reason":)" + reason + "}]}\n\n";
  };
  return recording_of("openai.chat", chunk(R"({"role":"assistant"})", "null") + chunk(delta, "null") +
                                         chunk("{}", '"' + finish + '"') + "data: [DONE]\n\n");
}

observe::Answer meaning_of(const Recording& recording) {
  return dialect::read(*dialect::upstream_of(recording.protocol), recording.body);
}

// Runs these cases of a recording in every direction.
void expect_conformance(const Recording& recording, const std::string& only, bool faults) {
  for (const std::string& client : testee::reference_clients(recording.protocol)) {
    SCOPED_TRACE(recording.protocol + " for " + client);
    campaign::ReferenceCampaign reference(recording.protocol);
    const auto streams = testee::reference_streams(reference.profile, recording.protocol, client).value();
    reference.reference = testee::InProcess("reference", streams, recording.protocol, client);
    const auto results = reference.run({recording}, {{0, false, 1}, {}, faults}, only);
    // A relay that is cut off before any text leaves the block of the text open: END-07, a `should`.
    std::vector<std::string> found = campaign::violations(results);
    std::erase_if(found, [&](const std::string& one) { return faults && one.starts_with("END-07 "); });
    EXPECT_EQ(found, std::vector<std::string>());
    ASSERT_EQ(results.size(), 1U);
    EXPECT_GE(results[0].cases, 1U);
    EXPECT_GT(campaign::judged(results[0]), 0U);
  }
}

// In reads of odd sizes, in one read, and cut off inside the long event.
void expect_conformance(const Recording& recording) {
  expect_conformance(recording, "*&gen=[rw]*", false);
  expect_conformance(recording, "*fault=close@50????*", true);
}

TEST(LongAnswers, TextOfAMegabyteInOneEvent) {
  const std::string text = long_text();
  std::size_t tried = 0;
  for (const std::string& upstream : testee::reference_upstreams()) {
    if (dialect::format_of(upstream).framing == Framing::aws_frames) continue;  // frames have lengths
    const Recording recording = with_text(upstream, text);
    const observe::Answer meaning = meaning_of(recording);
    ASSERT_EQ(meaning.parts.size(), 1U) << upstream;
    EXPECT_EQ(meaning.parts[0].kind, observe::PartKind::text);
    EXPECT_TRUE(meaning.parts[0].text == text) << upstream;
    EXPECT_FALSE(meaning.error) << *meaning.error;
    expect_conformance(recording);
    ++tried;
  }
  EXPECT_EQ(tried, 5U);
}

TEST(LongAnswers, ArgumentsOfAMegabyteInOneEvent) {
  const std::string arguments = R"({"note":")" + long_text() + R"("})";
  std::string as_text;
  for (const char c : arguments) as_text += c == '"' ? std::string("\\\"") : std::string(1, c);
  const Recording recording = chat_with(
      R"({"tool_calls":[{"index":0,"id":"call_note1","type":"function","function":{"name":"write_note","arguments":")" +
          as_text + R"("}}]})",
      "tool_calls");
  const observe::Answer meaning = meaning_of(recording);
  ASSERT_EQ(meaning.parts.size(), 1U);
  EXPECT_EQ(meaning.parts[0].name, "write_note");
  EXPECT_TRUE(meaning.parts[0].arguments == arguments);
  expect_conformance(recording);
}

}  // namespace
}  // namespace splitproof::recording::long_answers_test
