// Every stream of the translator conforms to the contracts of its client's protocol.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/campaign/reading.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/corpus.hpp"
#include "proxy/translator.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::streams_test {
namespace {

constexpr turn::BodyEnd kEnds[] = {turn::BodyEnd::complete, turn::BodyEnd::closed, turn::BodyEnd::reset,
                                   turn::BodyEnd::stall};

template <class T>
T loaded(Result<T> result) {
  if (!result) throw std::runtime_error(describe(result.error()));
  return std::move(*result);
}

class Judged : public testing::TestWithParam<const proxy::dialect::ClientRow*> {
 protected:
  void hold(const recording::Recording& recording, std::string_view body, turn::BodyEnd end) {
    TranslatorOptions options;
    options.upstream = proxy::dialect::find_upstream(recording.protocol);
    options.client = GetParam();
    Translator translator(options);
    std::string out;
    translator.feed(body, out);
    translator.finish(end, out);
    contract::Context evidence;
    const results::Upstream upstream{std::string(body), {}, static_cast<recording::End>(end)};
    // The upstream's tool names and broken arguments pass unchanged.
    evidence.features =
        campaign::read_upstream(upstream, recording.protocol, observe::choices_of(profile_.knobs))
            .expected.shapes;
    // So do the upstream's own violations in the same protocol.
    std::set<std::string> passed_on;
    if (recording.protocol == GetParam()->protocol) {
      passed_on = violated(body, evidence);
      passed_on.merge(
          violated(std::string(body) + "\n\n", evidence));  // an event may lack only its blank line
    }
    const observe::Trace trace = observe::read_trace(out, contracts_.data_kind(GetParam()->protocol));
    for (const contract::Judged& judged :
         contract::judge(contracts_, GetParam()->protocol, profile_, trace, evidence)) {
      if (passed_on.count(judged.obligation->id) > 0) continue;
      ASSERT_NE(judged.verdict, contract::Verdict::violated)
          << judged.obligation->id << ": " << judged.message << " in " << recording.id << ", " << body.size()
          << " bytes\n"
          << out;
    }
    ++streams_;
  }

  std::set<std::string> violated(std::string_view stream, const contract::Context& evidence) {
    std::set<std::string> ids;
    const observe::Trace trace =
        observe::read_trace(std::string(stream), contracts_.data_kind(GetParam()->protocol));
    for (const contract::Judged& judged :
         contract::judge(contracts_, GetParam()->protocol, profile_, trace, evidence)) {
      if (judged.verdict == contract::Verdict::violated) ids.insert(judged.obligation->id);
    }
    return ids;
  }

  void TearDown() override { std::cout << streams_ << " streams\n"; }

  contract::Contracts contracts_ = loaded(contract::Contracts::load({std::getenv("SPLITPROOF_CONTRACTS")}));
  contract::Profile profile_ =
      loaded(contract::load_profile("default", {std::getenv("SPLITPROOF_CONTRACTS")}));
  recording::Corpus corpus_ = recording::load_corpus({std::getenv("SPLITPROOF_CORPUS")});
  std::size_t streams_ = 0;
};

TEST_P(Judged, OfEveryRecording) {
  for (const recording::Recording& recording : corpus_.recordings) {
    if (proxy::dialect::find_upstream(recording.protocol) == nullptr) continue;
    hold(recording, recording.body, static_cast<turn::BodyEnd>(recording.end));
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(streams_, 200U);
}

TEST_P(Judged, OfRecordingsThatAreCutOff) {
  constexpr std::size_t kStep = kSanitized ? 499 : 199;
  for (const recording::Recording& recording : sampled(corpus_.recordings, 3)) {
    if (proxy::dialect::find_upstream(recording.protocol) == nullptr) continue;
    for (std::size_t size = recording.body.size() % kStep; size < recording.body.size(); size += kStep) {
      hold(recording, std::string_view(recording.body).substr(0, size), kEnds[size % 4]);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GE(streams_, kSanitized ? 130U : 2500U);
}

INSTANTIATE_TEST_SUITE_P(Clients, Judged,
                         testing::Values(proxy::dialect::find_client("openai.responses"),
                                         proxy::dialect::find_client("openai.chat")),
                         [](const auto& client) {
                           std::string name(client.param->protocol);
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace splitproof::streams_test
