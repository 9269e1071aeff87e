#include "harness/campaign/mishaps.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/meta.hpp"

namespace splitproof::campaign {

using results::RecordingResult;
using results::Reproducer;
using results::Row;
namespace {

using testee::Ending;
using testee::UnattributedFailure;

constexpr std::size_t kShownWays = 3;

struct MishapKind {
  Ending ending;
  std::string_view obligation;
  const char* did;
};
constexpr MishapKind kKinds[] = {{Ending::crashed, kCrashed, "crashed"},
                                 {Ending::hung, kHung, "hung"},
                                 {Ending::garbage, kGarbage, "sent garbage"}};

const MishapKind& kind_of(const UnattributedFailure& mishap) {
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const MishapKind& one) { return one.ending == mishap.ending; });
  return kind == std::end(kKinds) ? kKinds[0] : *kind;
}

// "the target crashed 3 times (exit code 3, signal 9 (Killed)), first in CASE"
std::string told(const MishapKind& kind, const std::vector<const UnattributedFailure*>& all) {
  std::string text = "the target " + std::string(kind.did) + " " +
                     (all.size() == 1 ? "once" : std::to_string(all.size()) + " times");
  std::vector<std::string> ways;
  for (const UnattributedFailure* one : all) {
    if (!one->how.empty() && std::find(ways.begin(), ways.end(), one->how) == ways.end())
      ways.push_back(one->how);
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(ways.size(), kShownWays); ++i) list += (i > 0 ? ", " : "") + ways[i];
  if (ways.size() > kShownWays) list += ", ...";
  if (!list.empty()) text += " (" + list + ")";
  if (const std::string& first = all.front()->exchange; !first.empty())
    text += (all.size() == 1 ? ", in " : ", first in ") + first;
  const auto last =
      std::find_if(all.begin(), all.end(), [](const UnattributedFailure* one) { return !one->said.empty(); });
  if (last != all.end()) text += "; its last output: " + (*last)->said;
  return text;
}

Row* row_of(RecordingResult& result, std::string_view obligation) {
  const auto row = std::find_if(result.rows.begin(), result.rows.end(),
                                [&](const Row& one) { return one.rule == obligation; });
  return row == result.rows.end() ? nullptr : &*row;
}

void violate(Row& row, const std::string& case_id, const std::string& message) {
  if (row.first) {
    row.first->message += "; besides, " + message;
    return;
  }
  row.verdict = contract::Verdict::violated;
  row.reason.clear();
  row.violating = 1;
  Reproducer first;
  first.case_id = case_id;
  first.alone = false;
  first.fault = !parse_case(case_id);
  first.message = message;
  row.first = std::move(first);
}

}  // namespace

std::vector<contract::Judged> judge_mishaps(const std::vector<UnattributedFailure>& mishaps) {
  std::vector<contract::Judged> violated;
  for (const MishapKind& kind : kKinds) {
    std::vector<const UnattributedFailure*> all;
    for (const UnattributedFailure& one : mishaps)
      if (&kind_of(one) == &kind) all.push_back(&one);
    if (all.empty()) continue;
    contract::Judged& judged = violated.emplace_back();
    judged.obligation = &meta_obligation(kind.obligation);
    judged.verdict = contract::Verdict::violated;
    judged.found = judged.violation.found = judged.message = told(kind, all);
  }
  return violated;
}

void add_mishaps(std::vector<RecordingResult>& results, const std::string& target,
                 const std::vector<UnattributedFailure>& mishaps) {
  for (const contract::Judged& judged : judge_mishaps(mishaps)) {
    const UnattributedFailure& shown = *std::find_if(
        mishaps.begin(), mishaps.end(),
        [&](const UnattributedFailure& one) { return kind_of(one).obligation == judged.obligation->id; });
    const auto id = parse_case(shown.exchange);
    Row* place = nullptr;
    std::pair<bool, bool> place_rank;
    for (RecordingResult& result : results) {
      if (result.target != target) continue;
      Row* row = row_of(result, judged.obligation->id);
      if (row == nullptr) continue;
      const std::pair rank(row->first.has_value(), !id || result.recording.id != id->recording);
      if (place != nullptr && place_rank <= rank) continue;
      place = row;
      place_rank = rank;
    }
    if (place != nullptr) violate(*place, shown.exchange, judged.message);
  }
}

}  // namespace splitproof::campaign
