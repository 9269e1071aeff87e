// Relays within Anthropic Messages with one fault each. Each is found under the rule that exists for it. A relay that
// takes events apart and rebuilds them without a fault is not found.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::sabotaged_relay_test {
namespace {

// Reads whole events, and relays each with its own fault.
constexpr const char* kRelay = R"(
import base64, codecs, json, sys
wrong = sys.argv[1]

def words(event):
    kind, block, delta = event["type"], event.get("content_block", {}), event.get("delta", {})
    if wrong == "lose-citation" and delta.get("type") == "citations_delta": return []
    if wrong == "lose-signature" and delta.get("type") == "signature_delta": return []
    if wrong == "lose-last-piece" and delta.get("text") == " at nine.": return []
    if wrong == "lose-first-arguments" and delta.get("partial_json", "").startswith("{"): return []
    if wrong == "lose-redacted" and event.get("index") == 0: return []
    if wrong == "lose-redacted" and "index" in event: event["index"] -= 1
    if wrong == "gap" and event.get("index", 0) > 0: event["index"] += 1
    if wrong == "from-one" and "index" in event: event["index"] += 1
    if wrong == "stop-twice" and kind == "message_stop": return [event, event]
    if wrong == "never-stop" and kind == "message_stop": return []
    if wrong == "open-block" and kind == "content_block_stop": return []
    if wrong == "rename" and block.get("name"): block["name"] = "other_" + block["name"]
    if wrong == "new-ids" and block.get("id"): block["id"] = "toolu_made_up"
    if wrong == "end-turn" and delta.get("stop_reason"): delta["stop_reason"] = "end_turn"
    if wrong == "count-twice" and "cache_read_input_tokens" in event.get("usage", {}):
        event["usage"]["input_tokens"] += event["usage"]["cache_read_input_tokens"]
    if wrong == "thinking-as-text":
        if block.get("type") == "thinking": event["content_block"] = {"type": "text", "text": ""}
        if delta.get("type") == "thinking_delta": event["delta"] = {"type": "text_delta", "text": delta["thinking"]}
        if delta.get("type") == "signature_delta": return []
    if wrong == "error-as-end" and kind == "error":
        return [{"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                 "usage": {"output_tokens": 2}}, {"type": "message_stop"}]
    if wrong == "swap" and "index" in event:
        event["index"] = 1 - event["index"]
        held.append(event)
        if len(held) < total: return []
        out = [e for e in held if e["index"] == 0] + [e for e in held if e["index"] == 1]
        held.clear()
        return out
    return [event]

def write(event):
    named = "" if wrong == "no-names" else "event: " + event["type"] + "\n"
    return named + "data: " + json.dumps(event, separators=(",", ":")) + "\n\n"

held, text, total = [], "", 7
reader = codecs.getincrementaldecoder("utf-8")
for line in sys.stdin:
    told, out = json.loads(line), ""
    if "open" in told: held, text, decode = [], "", reader().decode
    if "feed" in told:
        text += decode(base64.b64decode(told["feed"]))
        while "\n\n" in text:
            event, text = text.split("\n\n", 1)
            for word in words(json.loads(event[event.index("data: ") + 6:])): out += write(word)
    if out: print(json.dumps({"out": base64.b64encode(out.encode()).decode()}))
    if "end" in told and told["end"] != "complete" and wrong != "hide-cut": print(json.dumps({"cut": True}))
    print(json.dumps({"ack": True}))
    sys.stdout.flush()
)";

struct Sabotage {
  const char* wrong;
  const char* recording;
  const char* id;  ///< of the rule that finds it
};

class SabotagedRelay : public testing::TestWithParam<Sabotage> {
 protected:
  void SetUp() override {
    if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  }

  Finished run(const std::string& wrong, const std::string& recording) const {
    folder_.put("relay.py", kRelay);
    const std::string target =
        folder_.put("relay.yaml",
                    "target: relay\nkind: pipe\nclient: anthropic.messages\nupstream: anthropic.messages\n"
                    "at_once: 2\ncommand: [python3, relay.py, " +
                        wrong + "]\n");
    return splitproof({"run", "--target", target, "--corpus", (source_root() / "corpus").string(), "--only",
                       "anthropic.messages/" + recording, "--splits", "2", "--all"});
  }

  const Folder folder_;
};

TEST_P(SabotagedRelay, IsFound) {
  const Finished finished = run(GetParam().wrong, GetParam().recording);
  EXPECT_EQ(finished.code, 1) << finished.out << finished.err;
  EXPECT_NE(finished.out.find(GetParam().id + std::string("  must")), std::string::npos) << finished.out;
}

INSTANTIATE_TEST_SUITE_P(EachUnderItsRule, SabotagedRelay,
                         testing::Values(Sabotage{"lose-last-piece", "text-plain", "ANT-20"},
                                         Sabotage{"swap", "tool-after-text", "ANT-21"},
                                         Sabotage{"lose-citation", "citation-behind-text", "ANT-23"},
                                         Sabotage{"lose-redacted", "thinking-redacted", "ANT-23"},
                                         Sabotage{"lose-signature", "thinking-then-text", "THK-06"},
                                         Sabotage{"thinking-as-text", "thinking-then-text", "THK-01"},
                                         Sabotage{"lose-first-arguments", "tool-parallel", "TOOL-08"},
                                         Sabotage{"rename", "tool-plain", "TOOL-18"},
                                         Sabotage{"new-ids", "tool-plain", "TOOL-03"},
                                         Sabotage{"gap", "tool-parallel", "ANT-09"},
                                         Sabotage{"from-one", "text-plain", "ANT-09"},
                                         Sabotage{"stop-twice", "text-plain", "ANT-02"},
                                         Sabotage{"never-stop", "text-plain", "ANT-02"},
                                         Sabotage{"open-block", "text-several-blocks", "ANT-06"},
                                         Sabotage{"end-turn", "finish-max-tokens", "STOP-02"},
                                         Sabotage{"error-as-end", "error-after-text", "END-05"},
                                         Sabotage{"hide-cut", "end-inside-text", "END-01"},
                                         Sabotage{"count-twice", "usage-cached", "USE-05"},
                                         Sabotage{"no-names", "text-plain", "SSE-07"}),
                         [](const auto& info) {
                           std::string name = info.param.wrong;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST_F(SabotagedRelay, ThatIsNotWrongConforms) {
  for (const char* recording : {"tool-parallel*", "thinking-s*", "citation-*", "error-after-text"}) {
    const Finished finished = run("nothing", recording);
    EXPECT_EQ(finished.code, 0) << recording << finished.out << finished.err;
  }
}

}  // namespace
}  // namespace splitproof::cli::sabotaged_relay_test
