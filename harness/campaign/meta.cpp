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
        "A client assembles the same message from a recording under every split of it: blocks, joined "
        "deltas, stop_reason, usage.";
    same_meaning.why = "A client that gets another text, another call or another ending acts on it.";

    for (contract::Obligation* obligation : {&same_bytes, &same_meaning}) {
      obligation->contract = "meta";
      obligation->form = "comparison";
    }
    return std::vector{same_bytes, same_meaning};
  }();
  return obligations;
}

const contract::Obligation& meta_obligation(std::string_view id) {
  const auto& all = meta_obligations();
  return *std::find_if(all.begin(), all.end(),
                       [&](const contract::Obligation& meta) { return meta.id == id; });
}

}  // namespace splitproof::campaign
