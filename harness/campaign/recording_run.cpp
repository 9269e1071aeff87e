#include "harness/campaign/recording_run.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "harness/campaign/case_id.hpp"
#include "harness/campaign/judgement.hpp"
#include "harness/fnv1a.hpp"
#include "harness/split/generator.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr std::size_t kShownBytes = 160;
constexpr std::size_t kCutsInLabel = 8;

// Recognises a body that was seen before. Two hashes and the length: bodies that agree in all three are taken for
// equal.
struct Digest {
  std::size_t size = 0;
  std::size_t first = 0;
  std::uint64_t second = 0;

  bool operator==(const Digest&) const = default;
};

struct DigestHash {
  std::size_t operator()(const Digest& digest) const { return digest.first; }
};

Digest digest_of(std::string_view body) {
  return {body.size(), std::hash<std::string_view>{}(body), fnv1a(body)};
}

// One of the different bodies that a recording's splits led to.
struct Output {
  std::size_t cases = 0;
  const split::Split* shortest = nullptr;  // the first of its splits with fewest cuts
  std::vector<Judged> judged;              // contracts, then META
  std::string body;                        // kept where there is evidence to show
};

std::string shortened(std::string_view text) {
  return std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "..." : "");
}

// A few cuts are named by their offsets: what `gen=seam:I` means changes with the list of seam kinds.
std::string lasting_label(const split::Split& split) {
  const bool few = !split.cuts.empty() && split.cuts.size() <= kCutsInLabel;
  return few ? split::label(split::AtCuts{split.cuts}) : split.label;
}

// A case goes by its plan's name and by the one that reports print.
bool selected(const std::string& only, const split::Split& split, const std::string& recording,
              const std::string& client) {
  return fits(only, {recording, client, split.label}) ||
         fits(only, {recording, client, lasting_label(split)});
}

Verdict joined(Verdict a, Verdict b) {
  for (const Verdict strongest : {Verdict::violated, Verdict::met, Verdict::not_judged}) {
    if (a == strongest || b == strongest) return strongest;
  }
  return Verdict::not_exercised;
}

// Of two splits of one plan: has `a` fewer cuts, or as many and an earlier place?
bool shorter(const split::Split& a, const split::Split& b) {
  return a.cuts.size() != b.cuts.size() ? a.cuts.size() < b.cuts.size() : &a < &b;
}

Row row_of(std::size_t position, const std::vector<Output>& outputs, const std::string& recording,
           const std::string& client) {
  Row row;
  const Judged* shown = nullptr;
  const Output* shown_in = nullptr;
  for (const Output& output : outputs) {
    const Judged& judged = output.judged[position];
    row.obligation = judged.obligation;
    row.cases += output.cases;
    row.verdict = joined(row.verdict, judged.verdict);
    if (judged.verdict != Verdict::violated) continue;
    row.violating += output.cases;
    if (shown != nullptr && !shorter(*output.shortest, *shown_in->shortest)) continue;
    shown = &judged;
    shown_in = &output;
  }
  row.level = row.obligation->level;
  const auto decisive = std::find_if(outputs.begin(), outputs.end(), [&](const Output& output) {
    return output.judged[position].verdict == row.verdict;
  });
  row.reason = decisive->judged[position].reason;
  if (shown == nullptr) return row;
  const std::size_t begin = std::min(shown->begin, shown_in->body.size());
  row.first = Reproducer{to_string({recording, client, lasting_label(*shown_in->shortest)}),
                         shown_in->shortest->cuts,
                         shown->event,
                         shown->begin,
                         shown->end,
                         shortened(std::string_view(shown_in->body).substr(begin, shown->end - begin)),
                         shown->message};
  return row;
}

}  // namespace

std::optional<RecordingResult> run_recording(const Settings& settings, const testee::Testee& testee,
                                             const recording::Recording& recording,
                                             const std::function<bool()>& stop) {
  RecordingResult result;
  result.target = testee.name();
  result.recording = &recording;

  const split::Subject subject = subject_of(recording);
  std::vector<split::Split> splits = split::plan(subject, settings.splits);
  std::erase_if(splits, [&](const split::Split& split) {
    return !selected(settings.only, split, recording.id, testee.client());
  });
  if (splits.empty()) return result;
  result.coverage = split::seam_coverage(subject, splits);

  const Judge judge(*settings.contracts, settings.profile, testee, recording);
  std::vector<Output> outputs;
  std::unordered_map<Digest, std::size_t, DigestHash> seen;
  for (const split::Split& split : splits) {
    if (stop()) return std::nullopt;
    testee::Observation observation =
        testee.observe({split::chunks(recording.body, split.cuts), recording.end});
    ++result.cases;
    const auto [known, is_new] = seen.try_emplace(digest_of(observation.body), outputs.size());
    if (is_new) {
      Output output;
      output.judged = judge.judge(observation.body, judge.trace_of(observation.body));
      const bool violated = std::any_of(output.judged.begin(), output.judged.end(), [](const Judged& judged) {
        return judged.verdict == Verdict::violated;
      });
      if (violated) output.body = std::move(observation.body);
      outputs.push_back(std::move(output));
    }
    Output& output = outputs[known->second];
    ++output.cases;
    if (output.shortest == nullptr || shorter(split, *output.shortest)) output.shortest = &split;
  }
  result.outputs = outputs.size();
  for (std::size_t position = 0; position < outputs.front().judged.size(); ++position) {
    result.rows.push_back(row_of(position, outputs, recording.id, testee.client()));
  }
  return result;
}

}  // namespace splitproof::campaign
