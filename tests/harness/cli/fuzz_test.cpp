// `splitproof fuzz`, `distil` and `run --cases FILE`.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::fuzz_test {
namespace {

const std::string kTarget = "mutant:start-per-name";
const std::string kOnly = "openai.chat/tool-name-*";
const std::string kPlain = "openai.chat/text-plain?client=anthropic.messages";

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(CasesFile, ExactlyTheListedCasesRun) {
  const Folder folder;
  const std::string list =
      folder.put("cases.txt", "# two\n" + kPlain + "&gen=bytes\n\n" + kPlain + "&edit=drop:1\n");
  const Finished run = splitproof({"run", "--cases", list});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_TRUE(last_line(run.out).starts_with("splitproof: CONFORMS  1 recording, 2 cases")) << run.out;
}

TEST(CasesFile, FindingsDecideAsAlways) {
  const Folder folder;
  const std::string list =
      folder.put("cases.txt", "openai.chat/tool-name-every-chunk?client=anthropic.messages&gen=whole\n");
  const Finished run = splitproof({"run", "--cases", list, "--target", kTarget});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  const std::string noted = folder.at("known.txt");
  EXPECT_EQ(splitproof({"run", "--cases", list, "--target", kTarget, "--write-expect", noted}).code, 1);
  EXPECT_EQ(splitproof({"run", "--cases", list, "--target", kTarget, "--expect", noted}).code, 0);
}

TEST(CasesFile, EachCaseCountsOnce) {
  const Folder folder;
  const std::string list =
      folder.put("cases.txt", kPlain + "&gen=whole\n" + kPlain + "&recut=char&fault=close@60\n");
  const Finished run = splitproof({"run", "--cases", list});
  EXPECT_TRUE(has(run.out, "2: 1 split, 0 recut, 1 with a fault, 0 of a further turn")) << run.out << run.err;
}

TEST(CasesFile, ShardsOfAListMergeToTheWhole) {
  const Folder folder;
  std::string text;
  for (const char* split : {"gen=whole", "gen=bytes", "cuts=5", "cuts=9,40", "edit=drop:2", "fault=close@60"})
    text += kPlain + "&" + split + "\n";
  const std::string list = folder.put("cases.txt", text);
  std::vector<std::string> merge{"merge"};
  for (const char* shard : {"1/2", "2/2"}) {
    const std::string report = folder.at(std::string(1, shard[0]) + ".jsonl");
    EXPECT_EQ(splitproof({"run", "--cases", list, "--shard", shard, "--report", "jsonl:" + report}).code, 0);
    merge.push_back(report);
  }
  const Finished merged = splitproof(merge);
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_TRUE(has(last_line(merged.out), "1 recording, 6 cases")) << merged.out;
}

TEST(CasesFile, WrongIdIsNamedBeforeAnythingRuns) {
  const Folder folder;
  const auto error_of = [&](const std::string& text) {
    const std::string list = folder.put("cases.txt", text);
    const Finished run = splitproof({"run", "--cases", list});
    EXPECT_EQ(run.code, 2) << text;
    EXPECT_EQ(run.out, "");
    return run.err.substr(run.err.find("cases.txt"));
  };
  EXPECT_TRUE(error_of(kPlain + "\n" + kPlain + "&gen=no\n").starts_with("cases.txt:2: "));
  EXPECT_TRUE(error_of("nothing\n").starts_with("cases.txt:1: there is no recording 'nothing'"));
  EXPECT_TRUE(error_of("\n# only\n").starts_with("cases.txt: has no case"));
  const Finished missing = splitproof({"run", "--cases", folder.at("none.txt")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.err, "--cases takes a number")) << missing.err;
}

TEST(CasesFile, OptionWithoutEffectIsRefused) {
  const Folder folder;
  const std::string list = folder.put("cases.txt", kPlain + "\n");
  for (const char* option : {"--quick", "--sweep", "--faults"}) {
    const Finished run = splitproof({"run", "--cases", list, option});
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(has(run.err, std::string(option) + " has no effect on the cases of a file")) << run.err;
  }
}

TEST(CasesFile, CaseOfAnotherDirectionIsReported) {
  const Folder folder;
  const std::string list =
      folder.put("cases.txt", kPlain + "\nopenai.chat/text-plain?client=openai.responses\n");
  const Finished run = splitproof({"run", "--cases", list});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(has(run.err, "1 case left out, because no target has this direction")) << run.err;
}

TEST(Fuzz, FindsABugAndItsCasesRunAgain) {
  const Folder folder;
  const std::string out = folder.at("hunt");
  const Finished fuzz =
      splitproof({"fuzz", "--target", kTarget, "--only", kOnly, "--cases", "200", "--corpus-out", out});
  EXPECT_EQ(fuzz.code, 1) << fuzz.out << fuzz.err;
  EXPECT_TRUE(has(fuzz.out, "searched 200 cases")) << fuzz.out;
  EXPECT_TRUE(has(fuzz.out, "guided by the shapes of its behaviour")) << fuzz.out;
  const Finished again = splitproof({"run", "--target", kTarget, "--cases", out + "/cases.txt"});
  EXPECT_EQ(again.code, 1);
  EXPECT_EQ(last_line(again.out), last_line(fuzz.out));
}

TEST(Fuzz, ContinuedSearchEqualsOneThatWasNotKilled) {
  const Folder folder;
  const auto search = [&](const std::string& out, const std::string& cases) {
    splitproof(
        {"fuzz", "--target", kTarget, "--only", kOnly, "--cases", cases, "--corpus-out", folder.at(out)});
    return folder.text(out + "/cases.txt");
  };
  search("parts", "90");
  search("parts", "91");
  const std::string whole = search("whole", "300");
  EXPECT_EQ(search("parts", "300"), whole);
  const Finished other = splitproof({"fuzz", "--target", kTarget, "--only", kOnly, "--cases", "400", "--seed",
                                     "2", "--corpus-out", folder.at("parts")});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, "log.jsonl:1: is of a search with another seed")) << other.err;
}

// Each search is deterministic, but finds another bug with each change of the corpus. So several searches are compared.
TEST(Fuzz, GuidedSearchFindsMoreThanUnguidedSearch) {
  int guided = 0;
  int unguided = 0;
  for (const char* mutant : {"mutant:fallback-id-early", "mutant:arguments-repaired"}) {
    for (const char* seed : {"1", "2", "3"}) {
      std::vector<std::string> search{"fuzz",    "--target", mutant,   "--only", "openai.chat/text-*",
                                      "--cases", "800",      "--seed", seed};
      guided += splitproof(search).code;
      search.push_back("--unguided");
      unguided += splitproof(search).code;
    }
  }
  EXPECT_GE(guided, unguided + 2);
}

TEST(Fuzz, FoldersAreMerged) {
  const Folder folder;
  for (const char* shard : {"1/2", "2/2"})
    splitproof({"fuzz", "--target", kTarget, "--only", kOnly, "--cases", "150", "--shard", shard,
                "--corpus-out", folder.at(std::string(1, shard[0]))});
  EXPECT_NE(folder.text("1/cases.txt"), folder.text("2/cases.txt"));
  const Finished merged =
      splitproof({"fuzz", "--target", kTarget, "--only", kOnly, "--merge", "--from", folder.at("1"), "--from",
                  folder.at("2"), "--corpus-out", folder.at("both")});
  const std::size_t all = lines_of(folder.text("1/cases.txt") + folder.text("2/cases.txt")).size();
  EXPECT_GT(lines_of(folder.text("both/cases.txt")).size(), all / 2) << merged.err;
  EXPECT_LE(lines_of(folder.text("both/cases.txt")).size(), all) << merged.err;
}

TEST(Fuzz, WrongInputIsRefused) {
  EXPECT_EQ(splitproof({"fuzz", "--cases", "1", "--shard", "3/2"}).code, 2);
  EXPECT_EQ(splitproof({"fuzz", "--cases", "1", "--from", "/nonexistent"}).code, 2);
  EXPECT_EQ(splitproof({"fuzz", "--cases", "1", "--only", "nothing"}).code, 5);
  EXPECT_EQ(splitproof({"fuzz", "--cases", "1", "--target", "nobody"}).code, 2);
}

TEST(Distil, FewCasesReachTheSameAndFindTheSame) {
  const Folder folder;
  const std::string out = folder.at("hunt");
  splitproof({"fuzz", "--target", kTarget, "--only", kOnly, "--cases", "300", "--corpus-out", out});
  const std::string gate = folder.at("gate.txt");
  const Finished distil = splitproof({"distil", out, "--target", kTarget, "--out", gate});
  EXPECT_EQ(distil.code, 0) << distil.err;
  EXPECT_TRUE(has(distil.err, " reach all ")) << distil.err;
  EXPECT_LE(lines_of(folder.text("gate.txt")).size(), lines_of(folder.text("hunt/cases.txt")).size());
  EXPECT_EQ(splitproof({"run", "--cases", gate, "--target", kTarget}).code, 1);
  const Finished again = splitproof({"distil", gate, "--target", kTarget});
  EXPECT_EQ(lines_of(again.out).size(), lines_of(folder.text("gate.txt")).size()) << again.err;
}

TEST(Distil, ReportIsReadToo) {
  const Folder folder;
  const std::string report = folder.at("run.jsonl");
  splitproof({"run", "--target", kTarget, "--only", kOnly, "--quick", "--report", "jsonl:" + report});
  const Finished distil = splitproof({"distil", report, "--target", kTarget});
  EXPECT_EQ(distil.code, 0) << distil.err;
  EXPECT_TRUE(has(distil.out, "openai.chat/tool-name-")) << distil.out;
  EXPECT_EQ(splitproof({"distil", folder.at("none.txt")}).code, 2);
}

}  // namespace
}  // namespace splitproof::cli::fuzz_test
