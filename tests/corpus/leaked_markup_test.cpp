// Calls in the text of recordings. For any cuts of the text, the oracle finds what a person wrote down. A proxy that
// holds text back is found.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/campaign/reading.hpp"
#include "harness/dialect/capabilities_of_client.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/cleaning.hpp"
#include "harness/observe/expect.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/testee/client_request.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/leaked_calls.hpp"
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

// Returns the recordings with hand-written results for the calls in their text.
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

observe::ClientCapabilities carries_of(const dialect::Dialect& dialect, const Recording& recording) {
  const std::string protocol(dialect.protocol);
  const auto request = testee::request_document(protocol, recording);
  observe::ClientCapabilities carries = dialect::capabilities_of_client(protocol, request.get(), nullptr);
  carries.losses = campaign::built_in_contracts().losses(recording.protocol, protocol);
  return carries;
}

// Returns the compared content: kinds, texts, names, arguments, and ids if a person gave them.
std::string shown(const std::vector<observe::Part>& parts, bool with_ids) {
  std::string all;
  for (const observe::Part& part : parts) {
    all += kind_of(part) + "(" + part.text + part.name + " " + part.arguments + ") ";
    if (with_ids) all += part.id + "\n";
  }
  return all;
}

TEST(LeakedMarkup, OracleEqualsTheExpectedTexts) {
  const observe::Choices choices = observe::choices_of(profile().knobs);
  std::size_t compared = 0;
  std::size_t calls = 0;
  for (const Recording& recording : recordings()) {
    const observe::Answer meaning =
        dialect::read(*dialect::upstream_of(recording.protocol), recording.body, choices);
    for (const dialect::Dialect& dialect : dialect::all()) {
      if (dialect.client == nullptr) continue;
      SCOPED_TRACE(recording.id + " for " + std::string(dialect.protocol));
      const observe::ClientCapabilities carries = carries_of(dialect, recording);
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
  EXPECT_EQ(compared, 5 * recordings().size());
  EXPECT_GE(calls, 5 * 40u);
}

std::string chat_chunk(const nlohmann::json& delta, const char* finish = nullptr) {
  nlohmann::json choice = {{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}};
  if (finish != nullptr) choice["finish_reason"] = finish;
  return "data: " + nlohmann::json{{"id", "chatcmpl-1"}, {"choices", {choice}}}.dump() + "\n\n";
}

bool begins_character(const std::string& text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

constexpr std::size_t kLongestCut = 200;  // characters

// Returns the beginnings of the text's characters except the first; none for a text that is too long to cut.
std::vector<std::size_t> places_of(const std::string& text) {
  std::vector<std::size_t> places;
  for (std::size_t at = 1; at < text.size(); ++at)
    if (begins_character(text, at)) places.push_back(at);
  if (places.size() >= kLongestCut) places.clear();
  return places;
}

// Output and state of the reference's filter for a text so far.
struct Filtered {
  text::LeakedCalls filter;
  std::vector<observe::Part> parts = {};

  void feed(const std::string& piece, const text::Functions& functions) {
    std::vector<text::TextPiece> pieces;
    filter.feed(piece, functions, pieces);
    say(pieces);
  }

  void finish(const text::Functions& functions) {
    std::vector<text::TextPiece> pieces;
    filter.finish(functions, pieces);
    say(pieces);
  }

  void say(const std::vector<text::TextPiece>& pieces) {
    for (const text::TextPiece& piece : pieces) {
      const auto* call = std::get_if<text::WrittenCall>(&piece);
      const std::string words = call == nullptr ? std::get<std::string>(piece) : std::string();
      if (call == nullptr && words.empty()) continue;
      const bool goes_on = call == nullptr && !parts.empty() && parts.back().kind == observe::PartKind::text;
      observe::Part& part = goes_on ? parts.back() : parts.emplace_back();
      part.text += words;
      if (call == nullptr) continue;
      part.kind = observe::PartKind::call;
      part.name = call->name;
      part.arguments = call->arguments;
    }
  }
};

text::Functions filter_functions(const observe::DeclaredFunctions& declared) {
  std::vector<text::Function> functions;
  for (const auto& [name, function] : declared) {
    nlohmann::json schema = {{"properties", nlohmann::json::object()}};
    for (const auto& [key, type] : function.types) schema["properties"][key] = {{"type", type}};
    functions.push_back({name, schema.dump()});
  }
  return text::Functions(functions);
}

// In three pieces, the filter's output equals its output for the whole text, and the oracle's. If two filters have the
// same state and output after two pieces, one third piece tests both. So one third piece is enough for all first cuts.
TEST(LeakedMarkup, EveryPairOfCutsOfATextGivesOneOutput) {
  const observe::Choices choices = observe::choices_of(profile().knobs);
  const dialect::Dialect& client = *dialect::find("anthropic.messages");
  std::size_t texts = 0;
  std::size_t pairs = 0;
  for (const Recording& recording : recordings()) {
    const observe::Answer meaning =
        dialect::read(*dialect::upstream_of(recording.protocol), recording.body, choices);
    if (meaning.parts.size() != 1 || meaning.parts[0].kind != observe::PartKind::text) continue;
    const std::string& text = meaning.parts[0].text;
    const std::vector<std::size_t> places = places_of(text);
    if (places.empty()) continue;
    SCOPED_TRACE(recording.id);
    const observe::DeclaredFunctions declared = carries_of(client, recording).functions;
    const text::Functions functions = filter_functions(declared);
    const std::string wanted = shown(observe::cleaned(text, declared), false);
    std::vector<Filtered> begun(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      begun[i].feed(text.substr(0, places[i]), functions);
      Filtered rest = begun[i];
      rest.feed(text.substr(places[i]), functions);
      rest.finish(functions);
      ASSERT_EQ(shown(rest.parts, false), wanted) << "cut at " << places[i];
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = i + 1; j < places.size(); ++j) {
        Filtered cut = begun[i];
        cut.feed(text.substr(places[i], places[j] - places[i]), functions);
        ASSERT_EQ(cut.filter, begun[j].filter) << "cut at " << places[i] << " and " << places[j];
        ASSERT_EQ(shown(cut.parts, false), shown(begun[j].parts, false))
            << "cut at " << places[i] << " and " << places[j];
        ++pairs;
      }
    }
    ++texts;
  }
  std::printf("%zu texts, %zu pairs of cuts\n", texts, pairs);
  EXPECT_GE(texts, 60u);
  EXPECT_GE(pairs, 200'000u);
}

// The same for the whole reference, with each piece in its own event: every single cut, and pairs with every seventh
// place after it.
TEST(LeakedMarkup, ReferenceOutputDoesNotDependOnTheCuts) {
  constexpr std::size_t kStep = 7;
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
    const std::vector<std::size_t> places = places_of(text);
    if (places.empty()) continue;
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
    const observe::ClientCapabilities carries = carries_of(client, recording);
    const auto wanted = observe::expected_of(meaning, End::complete, choices, carries).parts;
    EXPECT_EQ(shown(whole.parts, false), shown(wanted, false));
    ++texts;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = i; j < places.size(); j += kStep) {
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
  EXPECT_GE(pairs, 30'000u);
}

// True if the body so far has text that may begin a call.
bool has_doubt(const std::string& body) {
  static const std::regex kDoubt(R"re("content":"([^"\\]|\\.)*?[<{`])re");
  return std::regex_search(body, kDoubt);
}

// True if, by hand-written result, text remains after the first possible beginning of a call.
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

// Everything after the markup may wait until the answer ends, because no byte rules out a call.
const std::set<std::string> kWaitToTheEnd = {"fence-unclosed", "json-cut-off-limit", "length-inside-tag",
                                             "unclosed"};

TEST(LeakedMarkup, ProxyThatHoldsAllTextIsFound) {
  std::vector<Recording> with_text;
  for (const Recording& recording : recordings())
    if (recording.protocol == kUpstream && has_text_behind(recording)) with_text.push_back(recording);
  const auto open = testee::reference_streams(profile()).value();
  campaign::ReferenceCampaign holds;
  holds.profile = profile();
  holds.reference =
      testee::InProcess("holds", [open] { return std::make_unique<testee::HoldsFrom>(open(), has_doubt); });
  std::size_t found = 0;
  for (const results::RecordingResult& result :
       holds.run(with_text, {{0, false, 1}, 0, false}, "*recut=char*")) {
    const bool late = std::ranges::any_of(result.rows, [](const results::Row& row) {
      return row.verdict == contract::Verdict::violated && row.rule == "SSE-15";
    });
    found += late ? 1 : 0;
    const std::string& id = result.recording.id;
    EXPECT_NE(late, kWaitToTheEnd.contains(id.substr(id.find('-') + 1))) << id;
    for (const results::Row& row : result.rows) {
      const bool violated = row.verdict == contract::Verdict::violated;
      EXPECT_TRUE(!violated || row.rule == "SSE-15") << row.rule << " " << result.recording.id;
    }
  }
  std::printf("found in %zu of %zu\n", found, with_text.size());
  EXPECT_GE(with_text.size(), 40u);
  EXPECT_EQ(found + kWaitToTheEnd.size(), with_text.size());
  EXPECT_GE(10 * found, 9 * with_text.size());
}

}  // namespace
}  // namespace splitproof::recording::leaked_markup_test
