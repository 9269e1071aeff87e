// Each user mistake gives one clear message on standard error with the place and a fix, the right exit code, and no
// possible verdict on standard output.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/read_file.hpp"
#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::mistakes_test {
namespace {

struct Mistake {
  std::vector<std::string> arguments;
  std::vector<std::string> says;  // parts of standard error
  int code = 2;
};

void expect_complaints(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(testing::PrintToString(mistake.arguments));
    const Finished finished = splitproof(mistake.arguments);
    EXPECT_EQ(finished.code, mistake.code) << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(finished.err.starts_with("splitproof: ")) << finished.err;
    EXPECT_LE(lines_of(finished.err).size(), 2u) << finished.err;
    for (const std::string& part : mistake.says)
      EXPECT_NE(finished.err.find(part), std::string::npos) << part << "\n" << finished.err;
  }
}

TEST(Mistakes, UnknownWordsAreReported) {
  expect_complaints({
      {{}, {"name a command", "splitproof --help"}},
      {{"rnu"}, {"'rnu'", "did you mean run?"}},
      {{"chekc", "x.sse"}, {"'chekc'", "did you mean check?"}},
      {{"--verison"}, {"did you mean --version?"}},
      {{"run", "--spilts", "4"}, {"'--spilts'", "did you mean --splits?", "splitproof run --help"}},
      {{"run", "--spilts=4"}, {"'--spilts'", "did you mean --splits?"}},
      {{"import", "sse", "x", "--protocl", "sse"}, {"did you mean --protocol?"}},
      {{"run", "surplus"}, {"surplus"}},
      {{"list", "obligatons"}, {"did you mean obligations?"}},
      {{"explain", "ANT-999"}, {"ANT-999", "list rules"}},
      {{"run", "--target", "refrence"}, {"'refrence'; did you mean reference? run splitproof list targets"}},
      {{"run", "--profile", "nope"},
       {"'nope'",
        "use one of: ai-sdk, anthropic-sdk, aprender, bridge, claude-code, cliproxyapi, codex, default"}},
      {{"run", "--profile", "/nope.yaml"}, {"/nope.yaml", "cannot be read"}},
      {{"check"}, {"FILE", "splitproof check --help"}},
      {{"import", "hra", "x", "--protocol", "sse", "--out", "y"}, {"'hra'", "did you mean har?"}},
  });
}

// Kinds that no list names are not dropped silently. They are tried if a list decides their fate, or if the recording
// declares them.
TEST(Mistakes, UnlistedKindsAreReported) {
  const Folder folder;
  const std::string path = (source_root() / "corpus/anthropic.messages/unknown-block.rec.jsonl").string();
  const std::string listed = R"("features":["text","unknown_block"])";
  std::string text = read_file(path).value();
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run",      "--corpus",   folder.at("corpus"),
                                          "--splits", "0",          "--recuts",
                                          "0",        "--upstream", "anthropic.messages"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return splitproof(arguments);
  };
  std::filesystem::create_directory(folder.at("corpus"));
  folder.put("corpus/image.rec.jsonl", text);
  EXPECT_EQ(run({"--client", "openai.chat"}).code, 0);
  ASSERT_NE(text.find(listed), text.npos);
  folder.put("corpus/image.rec.jsonl",
             text.replace(text.find(listed), listed.size(), R"("features":["text"])"));
  for (const char* client : {"openai.chat", "openai.responses"}) {
    const Finished refused = run({"--client", client});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("image.rec.jsonl:6: no lossy.yaml has a row for `image` and clients of " +
                               std::string(client)),
              std::string::npos)
        << refused.err;
    // One case is judged by the same rows.
    const Finished replayed = splitproof(
        {"replay", "image", "--client", client, "--corpus", folder.at("corpus"), "--target", "reference"});
    EXPECT_EQ(replayed.code, 2);
    EXPECT_EQ(replayed.err, refused.err);
  }
  // The row that the message names is enough.
  const std::string told = run({"--client", "openai.chat"}).err;
  const std::size_t row = told.find("`rows: ");
  ASSERT_NE(row, told.npos) << told;
  std::filesystem::create_directory(folder.at("house"));
  folder.put("house/lossy.yaml", told.substr(row + 1, told.find('`', row + 1) - row - 1) + "\n");
  const std::string house = folder.at("house");
  const std::string evidence = folder.at("evidence");
  EXPECT_EQ(run({"--client", "openai.chat", "--contracts", house, "--evidence", evidence}).code, 0);
  EXPECT_EQ(splitproof({"judge", evidence, "--contracts", house}).code, 0);
  const Finished judged = splitproof({"judge", evidence});
  EXPECT_EQ(judged.code, 2);
  EXPECT_NE(judged.err.find("evidence.jsonl:1: no lossy.yaml has a row for `image`"), judged.err.npos)
      << judged.err;
}

TEST(Mistakes, NumbersOutOfRange) {
  expect_complaints({
      {{"run", "--splits"}, {"--splits needs a value"}},
      {{"run", "--only", "a", "--only", "b"}, {"--only may be given only once"}},
      {{"run", "--splits", "x"}, {"--splits", "'x'", "whole number"}},
      {{"run", "--splits", "-3"}, {"--splits", "'-3'", "0 to"}},
      {{"run", "--splits", "99999999999999999999999"}, {"--splits"}},
      {{"run", "--seed", "-1"}, {"--seed"}},
      {{"run", "--jobs", "0"}, {"--jobs"}},
  });
}

TEST(Mistakes, UpstreamsThatCannotBe) {
  const std::string id = "openai.chat/text-plain";
  expect_complaints({
      {{"upstream", id}, {"--listen", "splitproof upstream --help"}},
      {{"upstream", "--listen", "127.0.0.1:0"}, {"CASE"}},
      {{"upstream", id, "--listen", "8080"}, {"--listen 8080", "HOST:PORT"}},
      {{"upstream", id, "--listen", ":8080"}, {"--listen :8080", "HOST:PORT"}},
      {{"upstream", id, "--listen", "127.0.0.1:"}, {"HOST:PORT"}},
      {{"upstream", id, "--listen", "127.0.0.1:65536"}, {"HOST:PORT"}},
      {{"upstream", id, "--listen", "127.0.0.1:80x"}, {"HOST:PORT"}},
      {{"upstream", id, "--listen", "::1:80"}, {"HOST:PORT"}},
      {{"upstream", id, "--listen", "192.0.2.1:80"}, {"cannot listen on 192.0.2.1:80"}},
      {{"upstream", id, "--listen", "127.0.0.1:0", "--framing", "chnked"}, {"'chnked'", "chunked, content-"}},
      {{"upstream", id, "--listen", "127.0.0.1:0", "--packing", "x"}, {"'x'", "two-pieces"}},
      {{"upstream", id, "--listen", "127.0.0.1:0", "--requests", "0"}, {"--requests"}},
      {{"upstream", "openai.chat/none", "--listen", "127.0.0.1:0"}, {"openai.chat/none", "list recordings"}},
      {{"upstream", id + "?cuts=99999", "--listen", "127.0.0.1:0"}, {"99999"}},
  });
}

TEST(Mistakes, ReportsThatCannotBe) {
  const Folder folder;
  expect_complaints({
      {{"run", "--report", "foo:x"}, {"--report foo:x", "jsonl:PATH, junit:PATH, "}},
      {{"run", "--report", "jsonl"}, {"jsonl:PATH"}},
      {{"judge", folder.put("x.evidence.jsonl", ""), "--report", "foo:x"}, {"jsonl:PATH, junit:PATH, "}},
      {{"run", "--report", "jsonl:" + folder.at("none/x")}, {folder.at("none/x"), "cannot be written"}},
      {{"run", "--report", "junit:" + folder.at("")}, {"cannot be written"}},
  });
}

TEST(Mistakes, FilesThatCannotBeJudged) {
  const Folder folder;
  const std::string empty = folder.put("empty.sse", "");
  const std::string foreign = folder.put("foreign.sse", "data: {\"x\":1}\n\n");
  expect_complaints({
      {{"check", folder.at("none.sse")}, {folder.at("none.sse"), "No such file"}},
      {{"check", folder.at("")}, {"is a folder"}},
      {{"check", empty}, {empty, "empty"}},
      {{"check", "--as", "anthropic.messages", empty}, {empty, "empty"}},
      {{"check", foreign}, {foreign, "not recognised", "--as PROTOCOL"}},
      {{"check", "--as", "anthropic", foreign},
       {"there is no protocol 'anthropic'", "use one of anthropic.messages"}},
      {{"decode", folder.at("none.sse")}, {folder.at("none.sse"), "No such file"}},
      {{"decode", "--as", "anthropic", foreign}, {"'anthropic'", "use one of anthropic.messages"}},
  });
}

TEST(Mistakes, ContractsThatCannotBeLoaded) {
  const Folder folder;
  const std::string broken =
      folder.put("broken/mine.yaml", "contract: anthropic.messages.downstream\nversion: 1\nnonsense: 1\n");
  folder.put("empty/README", "");
  const std::string stream = (source_root() / "contracts/falsifiers/plain-text.sse").string();
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"check", stream},
                                             {"run"},
                                             {"explain", "ANT-05"},
                                             {"list", "obligations"},
                                             {"replay", "openai.chat/text-plain"}}) {
    auto with = [&](const std::string& name) {
      auto arguments = command;
      arguments.insert(arguments.end(), {"--contracts", folder.at(name)});
      return arguments;
    };
    expect_complaints({{with("broken"), {broken + ":3: ", "nonsense"}},
                       {with("empty"), {folder.at("empty")}},
                       {with("none"), {folder.at("none")}}});
  }
}

TEST(Mistakes, ProfilesAndMapsThatCannotBe) {
  const Folder folder;
  const std::string rules = (source_root() / "contracts").string();
  const auto profile = [&](const std::string& name, const std::string& text) {
    return std::vector<std::string>{"run", "--profile", folder.put(name + ".yaml", text)};
  };
  expect_complaints({
      {profile("bom", "\xEF\xBB\xBFprofile: bom\nextends: default\n"), {"bom.yaml:1: ", "byte order mark"}},
      {profile("none", "profile: none\nextends: default\nupstreams: []\n"),
       {"none.yaml:3: ", "the list is empty"}},
      {profile("odd", "profile: odd\nextends: default\nupstreams: [openai.chat, openai.chatt]\n"),
       {"odd.yaml:3: ", "`openai.chatt`", "ollama.chat"}},
      {{"run", "--profile", folder.at("")}, {"is a folder, not a file"}},
  });
  const auto map = [&](const std::string& name, const std::string& text) {
    folder.put(name + "/house.yaml",
               "contract: anthropic.messages.downstream\nversion: 1\nevents: {end: {/type: message_stop}}\n"
               "obligations:\n  - {id: HOUSE-01, level: must, says: There is no end., never: end}\n");
    folder.put(name + "/names/" + name + ".yaml", text);
    return std::vector<std::string>{"list", "obligations", "--contracts", folder.at(name)};
  };
  const auto tool = [](const std::string& members) {
    return "tools:\n  - client: x\n    upstream: X\n" + members;
  };
  expect_complaints({
      {map("no-tools", "tools: []\n"), {"no-tools.yaml:1: ", "at least one"}},
      {map("no-key", tool("    arguments: {'': b}\n")), {"no-key.yaml:4: ", "'' is not a key"}},
      {map("no-point", tool("    arguments: {'todos[]priority': b}\n")), {"no-point.yaml:4: ", "LIST[].KEY"}},
      {map("deep", tool("    values: {'a[].b[].c': {d: e}}\n")),
       {"deep.yaml:4: ", "'a[].b[].c' is not a key"}},
      {map("stripped", tool("    arguments: {a: b}\n    strip-for-client: [b]\n")),
       {"stripped.yaml:2: ", "'b' of 'x' is both renamed and left out"}},
      {map("kept", tool("    arguments: {a: b}\n    strip-for-upstream: [a]\n")),
       {"kept.yaml:2: ", "'a' of 'x'"}},
      {map("two", tool("  - client: X\n    upstream: Y\n")),
       {"two.yaml:4: ", "'X' is the upstream's name of a tool other than"}},
  });
}

TEST(Mistakes, CasesThatDoNotExist) {
  const std::string text = "openai.chat/text-plain";
  expect_complaints({
      {{"replay", "openai.chat/none"}, {"'openai.chat/none'", "list recordings"}},
      {{"replay", (source_root() / "contracts/falsifiers/all-counts.sse").string()},
       {"all-counts.sse", "splitproof import"}},
      {{"explain", "ANT-5"}, {"'ANT-5'", "did you mean ANT-05?"}},
      {{"replay", ""}, {"names no recording"}},
      {{"replay", text + "?nonsense"}, {"'nonsense'", "RECORDING?client="}},
      {{"replay", text + "?gen=foo"}, {"'gen=foo'", "gen=seam:NUMBER"}},
      {{"replay", text + "?cuts=0"}, {"cut 0", "from 1 to "}},
      {{"replay", text + "?cuts=99999"}, {"cut 99999", "from 1 to "}},
      {{"replay", text + "?cuts=5,3"}, {"increasing"}},
      {{"replay", text + "?cuts=5&gen=whole"}, {"both gen and cuts"}},
      {{"replay", text + "?gen=seam:99999"}, {"no seam 99999"}},
      {{"replay", text + "?recut=foo"}, {"foo"}},
      {{"replay", text + "?recut=call:ina"}, {"call:ina"}},
      {{"replay", text + "?fault=foo@3"}, {"'foo@3'", "close@N"}},
      {{"replay", text + "?fault=close@99999"}, {"close@99999", "outside a body of"}},
      {{"replay", text + "?client=ollama.chat"}, {"and this case is for another direction"}},
  });
}

TEST(Mistakes, DemandsThatCannotBeRead) {
  const Folder folder;
  const std::string broken = folder.put(
      "broken.rec.jsonl",
      "{\"splitproof\":1,\"protocol\":\"openai.chat\",\"title\":\"t\",\"response\":{\"status\":200},"
      "\"expect\":{\"txt\":\"x\"}}\n{\"at\":0.1,\"text\":\"data: [DONE]\\n\\n\"}\n{\"at\":0.2,\"end\":\"complete\"}\n");
  expect_complaints({
      {{"run", "--corpus", folder.at("")}, {broken + ":1: ", "txt"}},
      {{"replay", broken}, {broken + ":1: ", "txt"}},
  });
}

TEST(Mistakes, NothingSelectedIsACodeOfItsOwn) {
  expect_complaints({
      {{"run", "--only", "zzz*"}, {"no case matches --only 'zzz*'; run splitproof list recordings"}, 5},
      {{"run", "--only", "text-plain"},
       {"no case matches --only 'text-plain'. Closest: ", "google.gemini/text-plain"},
       5},
      {{"run", "--only", "openai.chat/text-plian"}, {"Closest: openai.chat/text-plain"}, 5},
      {{"list", "recordings", "--only", "text-plain"}, {"Closest: ", "google.gemini/text-plain"}, 5},
      {{"run", "--client", "ollama.chat"},
       {"does not translate for clients of ollama.chat", "list targets"},
       5},
      {{"run", "--target", "nginx", "--upstream", "ollama.chat"},
       {"nginx does not translate from ollama.chat", "list targets"},
       5},
      {{"replay", "openai.chat/text-plain", "--upstream", "ollama.chat"}, {"excludes this case"}, 5},
      {{"replay", "openai.chat/text-plain?gen=whole&client=openai.responses", "--client",
        "anthropic.messages"},
       {"excludes this case"},
       5},
  });
}

TEST(Mistakes, CorporaThatAreNotThere) {
  const Folder folder;
  const std::string broken = folder.put("bad/x.rec.jsonl", "{\"a\"\n");
  expect_complaints({
      {{"run", "--corpus", folder.at("none")}, {folder.at("none")}},
      {{"run", "--corpus", folder.at("bad")}, {broken + ":1: "}},
  });
}

TEST(Mistakes, ImportsThatDoNotFit) {
  const Folder folder;
  const std::string body = folder.put("cap.sse", "data: x\n\n");
  const auto import = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"import", "sse", body, "--out", folder.at("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  expect_complaints({
      {import({}), {"--protocol is required"}},
      {import({"--protocol", "chat"}), {"there is no protocol 'chat'", "openai.chat"}},
      {import({"--protocol", "sse", "--chunks", "4,4"}), {body, "9 bytes"}},
      {import({"--protocol", "sse", "--chunks", "4,x"}), {"4,x"}},
      {import({"--protocol", "sse", "--request", body}), {body, "not JSON"}},
      {{"import", "sse", folder.at("none"), "--protocol", "sse", "--out", folder.at("out")},
       {folder.at("none"), "cannot be read"}},
      {{"import", "sse", body, "--protocol", "sse", "--out", body}, {body, "cannot be written"}},
  });
}

}  // namespace
}  // namespace splitproof::cli::mistakes_test
