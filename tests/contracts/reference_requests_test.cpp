// Real clients' requests through the reference: its upstream requests violate nothing. It refuses by name what it
// cannot carry, as listed in docs/data/refused-requests.tsv.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "harness/campaign/asked_judge.hpp"
#include "harness/dialect/captured_requests.hpp"
#include "harness/testee/in_process.hpp"
#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::reference_requests_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array kProtocols = {"anthropic.messages", "openai.chat", "openai.responses"};

// Number of requests by pair, client program and reason.
using Refused = std::map<std::array<std::string, 3>, std::size_t>;

// Returns the client's error message, without indices of lists.
std::string reason_of(const std::string& error) {
  const json told = json::parse(error, nullptr, false);
  const std::string message = told.value("/error/message"_json_pointer, error);
  return std::regex_replace(message, std::regex("\\.\\d+"), ".N");
}

struct Outcome {
  std::set<std::string> violated;  // rules of level `must`
  std::string told;                // about the first
  std::string refused;             // the reason
};

Outcome outcome_of(const std::string& client, const std::string& upstream, const json& body) {
  recording::Recording recording;
  recording.protocol = upstream;
  recording.features = {"request"};
  recording.requests = std::make_shared<const json>(json{{client, body}});
  const auto streams = testee::reference_streams(default_profile(), upstream, client);
  const testee::InProcess reference("reference", *streams, upstream, client);
  const testee::Observation seen = reference.asks(recording);
  Outcome outcome;
  if (seen.http) outcome.refused = reason_of(seen.body);
  const testee::Traits traits = reference.traits();
  for (const Judged& judged :
       campaign::AskedJudge(built_in_contracts(), default_profile(), traits, recording).judge(seen)) {
    if (judged.verdict != Verdict::violated || judged.obligation->level != Level::must) continue;
    if (outcome.violated.insert(judged.obligation->id).second && outcome.told.empty())
      outcome.told = judged.message.substr(0, 1500);
  }
  return outcome;
}

// Returns the rows of the table.
std::string table_of(const Refused& refused) {
  std::ostringstream rows;
  for (const auto& [key, count] : refused)
    rows << key[0] << '\t' << key[1] << '\t' << key[2] << '\t' << count << '\n';
  return rows.str();
}

TEST(ReferenceRequests, RealClientRequestsAreTranslatedOrRefusedByName) {
  const fs::path folder = observe::shared_recordings().parent_path() / "requests";
  if (observe::shared_recordings().empty() || !fs::exists(folder)) GTEST_SKIP() << "../shared is absent";
  std::map<std::string, std::size_t> asked;
  Refused refused;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto requests = dialect::captured_requests(file.string(), observe::file_bytes(file));
    ASSERT_TRUE(requests) << file;
    for (const dialect::RequestMessage& request : *requests) {
      for (const std::string client : kProtocols) {
        const auto* reader = dialect::request_reader_of(client + ".upstream");
        if (!dialect::is_request_of(*reader, request) || request.path.empty() || !request.body) continue;
        for (const std::string upstream : kProtocols) {
          const Outcome outcome = outcome_of(client, upstream, *request.body);
          const std::string pair = client + " to " + upstream;
          ++asked[pair];
          EXPECT_EQ(outcome.violated, std::set<std::string>())
              << pair << " " << file << ":" << request.line << "\n"
              << outcome.told;
          if (!outcome.refused.empty())
            ++refused[{pair, file.parent_path().filename().string(), outcome.refused}];
        }
      }
    }
  }
  for (const auto& [pair, count] : asked) EXPECT_GE(count, 100u) << pair;
  const std::string page =
      observe::file_bytes(contract_folder().parent_path() / "docs" / "data" / "refused-requests.tsv");
  const std::string table = table_of(refused);
  EXPECT_TRUE(page.ends_with("requests\n" + table)) << "the rows have to be:\n" << table;
}

}  // namespace
}  // namespace splitproof::contract::reference_requests_test
