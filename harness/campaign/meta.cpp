#include "harness/campaign/meta.hpp"

#include <algorithm>

namespace splitproof::campaign {

const std::vector<contract::Obligation>& meta_obligations() {
  static const std::vector<contract::Obligation> obligations = [] {
    contract::Obligation same_bytes;
    same_bytes.id = kSameBytes;
    same_bytes.level = contract::Level::must;
    same_bytes.says = "The downstream bytes of a recording are the same under every split of it.";
    same_bytes.why =
        "Output that depends on where the network cut the input comes from state that does: such faults are "
        "seen once, in production, and never again on a developer's machine.";

    contract::Obligation same_meaning = same_bytes;
    same_meaning.id = kSameMeaning;
    same_meaning.says =
        "A client assembles the same message from a recording however it was cut, and however its text was dealt out "
        "over events: blocks, joined deltas, stop_reason, usage.";
    same_meaning.why = "A client that gets another text, another call or another ending acts on it.";

    contract::Obligation at_once = same_bytes;
    at_once.id = kAtOnce;
    at_once.says =
        "What an upstream event says goes out when its last byte has been read, unless the client's protocol forces it "
        "to wait.";
    at_once.why =
        "Held back text is a stream in name only: the person waits, clients and load balancers give up on a silent "
        "connection, and what was held is lost when the upstream breaks off.";
    at_once.seen = {"vercel/ai#19695",      "BerriAI/litellm#29557",        "ggml-org/llama.cpp#20872",
                    "dstackai/dstack#4269", "databricks/unity-gateway#361", "NVIDIA/OpenShell#260",
                    "seaavey/SRouter#104",  "ChronoAIProject/NyxID#1206",   "router-for-me/CLIProxyAPI#593",
                    "BerriAI/litellm#3129", "CopilotKit/aimock#125"};

    for (contract::Obligation* obligation : {&same_bytes, &same_meaning, &at_once}) {
      obligation->contract = "meta";
      obligation->form = "comparison";
    }
    return std::vector{same_bytes, same_meaning, at_once};
  }();
  return obligations;
}

const contract::Obligation& meta_obligation(std::string_view id) {
  const auto& all = meta_obligations();
  return *std::find_if(all.begin(), all.end(),
                       [&](const contract::Obligation& meta) { return meta.id == id; });
}

}  // namespace splitproof::campaign
