#include "harness/contract/clients.hpp"

#include <gtest/gtest.h>

#include "tests/harness/contract/small_trace.hpp"

namespace splitproof::contract::clients_test {
namespace {

constexpr std::string_view kRules = R"(contract: test.downstream
version: 1
events: {a: {/t: a}}
obligations:
  - {id: T-1, level: must, says: One., never: a a}
  - {id: T-2, level: must, says: Two., never: a a}
  - {id: T-3, level: must, says: Three., never: a a}
)";

/// Six lines; streams begin on line 7.
constexpr std::string_view kHead = R"(clients: test
programs:
  one: {name: One, version: 1.0, run: as it comes}
  two: {name: Two, version: "2", run: otherwise}

streams:
)";

constexpr std::string_view kStreams =
    R"(  - {stream: wide, says: Both., violates: [T-2: 'two [0-9]* at', T-1], does: {one: {throws: No.}, two: {throws: No.}}}
  - {stream: narrow, says: One., violates: [T-1], does: {two: {accepts: Yes.}, one: {wrong: Half.}}}
  - {stream: also, says: One again., violates: [T-1], does: {one: {throws: No.}, two: {accepts: Yes.}}}
  - {stream: none, says: Nothing., violates: [], does: {one: {accepts: Yes.}, two: {accepts: Yes.}}}
)";

class ClientsTest : public testing::Test {
 protected:
  void SetUp() override { folder_.write("rules/test.downstream.yaml", kRules); }

  Result<Clients> load(const std::vector<std::string>& folders = {"rules"}) {
    std::vector<std::filesystem::path> dirs;
    for (const std::string& name : folders) dirs.push_back(folder_.path() / name);
    const auto contracts = Contracts::load({folder_.path() / "rules"});
    EXPECT_TRUE(contracts) << describe(contracts.error());
    return Clients::load(dirs, *contracts);
  }

  Result<Clients> load_text(const std::string& text) {
    folder_.write("rules/clients/test.yaml", text);
    return load();
  }

  TemporaryFolder folder_;
};

std::vector<std::string> names(const std::vector<const ClientStream*>& streams) {
  std::vector<std::string> all;
  for (const ClientStream* stream : streams) all.push_back(stream->name);
  return all;
}

TEST_F(ClientsTest, ClientsHaveTheContentOfTheirFiles) {
  folder_.write("rules/clients/notes.txt", "not this");
  const auto clients = load_text(std::string(kHead) + std::string(kStreams));
  ASSERT_TRUE(clients) << describe(clients.error());
  EXPECT_EQ(clients->programs, (std::vector<ClientProgram>{{"one", "One", "1.0", "as it comes"},
                                                           {"two", "Two", "2", "otherwise"}}));
  ASSERT_EQ(clients->streams.size(), 4U);
  EXPECT_EQ(clients->streams[1],
            (ClientStream{"test",
                          "narrow",
                          "One.",
                          {{"T-1"}},
                          {{"one", Reaction::wrong, "Half."}, {"two", Reaction::accepts, "Yes."}}}));
  EXPECT_EQ(clients->find("two"), &clients->programs[1]);
  EXPECT_EQ(clients->find("three"), nullptr);
}

TEST_F(ClientsTest, OriginOfAReactionIsKept) {
  const auto clients = load_text(
      "clients: test\ntried: 2026-11-22\nprograms:\n  one: {name: One, version: 1, run: so}\n"
      "  two: {name: Two, version: 2, run: so, target: two-sdk, tried: 2026-12-01}\nstreams:\n"
      "  - {stream: a, says: A., violates: [], does: {one: {accepts: A.}, two: {wrong: B., by: hand}}}\n");
  ASSERT_TRUE(clients) << describe(clients.error());
  EXPECT_EQ(clients->programs,
            (std::vector<ClientProgram>{{"one", "One", "1", "so", "2026-11-22"},
                                        {"two", "Two", "2", "so", "2026-12-01", "two-sdk"}}));
  EXPECT_EQ(clients->streams[0].does, (std::vector<ClientReaction>{{"one", Reaction::accepts, "A."},
                                                                   {"two", Reaction::wrong, "B.", true}}));
}

TEST_F(ClientsTest, AboutAnObligationSpeakTheStreamsThatBreakLeastBesideIt) {
  const auto clients = load_text(std::string(kHead) + std::string(kStreams));
  ASSERT_TRUE(clients) << describe(clients.error());
  EXPECT_EQ(names(clients->about("T-1")), (std::vector<std::string>{"narrow", "also"}));
  EXPECT_EQ(names(clients->about("T-2")), (std::vector<std::string>{"wide"}));
  EXPECT_EQ(names(clients->about("T-3")), (std::vector<std::string>{}));
  EXPECT_EQ(clients->impact("T-1"),
            (std::vector<Clients::Impact>{{"one", {Reaction::wrong, Reaction::throws}},
                                          {"two", {Reaction::accepts}}}));
  EXPECT_EQ(*clients->impact("T-1").front().reactions.begin(), Reaction::wrong) << "the worst comes first";
  EXPECT_TRUE(clients->impact("T-3").empty());
}

TEST_F(ClientsTest, AboutAFindingSpeakTheStreamsOfItsProtocolOfWhichItTells) {
  const auto clients = load_text(std::string(kHead) + std::string(kStreams));
  ASSERT_TRUE(clients) << describe(clients.error());
  const auto about = [&](const std::string& id, const std::string& protocol, const std::string& message) {
    return names(clients->about(id, ClientFinding{protocol, message}));
  };
  EXPECT_EQ(about("T-2", "test", "two 4 at once, at event 7"), (std::vector<std::string>{"wide"}));
  EXPECT_EQ(about("T-2", "test", "two x at once"), (std::vector<std::string>{}));
  EXPECT_EQ(about("T-2", "test", "not two 4 at once"), (std::vector<std::string>{})) << "not its beginning";
  EXPECT_EQ(about("T-1", "test", "whatever"), (std::vector<std::string>{"narrow", "also"}));
  EXPECT_EQ(about("T-1", "other", "whatever"), (std::vector<std::string>{}));
  EXPECT_TRUE(clients->impact("T-1", ClientFinding{"other", "whatever"}).empty());
}

TEST_F(ClientsTest, AreThoseOfAllFolders) {
  EXPECT_EQ(load(), Clients()) << "no folder of clients";
  folder_.write("rules/clients/a.yaml", std::string(kHead) + std::string(kStreams));
  folder_.write(
      "house/clients/b.yaml",
      "clients: test\nprograms: {ours: {name: Ours, version: 3, run: so}}\nstreams:\n  - {stream: more, "
      "says: More., violates: [T-3], does: {ours: {throws: No.}}}\n");
  const auto clients = load({"rules", "house"});
  ASSERT_TRUE(clients) << describe(clients.error());
  EXPECT_EQ(names(clients->about("T-3")), (std::vector<std::string>{"more"}));
  EXPECT_EQ(clients->streams.size(), 5U);
  folder_.write("house/clients/c.yaml", std::string(kHead) + "  []\n");
  const auto twice = load({"rules", "house"});
  ASSERT_FALSE(twice);
  EXPECT_NE(describe(twice.error()).find("c.yaml:3: the client 'one' occurs twice"), std::string::npos)
      << describe(twice.error());
}

TEST_F(ClientsTest, MistakesHaveFileAndLine) {
  const std::string head(kHead);
  const std::string both = "does: {one: {accepts: A.}, two: {accepts: A.}}}\n";
  const struct {
    std::string text;
    std::size_t line;
    const char* word;
  } kBroken[] = {
      {"clients: [", 2, "not YAML"},
      {"clients: test\nstreams: []\n", 1, "programs"},
      {"clients: test\nprograms: {}\nstreams: []\n", 2, "must name a client"},
      {"clients: test\nprograms: {one: {name: One, version: 1}}\nstreams: []\n", 2, "run"},
      {"clients: test\nprograms: {one: {name: One, version: 1, run: so, at: x}}\nstreams: []\n", 2, "at"},
      {head + "  {}\n", 7, "must be a list"},
      {head + "  - {stream: a, says: A., violates: [T-9], " + both, 7, "no rule 'T-9'"},
      {head + "  - {stream: a, says: A., violates: [T-1, T-1], " + both, 7, "'T-1' occurs twice"},
      {head + "  - {stream: a, says: A., violates: T-1, " + both, 7, "must be a list"},
      {head + "  - {stream: a, says: A., violates: [{T-1: x, T-2: y}], " + both, 7, "has several ids"},
      {head + "  - {stream: a, says: A., violates: [T-1: [x]], " + both, 7, "how its finding begins"},
      {head + "  - {stream: a, says: A., violates: [], does: {one: {accepts: A.}}}\n", 7, "'two'"},
      {head + "  - {stream: a, says: A., violates: [], does: []}\n", 7, "must be a map"},
      {head +
           "  - stream: a\n    says: A.\n    violates: []\n    does:\n      one: {accepts: A.}\n      two: "
           "{accepts: A.}\n      three: {accepts: A.}\n",
       13, "no client 'three'"},
      {head + "  - {stream: a, says: A., violates: [], does: {one: {loves: A.}, two: {accepts: A.}}}\n", 7,
       "loves"},
      {head +
           "  - {stream: a, says: A., violates: [], does: {one: {throws: A., wrong: A.}, two: {accepts: A.}}}\n",
       7, "several reactions"},
      {head + "  - {stream: a, says: A., violates: [], does: {one: {}, two: {accepts: A.}}}\n", 7,
       "several reactions"},
      {head + "  - {stream: a, says: A., violates: [], does: {one: {by: hand}, two: {accepts: A.}}}\n", 7,
       "several reactions"},
      {head +
           "  - {stream: a, says: A., violates: [], does: {one: {wrong: A., by: ear}, two: {accepts: A.}}}\n",
       7, "by is 'ear'"},
      {head + "  - {stream: a, says: A., violates: [], " + both + "  - {stream: a, says: B., violates: [], " +
           both,
       8, "'a' occurs twice"},
  };
  for (const auto& one : kBroken) {
    SCOPED_TRACE(one.text);
    const auto clients = load_text(one.text);
    ASSERT_FALSE(clients);
    EXPECT_EQ(clients.error().line, one.line) << describe(clients.error());
    EXPECT_NE(describe(clients.error()).find(one.word), std::string::npos) << describe(clients.error());
    EXPECT_NE(clients.error().file.find("clients/test.yaml"), std::string::npos) << describe(clients.error());
  }
}

}  // namespace
}  // namespace splitproof::contract::clients_test
