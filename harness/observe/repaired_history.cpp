#include "harness/observe/repaired_history.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace splitproof::observe {
namespace {

using Id = std::optional<std::string>;

std::vector<Id> ids_of(const AskedRequest& asked, AskedKind kind) {
  std::vector<Id> ids;
  for (const AskedTurn& turn : asked.turns) {
    for (const AskedBlock& block : turn.blocks)
      if (block.kind == kind) ids.push_back(block.id);
  }
  return ids;
}

bool is_among(const std::vector<Id>& ids, const Id& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void erase_blocks(AskedRequest& asked, const std::function<bool(const AskedBlock&)>& is_to_go) {
  for (AskedTurn& turn : asked.turns) std::erase_if(turn.blocks, is_to_go);
}

}  // namespace

std::pair<AskedRequest, AskedRequest> without_mending(const AskedRequest& asked, const AskedRequest& got) {
  std::pair<AskedRequest, AskedRequest> both = {asked, got};
  const std::vector<Id> calls = ids_of(asked, AskedKind::call);
  const std::vector<Id> results = ids_of(asked, AskedKind::result);
  const std::vector<Id> sent_calls = ids_of(got, AskedKind::call);
  const std::vector<Id> sent_results = ids_of(got, AskedKind::result);
  const auto is_unanswered = [&](const Id& id) { return id && !is_among(results, id); };
  const auto unanswered = std::count_if(calls.begin(), calls.end(), is_unanswered);
  if (unanswered > 0 && sent_calls.size() == calls.size()) {
    std::set<Id> made_up;  // calls may have other ids upstream
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (is_unanswered(calls[i])) made_up.insert(sent_calls[i]);
    erase_blocks(both.second, [&made_up](const AskedBlock& block) {
      return block.kind == AskedKind::result && made_up.contains(block.id);
    });
  } else if (unanswered > 0 && sent_calls.size() + static_cast<std::size_t>(unanswered) == calls.size()) {
    erase_blocks(both.first, [&is_unanswered](const AskedBlock& block) {
      return block.kind == AskedKind::call && is_unanswered(block.id);
    });
  }
  const auto has_no_call = [](const std::vector<Id>& known) {
    return [&known](const Id& id) { return !is_among(known, id); };
  };
  const bool sends_orphans = std::any_of(sent_results.begin(), sent_results.end(), has_no_call(sent_calls));
  if (!asked.stateful && !sends_orphans) {
    erase_blocks(both.first, [&calls](const AskedBlock& block) {
      return block.kind == AskedKind::result && !is_among(calls, block.id);
    });
  }
  return both;
}

}  // namespace splitproof::observe
