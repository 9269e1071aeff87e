// Claims about clients name streams that violate the named rules.

#include "harness/contract/clients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::clients_test {
namespace {

Clients built_in_clients() {
  auto clients = Clients::load({contract_folder()}, built_in_contracts());
  EXPECT_TRUE(clients) << describe(clients.error());
  return clients ? *clients : Clients{};
}

// Returns the rules that a stream violates, and how.
std::map<std::string, std::string> violations_of(const std::string& protocol,
                                                 const std::filesystem::path& file) {
  std::map<std::string, std::string> found;
  for (const Judged& one : judge(built_in_contracts(), protocol, default_profile(),
                                 trace_of(protocol, observe::file_bytes(file)), {}))
    if (one.verdict == Verdict::violated) found.emplace(one.obligation->id, one.message);
  return found;
}

// Expects the claimed violations, each in words that distinguish it from other violations of the rule.
void expect_told(const ClientStream& stream, const std::map<std::string, std::string>& violated) {
  std::set<std::string> said, found;
  for (const ClientViolation& one : stream.violates) said.insert(one.obligation);
  for (const auto& entry : violated) found.insert(entry.first);
  ASSERT_EQ(found, said);
  for (const ClientViolation& one : stream.violates) {
    EXPECT_FALSE(one.says.empty()) << one.obligation;
    EXPECT_TRUE(one.is_told_by(violated.at(one.obligation)))
        << one.obligation << ": " << violated.at(one.obligation) << "\ndoes not begin as " << one.says;
  }
}

TEST(BuiltInClients, AreOfficialClientsOfEveryProtocol) {
  const Clients clients = built_in_clients();
  std::set<std::string> protocols;
  for (const ClientStream& stream : clients.streams) protocols.insert(stream.protocol);
  EXPECT_EQ(protocols, (std::set<std::string>{"anthropic.messages", "bedrock.converse", "google.gemini",
                                              "openai.chat", "openai.responses"}));
  EXPECT_EQ(clients.programs.size(), 16U);
  for (const char* id : {"ANT-01", "ANT-09", "TOOL-08", "STOP-01", "RSP-01", "RSP-07", "USE-07"}) {
    EXPECT_EQ(clients.impact(id).size(), 4U) << id;
  }
  EXPECT_EQ(clients.impact("CHT-05").size(), 3U);
}

// Every stream exists and violates exactly these obligations. Of the existing streams, only two kinds are left out:
// sound ones, and those with special server behaviour.
TEST(BuiltInClients, StreamsViolateTheNamedRules) {
  const auto recordings = observe::shared_recordings();
  if (recordings.empty()) GTEST_SKIP() << "../shared is absent";
  const auto violations = recordings.parent_path() / "peers" / "violations";
  if (!std::filesystem::is_directory(violations)) GTEST_SKIP() << "../shared is absent";
  const Clients clients = built_in_clients();
  std::set<std::string> unseen;
  for (const ClientStream& stream : clients.streams) {
    if (!falsifier_of(stream)) unseen.insert(stream.protocol + "/" + stream.name);
  }
  const std::size_t known = unseen.size();
  for (const std::string protocol : {"anthropic.messages", "openai.chat", "openai.responses"}) {
    const std::filesystem::path folder = violations / observe::folder_of_broken(protocol);
    const auto expect = nlohmann::json::parse(observe::file_bytes(folder / "EXPECT.json"), nullptr, false);
    const auto delivered =
        expect.is_object() ? expect.value("delivery", nlohmann::json::object()) : nlohmann::json();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".sse" || delivered.contains(entry.path().filename().string()))
        continue;
      SCOPED_TRACE(entry.path());
      const std::string name = observe::name_of_broken(protocol, entry.path());
      const auto violated = violations_of(protocol, entry.path());
      const auto stream =
          std::find_if(clients.streams.begin(), clients.streams.end(),
                       [&](const ClientStream& one) { return one.protocol == protocol && one.name == name; });
      if (stream == clients.streams.end()) {
        EXPECT_EQ(violated_musts(protocol, trace_of(protocol, observe::file_bytes(entry.path()))),
                  std::set<std::string>{});
        continue;
      }
      expect_told(*stream, violated);
      unseen.erase(protocol + "/" + name);
    }
  }
  EXPECT_EQ(unseen, std::set<std::string>{});
  std::cout << known << " streams\n";
}

// The same for falsifiers.
TEST(BuiltInClients, FalsifiersViolateTheNamedRules) {
  std::size_t known = 0;
  for (const ClientStream& stream : built_in_clients().streams) {
    const auto file = falsifier_of(stream);
    if (!file) continue;
    SCOPED_TRACE(stream.name);
    expect_told(stream, violations_of(stream.protocol, *file));
    ++known;
  }
  EXPECT_GE(known, 20U);
}

}  // namespace
}  // namespace splitproof::contract::clients_test
