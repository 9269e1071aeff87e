#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::target_test {
namespace {

using nlohmann::json;

// Returns a target file for the project's own proxy, which is next to the program.
std::string proxy_file(const Folder& folder, const std::string& name,
                       const std::string& upstream = "{upstream}/v1",
                       const std::string& command = "splitproof-proxy",
                       const std::string& protocol = "openai.chat") {
  return folder.put(
      name + ".yaml",
      "# A proxy for this test. It is the project's own.\ntarget: " + name.substr(name.rfind('/') + 1) +
          "\nkind: http\nclient: anthropic.messages\nupstream: " + protocol + "\ncommand: [" + command +
          ", --listen, \"127.0.0.1:{port}\", --upstream, \"" + upstream +
          "\", --seed, \"1\"]\nenv: {HOME: \"{home}\"}\nlisten: \"http://127.0.0.1:{port}\"\n" +
          "request: {path: /v1/messages, model: m, headers: {x-api-key: k}}\n" +
          "ready: {path: /health, within: 5s}\nmax_concurrency: 2\n");
}

Start with_targets_in(const Folder& folder) {
  Start start;
  start.environment = {"SPLITPROOF_TARGETS=" + folder.at("kept")};
  return start;
}

const std::string kPlain = "openai.chat/text-plain";

// The target file gives the proxy the profile that judges it.
TEST(Target, ReferencesServerPlaysTheProfile) {
  const Folder folder;
  const std::string profile = folder.put(
      "own.yaml", "profile: own\nextends: default\nknobs: {nameless-call: synthesize, think-tags: leave}\n");
  for (const std::string name : {"tool-name-number", "text-think-tags-again"}) {
    const std::string cases = "openai.chat/" + name + "*gen=[rw]*";
    const Finished run = splitproof({"run", "--target", "reference-http", "--only", cases, "--profile",
                                     profile, "--splits", "0", "--recuts", "0"},
                                    with_targets_in(folder));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(last_line(run.out).starts_with("splitproof: CONFORMS  1 recording, ")) << run.out;
  }
}

// Its frames are binary. Only the profile's knob makes an answer complete that ends with credits alone.
TEST(Target, ReferencesServerSpeaksToKiro) {
  const Folder folder;
  const std::string kiro = "kiro.eventstream";
  const std::string speaks = "splitproof-proxy, --upstream-protocol, " + kiro;
  const std::string plays =
      proxy_file(folder, "kiro", "{upstream}", "splitproof-proxy, --profile, kiro-go", kiro);
  const std::string plain = proxy_file(folder, "plain", "{upstream}", speaks, kiro);
  const auto run = [&](const std::string& target, const std::string& recordings) {
    return splitproof({"run", "--target", target, "--profile", "kiro-go", "--splits", "0", "--recuts", "0",
                       "--only", kiro + "/" + recordings + "?*gen=[rw]*"},
                      with_targets_in(folder));
  };
  for (const std::string recordings :
       {"markup-t*", "t*-plain", "end-[bm]*", "metering-*", "error-exception-*"}) {
    const Finished finished = run(plays, recordings);
    EXPECT_EQ(finished.code, 0) << finished.err << finished.out;
    EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: CONFORMS  ")) << finished.out;
    EXPECT_EQ(finished.out.find("CONFORMS  1 recording,"), std::string::npos) << finished.out;
  }
  const Finished finished = run(plain, "end-metering-only");
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_NE(finished.out.find("END-13"), std::string::npos) << finished.out;
}

// Behind HTTP an answer follows its request: streamed or not, with token counts or not.
TEST(Target, ReferencesServerConformsOnTheRequestsOfAllPairs) {
  const Folder folder;
  folder.put("asked/plain.req.json", R"({"client": "openai.chat", "title": "Without a word on streams",
    "body": {"model": "m", "messages": [{"role": "user", "content": "When is high tide in Leith?"}]}})");
  struct NormalisedAnswer {
    std::string protocol, path,
        base;  // path of clients, and the part of an upstream's address before its own path
  };
  const std::vector<NormalisedAnswer> sides = {{"anthropic.messages", "/v1/messages", ""},
                                               {"openai.chat", "/v1/chat/completions", "/v1"},
                                               {"openai.responses", "/v1/responses", "/v1"}};
  for (const NormalisedAnswer& client : sides) {
    for (const NormalisedAnswer& upstream : sides) {
      SCOPED_TRACE(client.protocol + " from " + upstream.protocol);
      const std::string target = folder.put(
          "pair.yaml",
          "target: pair\nkind: http\nclient: " + client.protocol + "\nupstream: " + upstream.protocol +
              "\ncommand: [splitproof-proxy, --upstream-protocol, " + upstream.protocol +
              ", --listen, \"127.0.0.1:{port}\", --upstream, \"{upstream}" + upstream.base +
              "\", --seed, \"1\"]\nenv: {HOME: \"{home}\"}\nlisten: \"http://127.0.0.1:{port}\"\n" +
              "request: {path: " + client.path + ", model: m, headers: {authorization: Bearer key}}\n" +
              "ready: {path: /health, within: 5s}\nmax_concurrency: 4\n");
      const Finished run =
          splitproof({"run", "--target", target, "--only", "requests/*"}, with_targets_in(folder));
      EXPECT_EQ(run.code, 0) << run.err << run.out;
      if (client.protocol != "openai.chat") continue;
      const Finished own =
          splitproof({"run", "--target", target, "--corpus", folder.at("asked")}, with_targets_in(folder));
      EXPECT_EQ(own.code, 0) << own.err << own.out;
      EXPECT_NE(own.out.find("CONFORMS  1 recording, 1 case"), std::string::npos) << own.out;
    }
  }
}

TEST(Target, NamedByItsFileIsRunAndReproduced) {
  const Folder folder;
  const std::string file = proxy_file(folder, "own-proxy");
  const Finished run = splitproof({"run", "--target", file, "--target", "reference", "--only",
                                   kPlain + "*gen=[rw]*", "--report", "jsonl:" + folder.at("report.jsonl"),
                                   "--splits", "0", "--recuts", "0", "--contracts", folder.at("rules")},
                                  with_targets_in(folder));
  EXPECT_EQ(run.code, 2) << "there are no such contracts";

  folder.put(
      "rules/own.yaml",
      "contract: anthropic.messages.downstream\nversion: 1\nevents: {start: {/type: message_start}}\n"
      "obligations:\n  - {id: OWN-01, level: must, says: Nothing starts., why: A test., seen: [], never: start}\n");
  const Finished failing =
      splitproof({"run", "--target", file, "--target", "reference", "--only", kPlain + "*gen=[rw]*",
                  "--report", "jsonl:" + folder.at("report.jsonl"), "--splits", "0", "--recuts", "0",
                  "--contracts", folder.at("rules")},
                 with_targets_in(folder));
  EXPECT_EQ(failing.code, 1) << failing.err;
  const std::vector<std::string> lines = lines_of(folder.text("report.jsonl"));
  EXPECT_EQ(json::parse(lines.front())["targets"], (std::vector<std::string>{"own-proxy", "reference"}));
  std::size_t violated = 0;
  for (const std::string& line : lines) {
    const json row = json::parse(line);
    if (row.value("verdict", "") != "violated") continue;
    ++violated;
    EXPECT_EQ(row["obligation"], "OWN-01");
    const std::string target = row["target"] == "reference" ? "reference" : file;
    EXPECT_NE(row["reproduce"].get<std::string>().find(" --target " + target), std::string::npos)
        << row["reproduce"];
  }
  EXPECT_EQ(violated, 2U);
  const Finished replayed =
      splitproof({"replay", kPlain + "?gen=withheld", "--target", file}, with_targets_in(folder));
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_NE(replayed.out.find("status 200"), std::string::npos);
}

// Code scanning refuses absolute paths, and paths that leave the source.
TEST(Target, IsPlacedBelowTheRootOfTheSourceHoweverItIsNamed) {
  const Folder folder;
  const std::string inside = proxy_file(folder, "source/part/own-proxy");
  const std::string outside = proxy_file(folder, "own-proxy");
  folder.put("rules/own.yaml",
             "contract: anthropic.messages.downstream\nversion: 1\nevents: {start: {/type: message_start}}\n"
             "obligations:\n  - {id: OWN-01, level: must, says: S., why: W., seen: [], never: start}\n");
  const auto place_of = [&](const std::string& target, const std::string& working) {
    Start start = with_targets_in(folder);
    start.folder = folder.at(working);
    const Finished run =
        splitproof({"run", "--target", target, "--only", kPlain + "*gen=whole", "--contracts",
                    folder.at("rules"), "--report", "sarif:" + folder.at("log.sarif"), "--report",
                    "github:" + folder.at("lines.txt"), "--all"},
                   start);
    EXPECT_EQ(run.code, 1) << run.err;
    const json artifact = json::parse(folder.text(
        "log.sarif"))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    const std::string uri = artifact["uri"];
    const bool is_of_source = artifact.value("uriBaseId", "") == "%SRCROOT%";
    EXPECT_EQ(folder.text("lines.txt").find("::error file=" + uri + ",line=1,") == 0, is_of_source)
        << folder.text("lines.txt");
    return is_of_source ? uri : "name " + uri;
  };
  // Without a repository the source is the working directory.
  EXPECT_EQ(place_of(inside, "source"), "part/own-proxy.yaml");
  EXPECT_EQ(place_of(inside, "source/part"), "own-proxy.yaml");
  EXPECT_EQ(place_of(outside, "source"), "name own-proxy");
  EXPECT_EQ(place_of("../own-proxy.yaml", "source"), "name own-proxy");
  folder.put("source/.git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(place_of(inside, "source"), "part/own-proxy.yaml");
  EXPECT_EQ(place_of(inside, "source/part"), "part/own-proxy.yaml");
  EXPECT_EQ(place_of("./own-proxy.yaml", "source/part"), "part/own-proxy.yaml");
  EXPECT_EQ(place_of("../part/own-proxy.yaml", "source/part"), "part/own-proxy.yaml");
  EXPECT_EQ(place_of(outside, "source/part"), "name own-proxy");
}

TEST(Target, UntestedTargetIsExitCodeFour) {
  const Folder folder;
  const std::string missing = proxy_file(folder, "missing", "{upstream}/v1", "no-such-program-anywhere");
  const std::string deaf = proxy_file(folder, "deaf", "http://127.0.0.1:9/v1");
  for (const std::string& target : {missing, deaf}) {
    SCOPED_TRACE(target);
    const Finished run =
        splitproof({"run", "--target", target, "--only", kPlain + "*gen=whole"}, with_targets_in(folder));
    EXPECT_EQ(run.code, 4) << run.out << run.err;
    EXPECT_FALSE(run.err.empty());
    EXPECT_EQ(run.out.find("CONFORMS"), std::string::npos);
    EXPECT_EQ(splitproof({"replay", kPlain, "--target", target}, with_targets_in(folder)).code, 4);
  }
  // The others still run.
  const Finished both =
      splitproof({"run", "--target", missing, "--target", "reference", "--only", kPlain + "*gen=whole"},
                 with_targets_in(folder));
  EXPECT_EQ(both.code, 4) << both.err;
  EXPECT_NE(last_line(both.out).find("VIOLATES  1 recording, "), std::string::npos) << both.out;
  EXPECT_NE(last_line(both.out).find("1 target not available"), std::string::npos) << both.out;
}

// The file does not pass the profile to the proxy, which continues without signatures.
TEST(Target, CauseNamesTheKnobThatWouldAcceptIt) {
  const Folder folder;
  const std::string file = proxy_file(folder, "own-proxy");
  const auto run = [&](const std::string& knobs) {
    const std::string profile =
        folder.put("own.yaml", "profile: own\nextends: default\nknobs: {" + knobs + "}\n");
    const Finished finished =
        splitproof({"run", "--target", file, "--only", "openai.chat/thinking-then-text*gen=whole",
                    "--profile", profile, "--report", "jsonl:" + folder.at("report.jsonl")},
                   with_targets_in(folder));
    EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
    return finished.out;
  };
  const std::string out = run("signature: required");
  EXPECT_NE(out.find("\n  knobs     signature; a profile with signature: optional accepts this answer\n"),
            std::string::npos)
      << out;
  EXPECT_NE(folder.text("report.jsonl").find(R"("accepted_by":["signature: optional"])"), std::string::npos);
}

// If no selected recording fits a target's upstream, splitproof reports it and names the fix.
TEST(Target, MissingRecordingsOfItsUpstreamHaveAReason) {
  const Folder folder;
  const std::string file = proxy_file(folder, "own-proxy");
  folder.put("other.yaml", folder.text(file).replace(folder.text(file).find("upstream: openai.chat"), 21,
                                                     "upstream: openai.responses"));
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "run");
    return splitproof(more, with_targets_in(folder));
  };
  const std::vector<std::string> chat{"--only", kPlain + "*gen=whole"};
  const Finished alone = run({"--target", folder.at("other.yaml"), chat[0], chat[1]});
  EXPECT_EQ(alone.code, 5) << alone.err;
  for (const std::string& part :
       {std::string("target own-proxy cannot run: its upstream speaks openai.responses"),
        std::string("the 1 recording selected is of openai.chat; select others with --only or --corpus"),
        "correct 'upstream:' in " + folder.at("other.yaml")})
    EXPECT_NE(alone.err.find(part), std::string::npos) << part << "\n" << alone.err;
  EXPECT_EQ(lines_of(alone.err).size(), 1U) << alone.err;
  EXPECT_EQ(alone.out, "");
  // The others still run.
  const Finished both = run({"--target", folder.at("other.yaml"), "--target", "reference", chat[0], chat[1]});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.err.find("target own-proxy cannot run"), std::string::npos) << both.err;
  EXPECT_TRUE(last_line(both.out).starts_with("splitproof: CONFORMS  1 recording, ")) << both.out;
  // The reference reads the protocol of --upstream.
  const Finished reference = run({"--only", "o*/text-multibyte*gen=whole", "--upstream", "kiro.eventstream"});
  EXPECT_EQ(reference.code, 5);
  EXPECT_NE(reference.err.find("its upstream speaks kiro.eventstream, and the "), std::string::npos)
      << reference.err;
  EXPECT_NE(reference.err.find("or add --upstream o"), std::string::npos) << reference.err;
  EXPECT_NE(run({"--only", "nothing/at-all"}).err.find("no case matches --only 'nothing/at-all'"),
            std::string::npos);
}

TEST(Target, MistakesAreReportedBeforeTheRun) {
  const Folder folder;
  const std::string broken = folder.put("broken.yaml", "target: broken\nkind: nonsense\n");
  const std::string good = proxy_file(folder, "good");
  const Finished kind = splitproof({"run", "--target", broken});
  EXPECT_EQ(kind.code, 2);
  EXPECT_NE(kind.err.find("broken.yaml:2"), std::string::npos) << kind.err;
  EXPECT_EQ(splitproof({"run", "--target", folder.at("nowhere.yaml")}).code, 2);
  EXPECT_EQ(splitproof({"run", "--target", good, "--target", good}).code, 2);
  EXPECT_EQ(splitproof({"run", "--target", "nobody"}).code, 2);
}

TEST(Target, CannotNamesFeaturesThatThereAre) {
  const Folder folder;
  const std::string file = proxy_file(folder, "own-proxy");
  const std::string text = folder.text(file);
  const auto run = [&](const std::string& cannot, const std::vector<std::string>& more = {}) {
    folder.put("own-proxy.yaml", text + "cannot: " + cannot + "\n");
    std::vector<std::string> words{"run", "--target", file, "--only", kPlain + "*gen=whole"};
    words.insert(words.end(), more.begin(), more.end());
    return splitproof(words, with_targets_in(folder));
  };
  const Finished typo = run("[thinking,\n  thinkin]");
  EXPECT_EQ(typo.code, 2) << typo.err;
  EXPECT_NE(typo.err.find("own-proxy.yaml:13: no recording has the feature 'thinkin'"), std::string::npos)
      << typo.err;
  // A shape of the harness, of a recording, and of the answer: `cannot` leaves nothing of this recording out.
  const Finished known = run("[half_alone, multibyte, call_cut_off]");
  EXPECT_EQ(known.code, 0) << known.err;
  folder.put(
      "own/one.rec.jsonl",
      "{\"splitproof\":1,\"protocol\":\"openai.chat\",\"response\":{\"status\":200},\"features\":[\"ours\"]}\n"
      "{\"at\":0,\"text\":\"data: [DONE]\\n\\n\"}\n{\"at\":0,\"end\":\"complete\"}\n");
  EXPECT_EQ(run("ours").code, 2);
  EXPECT_EQ(run("ours", {"--corpus", folder.at("own")}).code, 5)
      << "it is not claimed, and there is nothing else";
}

TEST(Target, ListHasKindAndProtocolsOfTheReference) {
  const Finished list = splitproof({"list", "targets"});
  EXPECT_EQ(list.code, 0) << list.err;
  const std::string first = lines_of(list.out).front();
  for (const char* word : {"reference ", "in-process", "anthropic.messages <- openai.chat"})
    EXPECT_NE(first.find(word), std::string::npos) << first;
}

}  // namespace
}  // namespace splitproof::cli::target_test
