// Relays within one protocol, behind a pipe and in a library. A relay of every byte conforms, even for broken
// upstreams. Also tests the verdicts for a protocol that no reader of upstreams knows.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::relay_target_test {
namespace {

constexpr const char* kChat = "openai.chat";
constexpr const char* kMessages = "anthropic.messages";

// Relays its input at once or at the end, and ends its message with or without an error: as the upstream does, always,
// or never.
constexpr const char* kRelay = R"(
import json, sys
when, cuts = sys.argv[1:]
held = []
for line in sys.stdin:
    told = json.loads(line)
    words = []
    if "open" in told: held = []
    if "feed" in told: (held if when == "late" else words).append({"out": told["feed"]})
    if "end" in told:
        words += held
        if cuts == "always" or (cuts == "too" and told["end"] != "complete"): words.append({"cut": True})
    for word in words + [{"ack": True}]: print(json.dumps(word))
    sys.stdout.flush()
)";

bool mentions(const Finished& finished, const std::string& text) {
  return finished.out.find(text) != std::string::npos;
}

class RelayTarget : public testing::Test {
 protected:
  std::string target(const std::string& protocol, const std::string& rest) const {
    const std::string name = "relay-" + std::to_string(++targets_) + ".yaml";
    return folder_.put(name, "target: relay\nclient: " + protocol + "\nupstream: " + protocol + "\n" +
                                 "max_concurrency: 2\n" + rest);
  }

  std::string pipe(const std::string& protocol, const std::string& manners) const {
    folder_.put("relay.py", kRelay);
    return target(protocol, "kind: pipe\ncommand: [python3, relay.py, " + manners + "]\n");
  }

  std::string library(const std::string& variant, const std::string& protocol = kChat) const {
    const char* path = std::getenv("SPLITPROOF_ODD_LIBRARY");
    return target(protocol, "kind: in-process\nlibrary: " + std::string(path != nullptr ? path : "odd.so") +
                                "\nvariant: " + variant + "\n");
  }

  Finished run(const std::string& target, std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", "--all", "--target", target});
    return splitproof(options);
  }

  // Returns a corpus of one recording of Anthropic Messages.
  std::string messages() const {
    const std::string stream = (source_root() / "contracts" / "falsifiers" / "of-text-plain.sse").string();
    const Finished imported =
        splitproof({"import", "sse", stream, "--protocol", kMessages, "--out", folder_.at("corpus")});
    EXPECT_EQ(imported.code, 0) << imported.err;
    return folder_.at("corpus");
  }

  static bool has_python() { return std::system("python3 -c '' 2>/dev/null") == 0; }

  const Folder folder_;

 private:
  mutable int targets_ = 0;
};

const std::vector<std::string> kBroken = {"--faults", "--only", "openai.chat/text-plain"};
const std::vector<std::string> kWhole = {"--only", "openai.chat/text-plain?client=openai.chat&gen=*"};

TEST_F(RelayTarget, RelayOfEveryByteConformsIfTheUpstreamBreaksOff) {
  if (!has_python()) GTEST_SKIP() << "python3 is not installed";
  for (const std::string& target : {pipe(kChat, "early, too"), library("relay")}) {
    const Finished finished = run(target, kBroken);
    EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
    EXPECT_TRUE(mentions(finished, "splitproof: CONFORMS  1 recording")) << finished.out;
  }
}

// Tries a few cases of every recording, with a recut and a fault.
TEST_F(RelayTarget, RelayOfEveryRecordingConformsInEachProtocol) {
  for (const std::string protocol : {kChat, kMessages, "openai.responses"}) {
    const auto few = [&](const char* variant, const std::string& recording) {
      return run(library(variant, protocol),
                 {"--quick", "--faults", "--recuts", "8", "--only", protocol + recording});
    };
    const Finished finished = few("relay", "/*");
    EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
    EXPECT_TRUE(mentions(finished, "splitproof: CONFORMS")) << finished.out;
    EXPECT_EQ(few("cutter", "/text-plain").code, 1) << protocol << ": a stream that always breaks off";
  }
}

// If only the last event's blank line was cut off, a relay may add it. That completes the answer with all its faults.
TEST(Reference, MayEndAnAnswerThatLacksNothingButItsBlankLine) {
  for (const char* recording : {"text-only-at-the-end", "tool-item-id-drift"}) {
    const Finished finished = splitproof({"run", "--target", "reference", "--upstream", "openai.responses",
                                          "--client", "openai.responses", "--faults", "--only",
                                          "openai.responses/" + std::string(recording) + "?*fault=[cr]*"});
    EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
    EXPECT_TRUE(mentions(finished, "passed on")) << finished.out;
  }
}

// The reference does not claim what it refuses: content that Kiro cannot carry, unless the profile makes the reference
// apply it.
TEST(Reference, ImpossibleRequestsAreNotSent) {
  const std::vector<std::string> texts = {"run",
                                          "--target",
                                          "reference",
                                          "--client",
                                          "openai.chat",
                                          "--upstream",
                                          "kiro.eventstream",
                                          "--only",
                                          "kiro.eventstream/text-*gen=whole"};
  const Finished refuses = splitproof(texts);
  EXPECT_EQ(refuses.code, 0) << refuses.out << refuses.err;
  EXPECT_TRUE(mentions(refuses, ", 1 recording not claimed")) << refuses.out;
  std::vector<std::string> cutting = texts;
  cutting.insert(cutting.end(), {"--profile", "kiro-go"});
  const Finished cuts = splitproof(cutting);
  EXPECT_EQ(cuts.code, 0) << cuts.out << cuts.err;
  EXPECT_FALSE(mentions(cuts, "not claimed")) << cuts.out;
}

// Content after the upstream's end does not exist for a translator, but it does for a relay.
TEST_F(RelayTarget, RelayOfContentAfterTheEndConforms) {
  if (!has_python()) GTEST_SKIP() << "python3 is not installed";
  for (const char* recording : {"done-before-usage", "done-then-more", "error-after-text"}) {
    const Finished finished =
        run(pipe(kChat, "early, too"), {"--only", "openai.chat/" + std::string(recording), "--splits", "2"});
    EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  }
}

TEST_F(RelayTarget, ReportOfABrokenMessageIsBelieved) {
  if (!has_python()) GTEST_SKIP() << "python3 is not installed";
  for (const std::string& target : {pipe(kChat, "early, always"), library("cutter")}) {
    const Finished finished = run(target, kWhole);
    EXPECT_EQ(finished.code, 1) << finished.err;
    EXPECT_TRUE(mentions(finished, "[CHT-16, must]")) << finished.out;
  }
  const Finished never =
      run(pipe(kChat, "early, never"), {"--faults", "--only", "openai.chat/text-plain?*fault=close@500"});
  EXPECT_EQ(never.code, 1) << never.err;
  EXPECT_TRUE(mentions(never, "[CHT-16, must]")) << never.out;
}

// Returns the lines of a summary from a heading to the next.
std::string section(const Finished& finished, const std::string& heading) {
  const std::size_t begin = finished.out.find("\n" + heading);
  if (begin == std::string::npos) return "";
  std::size_t end = finished.out.find('\n', begin + 1);
  while (finished.out.compare(end, 3, "\n  ") == 0) end = finished.out.find('\n', end + 1);
  return finished.out.substr(begin, end - begin);
}

TEST_F(RelayTarget, UnchangedMessagesConformAndMeaningIsJudged) {
  if (!has_python()) GTEST_SKIP() << "python3 is not installed";
  const Finished finished =
      run(pipe(kMessages, "early, too"), {"--corpus", messages(), "--faults", "--recuts", "8", "--verbose"});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  const std::string unjudged = section(finished, "not judged");
  EXPECT_EQ(unjudged,
            "\nnot judged     CONN-01 CONN-02 CONN-03 CONN-04\n               "
            "(only a target over HTTP has its own connections to an upstream)");
  const std::string left = section(finished, "not exercised");
  for (const char* id : {"META-03", "META-04", "META-05", "SSE-15", "UPS-01", "ANT-20"})
    EXPECT_EQ(left.find(id), std::string::npos) << id << left;
  // A broken stream that is relayed unchanged is no evidence about the relay.
  for (const char* id : {"END-01", "END-03"}) EXPECT_NE(left.find(id), std::string::npos) << id << left;
}

TEST_F(RelayTarget, RelayThatHoldsMessagesToTheEndDoesNotConform) {
  if (!has_python()) GTEST_SKIP() << "python3 is not installed";
  const Finished finished = run(pipe(kMessages, "late, too"), {"--corpus", messages(), "--recuts", "8"});
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  EXPECT_TRUE(mentions(finished, "[SSE-15, must]")) << finished.out;
  EXPECT_TRUE(mentions(finished, ", 1 finding")) << finished.out;
}

TEST_F(RelayTarget, MessagesWithoutTheUpstreamsTruncationDoNotConform) {
  if (!has_python()) GTEST_SKIP() << "python3 is not installed";
  const Finished finished = run(pipe(kMessages, "early, never"), {"--corpus", messages(), "--faults"});
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  EXPECT_TRUE(mentions(finished, "[END-01, must]")) << finished.out;
}

}  // namespace
}  // namespace splitproof::cli::relay_target_test
