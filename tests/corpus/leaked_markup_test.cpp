// Calls that stand in the text of recordings: what the oracle says of them is what a person wrote down, whatever the cuts of
// the text; and who holds text back is found.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/reading.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/dialect/told_client.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/cleaning.hpp"
#include "harness/observe/expect.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/testee/client_request.hpp"
#include "tests/corpus/holds_from.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::recording::leaked_markup_test {
namespace {

constexpr const char* kProfile = "rescue";
constexpr std::string_view kUpstream = "openai.chat";

const contract::Profile& profile() {
  static const contract::Profile kLoaded =
      contract::load_profile(kProfile, {campaign::source_root() / "contracts"}).value();
  return kLoaded;
}

// The recordings that say by hand what must come of the calls in their text.
const std::vector<Recording>& recordings() {
  static const std::vector<Recording> kRecordings = [] {
    std::vector<Recording> all = load_corpus({(campaign::source_root() / "corpus").string()}).recordings;
    std::erase_if(all, [](const Recording& recording) {
      return recording.expect == nullptr ||
             !recording.expect->value("profiles", nlohmann::json::object()).contains(kProfile);
    });
    return all;
  }();
  return kRecordings;
}

observe::Carries carries_of(const dialect::Dialect& dialect, const Recording& recording) {
  const std::string protocol(dialect.protocol);
  const auto request = testee::request_document(protocol, recording);
  observe::Carries carries = dialect::told_client(protocol, request.get(), nullptr);
  carries.losses = campaign::built_in_contracts().losses(recording.protocol, protocol);
  return carries;
}

// What is compared: kinds, texts, names, arguments; ids where a person gave them.
std::string shown(const std::vector<observe::Part>& parts, bool with_ids) {
  std::string all;
  for (const observe::Part& part : parts) {
    all += kind_of(part) + "(" + part.text + part.name + " " + part.arguments + ") ";
    if (with_ids) all += part.id + "\n";
  }
  return all;
}

TEST(LeakedMarkup, TheOracleSaysWhatAPersonWroteDown) {
  const observe::Choices choices = observe::choices_of(profile().knobs);
  std::size_t compared = 0;
  std::size_t calls = 0;
  for (const Recording& recording : recordings()) {
    const observe::Answer meaning =
        dialect::read(*dialect::upstream_of(recording.protocol), recording.body, choices);
    for (const dialect::Dialect& dialect : dialect::all()) {
      if (dialect.client == nullptr) continue;
      SCOPED_TRACE(recording.id + " for " + std::string(dialect.protocol));
      const observe::Carries carries = carries_of(dialect, recording);
      const bool none = recording.id.ends_with("/markup-calls-forbidden") ||
                        recording.id.ends_with("/markup-nothing-declared");
      EXPECT_EQ(carries.functions.empty(), none);
      const observe::Expected oracle = observe::expected_of(meaning, recording.end, choices, carries);
      observe::Expected person = oracle;
      person.parts.clear();
      ASSERT_TRUE(observe::apply_expect(recording, kProfile, person, carries));
      EXPECT_EQ(shown(oracle.parts, true), shown(person.parts, true));
      EXPECT_EQ(name(oracle.finish), name(person.finish));
      EXPECT_FALSE(oracle.failure);
      calls += oracle.shapes.contains("rescued") ? 1 : 0;
      ++compared;
    }
  }
  std::printf("%zu answers compared, %zu of them with rescued calls\n", compared, calls);
  EXPECT_GE(recordings().size(), 76u);
  EXPECT_GE(compared, 3 * recordings().size());
  EXPECT_GE(calls, 3 * 40u);
}

std::string chat_chunk(const nlohmann::json& delta, const char* finish = nullptr) {
  nlohmann::json choice = {{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}};
  if (finish != nullptr) choice["finish_reason"] = finish;
  return "data: " + nlohmann::json{{"id", "chatcmpl-1"}, {"choices", {choice}}}.dump() + "\n\n";
}

bool begins_character(const std::string& text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

// Three pieces of the text, in one event each: the reference must say the same of all of them, and the oracle what it says.
// Every place is cut alone, and with every third place behind it.
TEST(LeakedMarkup, EveryPairOfCutsOfATextGivesOneOutput) {
  constexpr std::size_t kLongest = 200;  // characters
  const observe::Choices choices = observe::choices_of(profile().knobs);
  const dialect::Dialect& client = *dialect::find("anthropic.messages");
  const auto open = testee::reference_streams(profile()).value();
  std::size_t texts = 0;
  std::size_t pairs = 0;
  for (const Recording& recording : recordings()) {
    const observe::Answer meaning =
        dialect::read(*dialect::upstream_of(recording.protocol), recording.body, choices);
    if (recording.protocol != kUpstream || meaning.parts.size() != 1) continue;
    const std::string& text = meaning.parts[0].text;
    if (meaning.parts[0].kind != observe::PartKind::text) continue;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < text.size(); ++at)
      if (begins_character(text, at)) places.push_back(at);
    if (places.size() > kLongest) continue;
    SCOPED_TRACE(recording.id);
    const std::string request =
        testee::client_request(std::string(client.protocol), &recording, "", "").value();
    const auto answer_to = [&](const std::vector<std::string>& pieces) {
      const auto stream = open();
      stream->asked(request);
      std::string out;
      for (const std::string& piece : pieces)
        if (!piece.empty()) stream->feed(chat_chunk({{"content", piece}}), out);
      stream->feed(chat_chunk(nlohmann::json::object(), "stop") + "data: [DONE]\n\n", out);
      stream->finish(End::complete, out);
      return client.client->assemble(observe::read_trace(out, observe::DataKind::json));
    };
    const observe::Answer whole = answer_to({text});
    const observe::Carries carries = carries_of(client, recording);
    const auto wanted = observe::expected_of(meaning, End::complete, choices, carries).parts;
    EXPECT_EQ(shown(whole.parts, false), shown(wanted, false));
    ++texts;
    for (std::size_t i = 1; i < places.size(); ++i) {
      for (std::size_t j = i; j < places.size(); j += 5) {
        const std::size_t first = places[i];
        const std::size_t second = places[j];
        const observe::Answer cut =
            answer_to({text.substr(0, first), text.substr(first, second - first), text.substr(second)});
        ASSERT_EQ(observe::describe_difference(cut, whole, {"cut", "whole"}), "")
            << "cut at " << first << " and " << second;
        ++pairs;
      }
    }
  }
  std::printf("%zu texts, %zu pairs of cuts\n", texts, pairs);
  EXPECT_GE(texts, 60u);
  EXPECT_GE(pairs, 48'000u);
}

// Whether what came so far holds text that may begin a call.
bool has_doubt(const std::string& body) {
  static const std::regex kDoubt(R"re("content":"([^"\\]|\\.)*?[<{`])re");
  return std::regex_search(body, kDoubt);
}

// Whether a person wrote that text stays behind the first byte that may begin a call.
bool has_text_behind(const Recording& recording) {
  std::string text;
  for (const observe::Part& part :
       dialect::read(*dialect::upstream_of(recording.protocol), recording.body).parts)
    if (part.kind == observe::PartKind::text) text += part.text;
  const std::size_t doubt = text.find_first_of("<{`");
  const nlohmann::json& parts = recording.expect->at("profiles").at(kProfile).at("parts");
  const std::string left = parts.back().value("text", "");
  return doubt < text.size() && !left.empty() && text.ends_with(left) && text.size() > doubt + 1;
}

// What may begin a call there reaches to the end of the text: none is behind it, and docs/leaked-markup.md lets all wait.
const std::set<std::string> kWaitToTheEnd = {
    "fence-unclosed",    "invoke-unclosed-mid",   "json-cut-off-limit",
    "length-inside-tag", "tag-json-no-arguments", "tag-json-other-key",
    "unclosed"};

TEST(LeakedMarkup, WhoHoldsAllTextIsFound) {
  std::vector<Recording> with_text;
  for (const Recording& recording : recordings())
    if (recording.protocol == kUpstream && has_text_behind(recording)) with_text.push_back(recording);
  const auto open = testee::reference_streams(profile()).value();
  campaign::ReferenceCampaign holds;
  holds.profile = profile();
  holds.reference =
      testee::InProcess("holds", [open] { return std::make_unique<testee::HoldsFrom>(open(), has_doubt); });
  std::size_t found = 0;
  for (const campaign::RecordingResult& result :
       holds.run(with_text, {{0, false, 1}, 0, false}, "*recut=char*")) {
    const bool late = std::ranges::any_of(result.rows, [](const campaign::Row& row) {
      return row.verdict == contract::Verdict::violated && row.obligation->id == "SSE-15";
    });
    found += late ? 1 : 0;
    const std::string& id = result.recording->id;
    EXPECT_NE(late, kWaitToTheEnd.contains(id.substr(id.find('-') + 1))) << id;
    for (const campaign::Row& row : result.rows) {
      const bool violated = row.verdict == contract::Verdict::violated;
      EXPECT_TRUE(!violated || row.obligation->id == "SSE-15")
          << row.obligation->id << " " << result.recording->id;
    }
  }
  std::printf("found in %zu of %zu\n", found, with_text.size());
  EXPECT_GE(with_text.size(), 40u);
  EXPECT_EQ(found + kWaitToTheEnd.size(), with_text.size());
}

}  // namespace
}  // namespace splitproof::recording::leaked_markup_test
