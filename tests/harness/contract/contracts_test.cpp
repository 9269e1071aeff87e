#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/contract/judge.hpp"
#include "tests/harness/contract/small_trace.hpp"

namespace splitproof::contract::contracts_test {
namespace {

constexpr std::string_view kSse = R"(contract: sse
version: 1
data: text
obligations:
  - {id: SSE-1, level: should, says: No faults., each: any-event, where: {"@fault": null}}
)";

constexpr std::string_view kOne = R"(contract: one.downstream
version: 1
ends: {success: [end], error: [fail]}
begins: [begin]
recognised: known
events:
  begin: {/t: begin}
  end: {/t: end}
  fail: {/t: fail}
  known: {/t: {type: string}}
obligations:
  - id: ONE-1
    level: must
    says: Ends with end.
    why: Clients wait for it.
    seen: [owner/name#1]
    finally: end
    among: [fail]
    falsifiers: [{file: falsifiers/x.sse, trips: [ONE-1, SSE-1], control: falsifiers/y.sse, recording: z.rec.jsonl}]
  - {id: ONE-2, level: info, says: Twice., clauses: [{never: end end}, {each: end, numbered: /k}, {never: end any}]}
)";

constexpr std::string_view kTwo = R"(contract: two.downstream
version: 1
recognised: known
ends: {error: [broke]}
events: {known: {/u: {type: string}}, broke: {/error: {type: object}}, done: {"@data": "[DONE]"}}
obligations: []
)";

class ContractsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("built-in/sse.yaml", kSse);
    folder_.write("built-in/one.downstream.yaml", kOne);
    folder_.write("built-in/two.downstream.yaml", kTwo);
    folder_.write("built-in/profiles/default.yaml", "profile: default\nvalues: {pace: [slow, fast]}\n");
    folder_.write("built-in/notes.txt", "nor this");
  }

  Contracts load(const std::vector<std::string>& names) {
    std::vector<std::filesystem::path> dirs;
    for (const std::string& name : names) dirs.push_back(folder_.path() / name);
    auto loaded = Contracts::load(dirs);
    EXPECT_TRUE(loaded) << (loaded ? "" : describe(loaded.error()));
    return loaded.value();
  }

  TemporaryFolder folder_;
};

TEST_F(ContractsTest, TellWhatTheFilesSay) {
  const Contracts contracts = load({"built-in"});
  EXPECT_EQ(contracts.protocols(), (std::vector<std::string>{"one", "sse", "two"}));
  EXPECT_EQ(contracts.obligations().size(), 3u);
  EXPECT_EQ(contracts.find("ONE-3"), nullptr);
  const Obligation& rule = *contracts.find("ONE-1");
  EXPECT_EQ(rule.level, Level::must);
  EXPECT_EQ(rule.says, "Ends with end.");
  EXPECT_EQ(rule.why, "Clients wait for it.");
  EXPECT_EQ(rule.seen, std::vector<std::string>{"owner/name#1"});
  EXPECT_EQ(rule.contract, "one.downstream");
  EXPECT_EQ(rule.line, 12u);
  EXPECT_EQ(rule.form, "pattern");
  ASSERT_EQ(rule.falsifiers.size(), 1u);
  EXPECT_EQ(rule.falsifiers[0].file, "falsifiers/x.sse");
  EXPECT_EQ(rule.falsifiers[0].trips, (std::vector<std::string>{"ONE-1", "SSE-1"}));
  EXPECT_EQ(rule.falsifiers[0].control, "falsifiers/y.sse");
  EXPECT_EQ(rule.falsifiers[0].recording, "z.rec.jsonl");
  EXPECT_EQ(rule.falsifiers[0].line, 19u);
  EXPECT_EQ(contracts.find("ONE-2")->form, "pattern, fields");
  EXPECT_EQ(contracts.data_kind("sse"), observe::DataKind::text);
  EXPECT_TRUE(contracts.data_kind("one").is_json);
}

TEST_F(ContractsTest, DataThatAClassNamesWholeIsAMarkWhereItIsNoJson) {
  folder_.write("built-in/marks.yaml", R"(contract: three.downstream
version: 1
events:
  done: {"@data": "[DONE]"}
  ends: {"@data": ["[END]", "null", "{}", {matches: x}], /a: "of JSON"}
  goes-on: {"@data": {not: "[ON]"}}
obligations: []
)");
  const Contracts contracts = load({"built-in"});
  const observe::DataKind marked{true, {"[DONE]", "[END]"}};
  EXPECT_EQ(contracts.data_kind("three"), marked);
  EXPECT_EQ(contracts.data_kind("one"), marked);
  EXPECT_EQ(contracts.data_kind({}), marked);
  EXPECT_EQ(contracts.data_kind("sse"), observe::DataKind::text);
}

TEST_F(ContractsTest, SseAppliesToEveryProtocol) {
  const Contracts contracts = load({"built-in"});
  const auto judged = judge(contracts, "one", {}, small_trace("begin\nx|!broken-json\nend"), {});
  ASSERT_EQ(judged.size(), 3u);
  EXPECT_EQ(judged[0].obligation->id, "ONE-1");
  EXPECT_EQ(judged[0].verdict, Verdict::met);
  EXPECT_EQ(judged[2].obligation->id, "SSE-1");
  EXPECT_EQ(judged[2].verdict, Verdict::violated);
  EXPECT_EQ(judge(contracts, "two", {}, {}, {}).size(), 1u);
  EXPECT_EQ(judge(contracts, "sse", {}, {}, {}).size(), 1u);
}

/// The HTTP message is judged separately from the stream in it.
TEST_F(ContractsTest, TransportIsNoProtocol) {
  folder_.write("own/transport.yaml",
                "contract: transport\nversion: 1\nobligations:\n"
                "  - id: T-1\n    level: must\n    says: Mine.\n    each: any-event\n    unique: /k\n"
                "    falsifiers: [{evidence: a.jsonl, trips: [T-1], control: b.jsonl}]\n");
  const Contracts contracts = load({"built-in", "own"});
  EXPECT_EQ(contracts.protocols(), (std::vector<std::string>{"one", "sse", "two"}));
  const auto judged = judge(contracts, kTransport, {}, small_trace("begin end"), {});
  ASSERT_EQ(judged.size(), 1u);
  EXPECT_EQ(judged[0].obligation->id, "T-1");
  EXPECT_EQ(judge(contracts, "one", {}, {}, {}).size(), 3u);
  const Falsifier& falsifier = contracts.find("T-1")->falsifiers.at(0);
  EXPECT_TRUE(falsifier.evidence);
  EXPECT_EQ(falsifier.file, "a.jsonl");
  EXPECT_FALSE(contracts.find("ONE-1")->falsifiers.at(0).evidence);
}

/// Every contract that applies may define error events, and all others use them.
TEST_F(ContractsTest, HowAStreamEndedHoldsForAllFiles) {
  folder_.write("own/own.yaml",
                "contract: one.downstream\nversion: 1\nevents: {tail: {/t: tail}}\nobligations:\n"
                "  - {id: MY-1, level: must, says: Mine., finally: tail, unless: {ended: error}}\n");
  const Contracts contracts = load({"built-in", "own"});
  EXPECT_EQ(contracts.obligations().back()->id, "MY-1");
  EXPECT_EQ(judge(contracts, "one", {}, small_trace("begin fail"), {}).back().verdict,
            Verdict::not_exercised);
  EXPECT_EQ(judge(contracts, "one", {}, small_trace("begin end"), {}).back().verdict, Verdict::violated);
}

TEST_F(ContractsTest, CollisionsAmongFoldersAreErrors) {
  folder_.write("own/own.yaml",
                "contract: two.downstream\nversion: 1\nobligations:\n"
                "  - {id: ONE-1, level: must, says: Mine., each: any-event, unique: /k}\n");
  const auto same_id = Contracts::load({folder_.path() / "built-in", folder_.path() / "own"});
  ASSERT_FALSE(same_id);
  EXPECT_EQ(same_id.error().line, 4u);
  EXPECT_NE(same_id.error().file.find("own.yaml"), std::string::npos);
  EXPECT_NE(same_id.error().hint.find("one.downstream.yaml:12"), std::string::npos) << same_id.error().hint;

  EXPECT_FALSE(Contracts::load({folder_.path() / "nowhere"}));
  EXPECT_FALSE(Contracts::load({folder_.path() / "built-in" / "profiles" / ".." / ".."}));
}

/// An added file cannot change the rules of other files, not even by repeating a setting.
TEST_F(ContractsTest, WhatHoldsForAWholeContractIsSaidOnce) {
  const std::string one = "contract: one.downstream\nversion: 1\nevents: {end: {/t: end}}\n";
  const struct {
    std::string head;
    const char* key;
    const char* value;
    std::size_t line;
    const char* first;
  } cases[] = {
      {one, "ends", "{error: [end]}", 4, "one.downstream.yaml"},
      {one, "ends", "{success: [end]}", 4, "one.downstream.yaml"},
      {one, "begins", "[end]", 4, "one.downstream.yaml"},
      {one, "recognised", "end", 4, "one.downstream.yaml"},
      {"contract: sse\nversion: 1\n", "data", "text", 3, "sse.yaml"},
      {"contract: sse\nversion: 1\n", "data", "json", 3, "sse.yaml"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.key) + ": " + c.value);
    folder_.write("own/own.yaml", c.head + c.key + ": " + c.value + "\nobligations: []\n");
    const auto loaded = Contracts::load({folder_.path() / "built-in", folder_.path() / "own"});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().line, c.line);
    EXPECT_NE(loaded.error().file.find("own.yaml"), std::string::npos);
    EXPECT_EQ(loaded.error().what.find("'" + std::string(c.key) + "' of "), 0u) << loaded.error().what;
    EXPECT_NE(loaded.error().what.find(c.first), std::string::npos) << loaded.error().what;
  }
  // An added file may define what no other file of the contract defines.
  folder_.write("own/own.yaml", "contract: two.downstream\nversion: 1\ndata: text\nobligations: []\n");
  EXPECT_EQ(load({"built-in", "own"}).data_kind("two"), observe::DataKind::text);
}

TEST_F(ContractsTest, TheSameFolderTwiceIsAnError) {
  const std::filesystem::path dir = folder_.path() / "built-in";
  for (const std::filesystem::path& again : {dir, dir / "", dir / "profiles" / ".."}) {
    SCOPED_TRACE(again.string());
    const auto loaded = Contracts::load({dir, again});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().what, "the folder " + again.string() + " is given twice");
  }
}

TEST_F(ContractsTest, ConditionsNameValuesThatTheirKnobHas) {
  const auto load_with = [this](const std::string& setting) {
    folder_.write("own/own.yaml",
                  "contract: two.downstream\nversion: 1\nobligations:\n"
                  "  - {id: MY-1, level: must, says: x, clauses: [{each: any-event, unique: /k,\n"
                  "     profile: {" +
                      setting + "}}]}\n");
    return Contracts::load({folder_.path() / "built-in", folder_.path() / "own"});
  };
  EXPECT_TRUE(load_with("pace: slow"));
  EXPECT_TRUE(load_with("pace: [slow, fast]"));
  EXPECT_TRUE(load_with("a-knob-of-mine: slow"));
  for (const char* setting : {"pace: slwo", "pace: [slow, slwo]"}) {
    SCOPED_TRACE(setting);
    const auto loaded = load_with(setting);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().line, 5u);
    EXPECT_NE(loaded.error().file.find("own.yaml"), std::string::npos);
    EXPECT_EQ(loaded.error().what, "the knob 'pace' has no value 'slwo'");
    EXPECT_EQ(loaded.error().hint, "use one of: slow, fast");
  }
}

TEST_F(ContractsTest, TheReasonOfAFaultIsToldWithTheViolation) {
  folder_.write("own/own.yaml",
                "contract: one.downstream\nversion: 1\nevents: {torn: {\"@fault\": broken-json}}\n"
                "obligations: [{id: MY-1, level: must, says: Whole., never: torn}]\n");
  observe::Trace trace = small_trace("x|!broken-json\nend");
  trace.events[0].fault_reason = "missing closing quote";
  const auto judged = judge(load({"built-in", "own"}), "one", {}, trace, {});
  EXPECT_EQ(judged.back().message,
            "x must not occur here (missing closing quote), at event 0 (x, line 1), bytes 0-90");
}

TEST_F(ContractsTest, WhyAFileCannotBeReadIsTold) {
  std::filesystem::create_symlink("nothing", folder_.path() / "built-in/dangling.yaml");
  const auto loaded = Contracts::load({folder_.path() / "built-in"});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().what, "the file cannot be read: No such file or directory");
}

TEST_F(ContractsTest, RecogniseByMostEvents) {
  const Contracts contracts = load({"built-in"});
  EXPECT_EQ(contracts.recognise(small_trace("begin end\n{}")), "one");
  EXPECT_EQ(contracts.recognise(small_trace("{\"u\":\"x\"}\n{\"u\":\"y\"}\na")), "two");
  EXPECT_EQ(contracts.recognise(small_trace("{\"u\":\"x\",\"t\":\"y\"}")), std::nullopt);
  EXPECT_EQ(contracts.recognise(small_trace("begin\n{}")), std::nullopt);
  // Neither [DONE] nor an error of any form identifies a protocol.
  EXPECT_EQ(contracts.recognise(small_trace("begin\n|[DONE]\n|[DONE]")), "one");
  EXPECT_EQ(contracts.recognise(small_trace("begin\n{\"error\":{}}\n{\"error\":{}}")), "one");
  EXPECT_EQ(contracts.recognise(small_trace("begin\n|[DONE]\n{}")), std::nullopt);
  EXPECT_EQ(contracts.recognise(small_trace("|[DONE]\n{\"error\":{}}")), std::nullopt);
  EXPECT_EQ(contracts.recognise(small_trace("")), std::nullopt);
}

TEST_F(ContractsTest, SplitResponsesAfterTheTerminalEvent) {
  const Contracts contracts = load({"built-in"});
  const auto sizes = [&](const char* lines) {
    observe::Trace trace = small_trace(lines);
    trace.message_end = observe::MessageEnd::cut;
    std::vector<std::size_t> found;
    const auto responses = contracts.split_responses("one", trace);
    std::size_t at = 0;
    for (const observe::Trace& response : responses) {
      for (const observe::Event& event : response.events) EXPECT_EQ(event.begin, 100 * at++);
      found.push_back(response.events.size());
      const bool last = &response == &responses.back();
      EXPECT_EQ(response.message_end, last ? observe::MessageEnd::cut : observe::MessageEnd::complete);
    }
    return found;
  };
  EXPECT_EQ(sizes("begin x end begin fail begin"), (std::vector<std::size_t>{3, 2, 1}));
  EXPECT_EQ(sizes("begin begin end x end y"), (std::vector<std::size_t>{6}));
  EXPECT_EQ(sizes("begin end fail begin"), (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_EQ(sizes("begin x fail fail end"), (std::vector<std::size_t>{5}));
  EXPECT_EQ(sizes(""), (std::vector<std::size_t>{0}));
}

TEST(Profiles, ExtendAndOverride) {
  const TemporaryFolder folder;
  folder.write("c/profiles/default.yaml",
               "profile: default\nknobs: {overlap: sequential, limit: 512, on: true}\n");
  folder.write("c/profiles/strict.yaml", "profile: strict\nextends: default\nknobs: {limit: 640}\n");
  folder.write("own/mine.yaml", "profile: mine\nextends: strict\nknobs: {overlap: indexed}\n");
  const std::vector<std::filesystem::path> dirs = {folder.path() / "c"};
  EXPECT_EQ(profile_names(dirs), (std::vector<std::string>{"default", "strict"}));
  const auto mine = load_profile((folder.path() / "own/mine.yaml").string(), dirs);
  ASSERT_TRUE(mine) << describe(mine.error());
  EXPECT_EQ(*mine, (Profile{"mine", {{"overlap", "indexed"}, {"limit", "640"}, {"on", "true"}}}));
  EXPECT_EQ(load_profile("default", dirs)->knobs.at("limit"), "512");
}

TEST(Profiles, KnobsAndValuesMustBeDeclared) {
  const TemporaryFolder folder;
  folder.write("c/profiles/default.yaml",
               "profile: default\nvalues: {overlap: [sequential, indexed], pace: slow}\n"
               "knobs: {overlap: sequential, pace: slow}\n");
  folder.write("own/house.yaml",
               "profile: house\nextends: default\nvalues: {hands: [one, two]}\nknobs: {hands: one}\n");
  const std::vector<std::filesystem::path> dirs = {folder.path() / "c"};
  const auto load = [&](const std::string& text) {
    return load_profile(folder.write("own/mine.yaml", "profile: mine\n" + text).string(), dirs);
  };
  for (const char* text : {
           "extends: default\nknobs: {overlap: indexed}\n",
           "extends: house\nknobs: {overlap: indexed, hands: two}\n",
           "values: {hands: [one]}\nknobs: {overlap: indexed, hands: one}\n",
           "knobs: {overlap: indexed}\n",
       }) {
    const auto loaded = load(text);
    EXPECT_TRUE(loaded) << text << describe(loaded.error());
  }
  const struct {
    const char* text;
    std::size_t line;
    const char* word;
  } cases[] = {
      {"extends: default\nknobs: {overlap: sequental}\n", 3,
       "the knob 'overlap' has no value 'sequental'; use one of: sequential, indexed"},
      {"extends: house\nknobs:\n  overlap: indexed\n  hands: three\n", 5, "use one of: one, two"},
      {"extends: house\nknobs: {hand: one}\n", 3, "no knob 'hand'; use one of: hands, overlap, pace;"},
      {"extends: default\nknobs: {hands: one}\n", 3, "no knob 'hands'"},
      {"knobs: {overlap: sequental}\n", 2, "'sequental'"},
      {"knobs: {overlpa: sequential}\n", 2, "no knob 'overlpa'"},
      {"values: {overlap: [sequental]}\nknobs: {overlap: sequental}\n", 2, "default.yaml"},
      {"extends: house\nvalues: {hands: [three]}\n", 3, "house.yaml"},
      {"values: [hands]\n", 2, "must be a map"},
      {"values: {hands: []}\n", 2, "list is empty"},
      {"values: {hands: {one: two}}\n", 2, "a map"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    const auto loaded = load(one.text);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().line, one.line);
    EXPECT_NE(describe(loaded.error()).find(one.word), std::string::npos) << describe(loaded.error());
    EXPECT_NE(loaded.error().file.find("mine.yaml"), std::string::npos);
  }

  // A mistake in a base profile is reported there, even if a later file overrides it.
  folder.write("own/base.yaml", "profile: base\nknobs: {overlap: sequental}\n");
  const auto covered = load("extends: base\nknobs: {overlap: sequential}\n");
  ASSERT_FALSE(covered);
  EXPECT_NE(covered.error().file.find("base.yaml"), std::string::npos);
}

TEST(Profiles, MistakesAreToldWithTheirPlace) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> dirs = {folder.path()};
  const struct {
    const char* text;
    std::size_t line;
    const char* word;
  } cases[] = {
      {"knobs: {}\n", 1, "lacks the key 'profile'"},
      {"profile: x\nknobs: [a]\n", 2, "must be a map"},
      {"profile: x\nknobs:\n  a: [b]\n", 3, "the knob 'a'"},
      {"profile: x\nknobs:\n  a:\n", 3, "the knob 'a'"},
      {"profile: x\nextends: nowhere\n", 2, "no profile 'nowhere'"},
      {"profile: x\nextends: x\n", 2, "extends itself"},
      {"profile: x\nknob: {}\n", 2, "unknown key 'knob'"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.text);
    folder.write("profiles/x.yaml", one.text);
    const auto loaded = load_profile("x", dirs);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().line, one.line);
    EXPECT_NE(describe(loaded.error()).find(one.word), std::string::npos) << describe(loaded.error());
    EXPECT_NE(loaded.error().file.find("x.yaml"), std::string::npos);
  }
  const auto unknown = load_profile("y", dirs);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().hint, "use one of: x");
  const auto missing = load_profile("./y.yaml", dirs);
  ASSERT_FALSE(missing);
  EXPECT_EQ(describe(missing.error()), "./y.yaml: the file cannot be read: No such file or directory");
}

}  // namespace
}  // namespace splitproof::contract::contracts_test
