// Properties of the project's recordings: they load, they are small, and each describes itself and its source. Together
// they show every intended habit of Chat Completions servers and every kind of seam. The reference conforms on all of
// them under every single cut.

#include "harness/recording/corpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/split/coverage.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/planned.hpp"

namespace splitproof::recording::corpus_test {
namespace {

constexpr std::size_t kLargestBody = 4096;               // bytes
constexpr std::size_t kMostForManyCalls = 8192;          // a call has at least 60
constexpr const char* kFinish = "\"finish_reason\":\"";  // not null

const Corpus& corpus() {
  static const Corpus kCorpus = load_corpus({(campaign::source_root() / "corpus").string()});
  return kCorpus;
}

TEST(ProjectCorpus, LoadsWithoutErrorOrWarning) {
  for (const Error& error : corpus().errors) ADD_FAILURE() << describe(error);
  for (const Recording& recording : corpus().recordings) {
    EXPECT_EQ(recording.warnings, std::vector<std::string>()) << recording.path;
  }
  EXPECT_GE(corpus().recordings.size(), 100u);
}

TEST(ProjectCorpus, EveryRecordingIsSmallAndHasATitle) {
  std::set<std::string> ids;
  std::set<std::string> titles;
  for (const Recording& recording : corpus().recordings) {
    SCOPED_TRACE(recording.id);
    EXPECT_LE(recording.body.size(),
              recording.id == "openai.chat/tool-parallel-hundred" ? kMostForManyCalls : kLargestBody);
    EXPECT_EQ(recording.id.substr(0, recording.id.find('/')), recording.protocol)
        << "folders are named by protocol";
    EXPECT_TRUE(ids.insert(recording.id).second);
    EXPECT_TRUE(titles.insert(recording.title).second) << "another is called '" << recording.title << "' too";
    EXPECT_GE(recording.title.size(), 10u);
    ASSERT_NE(recording.provenance, nullptr);
    EXPECT_NE(recording.provenance->value("source", ""), "");
    EXPECT_NE(recording.provenance->value("license", ""), "");
    // No feature is named after audio.
    EXPECT_EQ(recording.features.empty(), recording.id == "openai.responses/audio-alone");
  }
}

bool matches(const Recording& recording, const char* pattern) {
  return std::regex_search(recording.body, std::regex(pattern));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool one_line_has(const Recording& recording, const std::string& a, const std::string& b) {
  std::istringstream lines(recording.body);
  for (std::string line; std::getline(lines, line);) {
    if (has(line, a) && has(line, b)) return true;
  }
  return false;
}

// Returns the text after the line with `part`, or nothing.
std::string after_event_with(const Recording& recording, const std::string& part) {
  const std::size_t line_end = recording.body.find_first_of("\r\n", recording.body.find(part));
  return line_end == std::string::npos ? "" : recording.body.substr(line_end);
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Required content of a recording with a feature. For Anthropic Messages, Gemini and Responses, the dialects' own tests
// check all features with their readers.
const std::map<std::string, std::function<bool(const Recording&)>>& proofs() {
  using R = const Recording&;
  static const std::map<std::string, std::function<bool(R)>> kProofs = {
      {"byte_order_mark", [](R r) { return r.body.starts_with("\xEF\xBB\xBF"); }},
      {"comments", [](R r) { return matches(r, "(^|[\r\n]):"); }},
      {"cr", [](R r) { return matches(r, "\r[^\n]"); }},
      {"crlf", [](R r) { return r.body.find("\r\n") != std::string::npos; }},
      {"blank_lines", [](R r) { return r.body.starts_with("\n"); }},
      {"markup",
       [](R r) { return matches(r, R"re("(content|arguments)":"([^"\\]|\\.)*(<|\[|`|\{\\"name))re"); }},
      {"multiline_data", [](R r) { return matches(r, "[^\n]\ndata:"); }},
      {"named_events", [](R r) { return matches(r, "(^|\n)event:"); }},
      {"no_final_blank_line", [](R r) { return !r.body.ends_with("\n\n"); }},
      {"no_space", [](R r) { return matches(r, "data:[^ ]"); }},
      {"line_separators", [](R r) { return has(r.body, "\u2028") && has(r.body, "\u2029"); }},
      {"multibyte", [](R r) { return matches(r, "[\\x80-\\xFF]|\\\\u[0-9a-f]{4}|\\\\u[0-9a-f]{1,3}\""); }},
      {"text", [](R r) { return matches(r, "\"content\":[ ]?[\"\\[]"); }},
      {"thinking",
       [](R r) {
         return matches(r, "summary_text|\"(reasoning|reasoning_content|reasoning_details|thinking)\":");
       }},
      {"tools", [](R r) { return matches(r, "\"(tool_calls|function_call)\""); }},
      {"legacy_function_call", [](R r) { return matches(r, "\"function_call\":\\{"); }},
      {"error",
       [](R r) {
         const auto* upstream = dialect::upstream_of(r.protocol);
         return matches(r, "\"error\":|\"object\":\"error\"|\"status_code\":[1-9]") ||
                (upstream != nullptr && dialect::read(*upstream, r.body).error);
       }},
      {"no_done", [](R r) { return !matches(r, "\\[DONE\\]"); }},
      {"after_done", [](R r) { return has(r.body.substr(r.body.find("[DONE]")), "{"); }},
      {"done_without_finish", [](R r) { return has(r.body, "[DONE]") && !has(r.body, kFinish); }},
      {"no_usage", [](R r) { return !has(r.body.substr(0, r.body.find("[DONE]")), "\"usage\":{"); }},
      {"usage_trailing", [](R r) { return has(after_event_with(r, kFinish), "\"usage\":{"); }},
      {"usage_every_chunk", [](R r) { return occurrences(r.body, "\"usage\":{") >= 3; }},
      {"usage_with_finish", [](R r) { return one_line_has(r, kFinish, "\"usage\":{"); }},
      {"cached_tokens", [](R r) { return matches(r, "\"cached_tokens\""); }},
      {"content_filter", [](R r) { return matches(r, "\"finish_reason\":\"content_filter\""); }},
      {"no_role", [](R r) { return !matches(r, "\"role\""); }},
      {"two_choices", [](R r) { return matches(r, "\"index\":1,\"delta\""); }},
      {"no_index", [](R r) { return matches(r, "\"tool_calls\":\\[\\{\"(id|type|function)\""); }},
      {"foreign_id",
       [](R r) { return matches(r, "\"id\":\"[^\"]*[^A-Za-z0-9_\"-][^\"]*\",\"type\":\"function\""); }},
      {"truncated", [](R r) { return r.end != End::complete || !matches(r, "\\[DONE\\]"); }},
  };
  return kProofs;
}

TEST(ProjectCorpus, FeaturesClaimedAreThere) {
  std::map<std::string, std::size_t> shown;
  for (const Recording& recording : corpus().recordings) {
    if (recording.protocol == "anthropic.messages" || recording.protocol == "openai.responses" ||
        recording.protocol == "google.gemini")
      continue;
    for (const std::string& feature : recording.features) {
      const auto proof = proofs().find(feature);
      if (proof == proofs().end()) continue;
      ++shown[feature];
      EXPECT_TRUE(proof->second(recording)) << recording.id << " claims " << feature;
    }
  }
  for (const auto& [feature, proof] : proofs()) EXPECT_GE(shown[feature], 1u) << "nothing shows " << feature;
}

// Fixtures that a Chat Completions translator needs, by the first words of the recordings' names.
TEST(ProjectCorpus, EveryFamilyOfChatCompletionsIsThere) {
  std::vector<std::string> names;
  for (const Recording& recording : corpus().recordings) {
    if (recording.protocol == "openai.chat") names.push_back(recording.id.substr(recording.id.find('/') + 1));
  }
  EXPECT_GE(names.size(), 30u);
  for (const char* family : {"chunk-",
                             "done-",
                             "end-",
                             "error-",
                             "finish-",
                             "framing-",
                             "markup-",
                             "role-",
                             "text-",
                             "thinking-",
                             "tool-arguments-",
                             "tool-id-",
                             "tool-index-",
                             "tool-name-",
                             "tool-parallel-",
                             "usage-",
                             "tool-text-within",
                             "tool-then-text",
                             "tool-after-text",
                             "thinking-then-text",
                             "thinking-then-tool",
                             "finish-repeated",
                             "finish-stop-after-tool",
                             "finish-key-absent",
                             "tool-in-first-chunk",
                             "tool-single-chunk",
                             "tool-calls-null",
                             "role-every-chunk",
                             "text-multibyte",
                             "usage-null",
                             "chunk-ids-change"}) {
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name.starts_with(family);
    })) << family;
  }
}

TEST(ProjectCorpus, EveryKindOfSeamOccurs) {
  split::SeamCoverage coverage;
  for (const Recording& recording : corpus().recordings) {
    std::vector<std::size_t> arrivals;
    for (const Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
    coverage += split::seam_coverage(
        split::survey(recording.body, arrivals, dialect::format_of(recording.protocol)), {});
  }
  for (std::size_t i = 0; i < split::kSeamKinds; ++i) {
    const auto kind = static_cast<split::SeamKind>(i);
    EXPECT_GT(coverage.of(kind).applicable, 0u) << split::name(kind);
  }
}

// By the protocols that the reference reads.
const std::map<std::string, std::vector<Recording>>& corpora() {
  static const auto kCorpora = [] {
    std::map<std::string, std::vector<Recording>> by_protocol;
    for (const std::string& upstream : testee::reference_upstreams()) by_protocol[upstream] = {};
    for (const Recording& recording : corpus().recordings)
      if (const auto found = by_protocol.find(recording.protocol); found != by_protocol.end())
        found->second.push_back(recording);
    return by_protocol;
  }();
  return kCorpora;
}

// A relay that fails after the start of a text block, before any text, leaves the block open. Otherwise a client would
// send an empty text back with its next request, which would be refused. END-07, a `should`, asks for the stop.
constexpr std::string_view kLeftOpen =
    "END-07 anthropic.messages/block-stray-delta?client=anthropic.messages&";

std::vector<std::string> violations_of(const std::vector<results::RecordingResult>& results) {
  std::vector<std::string> found = campaign::violations(results);
  std::erase_if(found, [](const std::string& one) { return one.starts_with(kLeftOpen); });
  return found;
}

// Its client sends a stop sequence, which Kiro cannot carry: by default the request is refused.
constexpr std::string_view kRefused = "kiro.eventstream/text-stop-sequence";

// Takes one in three recordings, and one in twelve of the longer ones: the work is quadratic in their size.
TEST(ProjectCorpus, ReferenceConformsUnderEverySingleCut) {
  constexpr std::size_t kLong = 1500;
  std::size_t cuts = 0;
  std::size_t cases = 0;
  std::size_t number = 0;
  for (const auto& [protocol, all] : corpora()) {
    SCOPED_TRACE(protocol);
    std::vector<Recording> recordings;
    for (const Recording& recording : all) {
      if (recording.id == kRefused || number++ % (recording.body.size() > kLong ? 12 : 3) != 0) continue;
      recordings.push_back(recording);
      cuts += recording.body.empty() ? 0 : recording.body.size() - 1;
    }
    const campaign::ReferenceCampaign reference(protocol);
    const auto results = reference.run(recordings, {{0, true, 1}, {}, false});
    EXPECT_EQ(violations_of(results), std::vector<std::string>());
    EXPECT_EQ(results.size(), recordings.size());
    EXPECT_FALSE(results.empty());
    for (const results::RecordingResult& result : results) {
      SCOPED_TRACE(result.recording.id);
      EXPECT_GT(campaign::judged(result), 0u);
      EXPECT_EQ(result.outputs, 1u) << "every split leads to the same bytes";
      cases += result.cases;
    }
  }
  EXPECT_GE(cases, cuts);
  RecordProperty("cases", std::to_string(cases));
}

// Takes one of every `step` recordings of a protocol, after the first `skip`.
void expect_conformance(const contract::Profile& profile, const std::string& only, std::size_t step = 1,
                        std::size_t skip = 0) {
  for (const auto& [protocol, all] : corpora()) {
    SCOPED_TRACE(protocol);
    std::vector<Recording> recordings;
    for (std::size_t i = skip % step; i < all.size(); i += step) {
      if (all[i].id != kRefused || profile.knobs.at("stop-sequences") == "cut") recordings.push_back(all[i]);
    }
    campaign::ReferenceCampaign reference(protocol);
    reference.profile = profile;
    const auto streams = testee::reference_streams(profile, protocol);
    if (!streams) {
      EXPECT_EQ(protocol, "anthropic.messages")
          << "only what is passed on cannot play it, not: " << describe(streams.error());
      continue;
    }
    reference.reference = testee::InProcess("reference", *streams, protocol);
    const auto results = reference.run(recordings, {{0, false, 1}, {}, false}, only);
    EXPECT_EQ(violations_of(results), std::vector<std::string>());
    EXPECT_EQ(results.size(), recordings.size());
  }
}

// Tries each value of each knob, each on another sixteenth of the recordings. The expected answer does not depend on
// the upstream's cuts.
TEST(ProjectCorpus, ReferenceConformsWithEveryProfile) {
  const auto folder = campaign::source_root() / "contracts";
  std::size_t answers = 0;
  std::vector<std::string> refused;  // they promise what the reference does not do
  for (const auto& [knob, values] : contract::default_values({folder})) {
    for (const std::string& value : values) {
      SCOPED_TRACE(knob + ": " + value);
      contract::Profile profile = contract::load_profile("default", {folder}).value();
      std::string& answer = profile.knobs.at(knob);
      if (answer == value) continue;
      answer = value;
      if (!testee::reference_streams(profile)) {
        refused.push_back(knob + ": " + value);
        continue;
      }
      expect_conformance(profile, "*gen=whole*", 16, answers);
      ++answers;
    }
  }
  EXPECT_GE(answers, 15u);
  EXPECT_EQ(refused, (std::vector<std::string>{"hosted-searches: kept", "signature: required"}));
}

// A proxy can keep every profile: with original chunks, whole, and in single bytes. Each is tried on another sixth of
// the recordings.
TEST(ProjectCorpus, ReferenceConformsUnderEveryProfile) {
  const auto folder = campaign::source_root() / "contracts";
  std::size_t profiles = 0;
  for (const std::string& name : contract::profile_names({folder})) {
    SCOPED_TRACE(name);
    expect_conformance(contract::load_profile(name, {folder}).value(), "*gen=[rwb]*", 6, profiles++);
  }
}

TEST(ProjectCorpus, ReferenceConformsForEveryChunkingOfTheAnswer) {
  // These recordings show readings that depend on the chunks. Some recuts of them have another meaning, so a run does not
  // try these.
  const std::set<std::string> depend_on_chunks = {
      "openai.chat/text-spliced", "openai.chat/thinking-details-behind",
      "openai.chat/tool-arguments-placeholder", "openai.chat/tool-arguments-placeholder-alone",
      "openai.chat/tool-arguments-placeholder-twice"};
  const campaign::ReferenceCampaign reference;
  const auto results = reference.run(corpus().recordings, {{0, false, 1}, 6, false}, "*recut=*");
  EXPECT_EQ(violations_of(results), std::vector<std::string>());
  EXPECT_GT(results.size(), corpora().at("openai.chat").size() * 3 / 4)
      << "most answers can be dealt out anew";
  for (const results::RecordingResult& result : results) {
    EXPECT_EQ(result.changed_recuts.empty(), !depend_on_chunks.contains(result.recording.id))
        << result.recording.id;
    EXPECT_EQ(result.recuts, result.cases) << result.recording.id;
  }
}

}  // namespace
}  // namespace splitproof::recording::corpus_test
