// The verdicts on a stream do not depend on reading it an event at a time.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/contract/judge.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/read_file.hpp"
#include "tests/contracts/built_in.hpp"

namespace splitproof::contract::windows_test {
namespace {

std::vector<std::string> shown(const std::vector<Judged>& all) {
  std::vector<std::string> lines;
  for (const Judged& judged : all) {
    lines.push_back(judged.obligation->id + " " + std::string(name(judged.verdict)) + " " + judged.reason +
                    " " + judged.message + " " + std::to_string(judged.event.value_or(99999)) + " " +
                    std::to_string(judged.begin) + "-" + std::to_string(judged.end) + " " +
                    std::to_string(judged.line));
  }
  return lines;
}

TEST(Windows, AStreamReadAnEventAtATimeIsJudgedAlike) {
  const auto profile = load_profile("default", {contract_folder()});
  ASSERT_TRUE(profile);
  const Contracts& contracts = built_in_contracts();
  const nlohmann::json expected = {{"finish", "a"}, {"error", "a"}, {"called", "a"}, {"text", "a"}};
  const nlohmann::json got = {{"finish", "b"}, {"error", "b"}, {"called", "b"}, {"text", "b"}};
  Context of_another_meaning;
  of_another_meaning.expected = &expected;
  of_another_meaning.got = &got;
  of_another_meaning.features = {"content_filter", "finish_stop_with_tools", "no_first_choice"};
  std::size_t streams = 0;
  for (const auto& entry : std::filesystem::directory_iterator(contract_folder() / "falsifiers")) {
    if (entry.path().extension() != ".sse") continue;
    const auto body = read_file(entry.path().string());
    ASSERT_TRUE(body);
    for (const std::string& protocol : contracts.protocols()) {
      const observe::DataKind kind = contracts.data_kind(protocol);
      const observe::Trace trace = observe::read_trace(*body, kind);
      observe::BodyStream stream(*body, kind, 1);
      for (const Context& evidence : {Context{}, of_another_meaning}) {
        EXPECT_EQ(shown(judge(contracts, protocol, *profile, stream, evidence)),
                  shown(judge(contracts, protocol, *profile, trace, evidence)))
            << entry.path();
      }
      std::vector<std::size_t> begins;
      contracts.each_response(protocol, stream,
                              [&begins](std::size_t event, bool) { begins.push_back(event); });
      EXPECT_EQ(begins, contracts.response_begins(protocol, trace)) << entry.path();
    }
    ++streams;
  }
  EXPECT_GT(streams, 100u);
}

}  // namespace
}  // namespace splitproof::contract::windows_test
