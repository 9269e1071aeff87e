// Checks of the contracts: the protocol owner's own streams violate no `must`, broken ones do.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::owner_streams_test {
namespace {

namespace fs = std::filesystem;

using Ids = std::set<std::string>;
using observe::SharedStream;

constexpr const char* kProtocol = "anthropic.messages";

class OwnerStreams : public testing::Test {
 protected:
  void SetUp() override {
    if (observe::shared_recordings().empty()) {
      GTEST_SKIP() << "../shared is absent";
    }
    streams_ = observe::shared_streams("anthropic-messages");
  }

  std::vector<SharedStream> streams_;
};

bool has_quirk(const SharedStream& stream, const std::string& quirk) {
  const auto meta = nlohmann::json::parse(stream.meta);
  return std::find(meta["quirks"].begin(), meta["quirks"].end(), quirk) != meta["quirks"].end();
}

// True for the stream whose recorder gave a server tool's result another id than the call.
bool has_other_ids(const SharedStream& stream) {
  return stream.name.find("streamed-web-search-preserves-server-tool-blocks") != std::string::npos;
}

Ids musts(const SharedStream& stream) { return violated_musts(kProtocol, trace_of(kProtocol, stream.body)); }

TEST_F(OwnerStreams, RawRecordingsViolateNothing) {
  std::size_t raw = 0;
  for (const SharedStream& stream : streams_) {
    if (nlohmann::json::parse(stream.meta)["fidelity"] != "raw") continue;
    ++raw;
    EXPECT_EQ(musts(stream), Ids{}) << stream.name;
  }
  EXPECT_EQ(raw, 57u);
}

TEST_F(OwnerStreams, EveryStreamOfAProtocolIsRecognised) {
  for (const std::string folder : {"anthropic-messages", "openai-chat", "openai-responses"}) {
    std::string protocol = folder;
    protocol.replace(protocol.find('-'), 1, ".");
    for (const SharedStream& stream : observe::shared_streams(folder)) {
      EXPECT_EQ(built_in_contracts().recognise(observe::read_trace(stream.body, observe::DataKind::json)),
                protocol)
          << stream.name;
    }
  }
}

TEST_F(OwnerStreams, EveryResponseOfEveryStreamIsGoodForItself) {
  std::size_t of_several = 0;
  for (const SharedStream& stream : streams_) {
    if (has_quirk(stream, "has_DONE") || has_quirk(stream, "no_final_blank_line") || has_other_ids(stream))
      continue;
    SCOPED_TRACE(stream.name);
    const auto responses = built_in_contracts().split_responses(kProtocol, trace_of(kProtocol, stream.body));
    for (const observe::Trace& response : responses) EXPECT_EQ(violated_musts(kProtocol, response), Ids{});
    if (responses.size() < 2) continue;
    ++of_several;
    EXPECT_NE(musts(stream), Ids{}) << "judged as one response";
  }
  EXPECT_EQ(streams_.size(), 86u);
  EXPECT_GE(of_several, 1u);
}

TEST_F(OwnerStreams, AdditionsByGatewaysAndRecordersViolateRules) {
  std::size_t found = 0;
  for (const SharedStream& stream : streams_) {
    if (has_quirk(stream, "has_DONE")) {
      EXPECT_EQ(musts(stream), Ids{"SSE-09"}) << stream.name;
      ++found;
    }
    if (has_other_ids(stream)) {
      EXPECT_EQ(musts(stream), Ids{"ANT-32"}) << stream.name;
      ++found;
    }
    if (has_quirk(stream, "no_final_blank_line")) {
      EXPECT_TRUE(musts(stream).contains("SSE-01")) << stream.name;
      ++found;
    }
  }
  EXPECT_EQ(found, 3u);
}

// True for streams of OpenAI itself, not of a compatible server.
bool is_from_openai(const nlohmann::json& meta) {
  return meta["provider"] == "openai" && meta["fidelity"] == "raw" &&
         meta["url"].get<std::string>().starts_with("https://api.openai.com/");
}

TEST_F(OwnerStreams, OpenAiStreamsViolateNothing) {
  for (const auto& [folder, protocol, least] : {std::tuple("openai-chat", "openai.chat", 35u),
                                                std::tuple("openai-responses", "openai.responses", 52u)}) {
    SCOPED_TRACE(protocol);
    std::size_t judged = 0;
    for (const SharedStream& stream : observe::shared_streams(folder)) {
      if (!is_from_openai(nlohmann::json::parse(stream.meta))) continue;
      const auto responses = built_in_contracts().split_responses(protocol, trace_of(protocol, stream.body));
      for (const observe::Trace& response : responses)
        EXPECT_EQ(violated_musts(protocol, response), Ids{}) << stream.name;
      ++judged;
    }
    EXPECT_GE(judged, least);
  }
}

TEST_F(OwnerStreams, BrokenStreamsAreDistinguishedFromGoodStreams) {
  const fs::path folder = observe::shared_recordings().parent_path() / "peers/violations/anthropic";
  if (!fs::exists(folder / "EXPECT.json")) GTEST_SKIP() << "../shared is absent";
  const auto expected = nlohmann::json::parse(observe::file_bytes(folder / "EXPECT.json"))["files"];
  EXPECT_EQ(expected.size(), 48u);
  for (const auto& [file, ids] : expected.items()) {
    const Ids violated = violated_musts(kProtocol, trace_of(kProtocol, observe::file_bytes(folder / file)));
    const bool as_expected =
        ids.empty() ? violated.empty() : std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
          return violated.contains(id);
        });
    EXPECT_TRUE(as_expected) << file << ": expected " << ids << ", violated "
                             << testing::PrintToString(violated);
  }
}

}  // namespace
}  // namespace splitproof::contract::owner_streams_test
