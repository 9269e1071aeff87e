#include "harness/cause/fold.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "harness/cause/cause_index.hpp"
#include "harness/cause/constant_faults.hpp"
#include "harness/cause/explanations.hpp"
#include "harness/cause/kind.hpp"
#include "harness/cause/stake.hpp"

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Row;
using results::Symptom;

constexpr std::size_t kFewFindings = 12;  // of a cause that may be a mixture

std::size_t count_recordings_of(const std::vector<BehaviourSample>& answers) {
  std::set<const RecordingResult*> all;
  for (const BehaviourSample& answer : answers) all.insert(answer.in);
  return all.size();
}

class Folding {
 public:
  Folding(CauseIndex& index, const std::vector<BehaviourSample>& answers)
      : index_(index), constant_(answers), explanations_(index, constant_, count_recordings_of(answers)) {}

  void fold() {
    std::vector<std::size_t> order(index_.causes().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      const auto rank = [this](std::size_t i) {
        const Cause& cause = index_.causes()[i];
        return std::tuple(index_.named_rows(i).size(), cause.rule->of_a_shape, cause.rule->id, cause.kind);
      };
      return rank(a) < rank(b);
    });
    for (const std::size_t cause : order) fold_explained(cause);
    for (const std::size_t cause : order) fold_light(cause);
    index_.remove_empty();
  }

 private:
  void fold_explained(std::size_t from) {
    const std::vector<const Row*> rows = index_.named_rows(from);
    std::map<const Row*, Explanation> explained;
    for (const Row* row : rows)
      if (const auto found = explanations_.of(*row, from)) explained.emplace(row, *found);
    const auto with = [&](Ground ground) {
      return static_cast<std::size_t>(
          std::count_if(explained.begin(), explained.end(),
                        [ground](const auto& entry) { return entry.second.ground == ground; }));
    };
    const bool is_mixture =
        rows.size() > 1 && rows.size() <= kFewFindings && !have_one_value(rows) && !have_one_shape(rows);
    std::erase_if(explained, [&](const auto& entry) {
      const bool is_alone = rows.size() == 1 && index_.named_rows(entry.second.cause).size() > 1;
      return entry.second.ground == Ground::mixture && !is_mixture && !is_alone;
    });
    if (explained.empty()) return;
    std::map<std::size_t, std::size_t> counts;
    for (const auto& [row, explanation] : explained) ++counts[explanation.cause];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    // Findings that are not certain must have one cause. Other cases of a general rule are known, so fewer suffice.
    const bool goes = std::max(with(Ground::certain), most->second) * 5 >= rows.size() * 4 ||
                      (with(Ground::general) == most->second && most->second * 3 >= rows.size() * 2);
    const auto is_certain = [&](Ground ground) {
      return ground == Ground::certain || ground == Ground::mixture;
    };
    for (const Row* row : rows) {
      const auto found = explained.find(row);
      if (found != explained.end() && (goes || is_certain(found->second.ground)))
        index_.move(*row, from, found->second.cause);
    }
    if (!goes && !index_.named_rows(from).empty()) return;
    const std::set<const Row*> rest = index_.causes()[from].own;
    for (const Row* row : rest) index_.give(*row, from, most->first);
  }

  // True if half of the findings have the same value.
  bool have_one_value(const std::vector<const Row*>& rows) const {
    std::map<std::string, std::size_t> counts;
    for (const Row* row : rows)
      for (const BehaviourSample* sample : index_.samples_of(*row))
        if (const Symptom* shown = sample->symptom_of(row->rule)) {
          if (!is_nothing(shown->violation.found)) ++counts[shown->violation.found];
          break;
        }
    return std::any_of(counts.begin(), counts.end(), [&](const auto& entry) {
      return entry.second > 1 && entry.second * 2 >= rows.size();
    });
  }

  // True if most of the findings are in answers of one shape, and most of these answers violate the rule.
  bool have_one_shape(const std::vector<const Row*>& rows) const {
    std::set<const RecordingResult*> in;
    for (const Row* row : rows) in.insert(index_.recording_of(*row));
    return constant_.have_one_shape(in, rows.front()->rule);
  }

  // Folds a cause of no grave stake into the one whose recordings it shares.
  void fold_light(std::size_t from) {
    const std::vector<const Row*> rows = index_.named_rows(from);
    const Stake stake = cause::stake_of(index_.causes()[from].rule->id, 0);
    if (rows.empty() || is_grave(stake) || index_.causes()[from].rule->id.starts_with("META-")) return;
    std::optional<std::size_t> best;
    std::size_t fewest = 0;
    for (std::size_t i = 0; i < index_.causes().size(); ++i) {
      if (i == from || index_.causes()[i].rule->of_requests != index_.causes()[from].rule->of_requests)
        continue;
      const std::set<const RecordingResult*> in = index_.recordings_of(i);
      const bool is_inside = std::all_of(
          rows.begin(), rows.end(), [&](const Row* row) { return in.contains(index_.recording_of(*row)); });
      const Stake other = cause::stake_of(index_.causes()[i].rule->id, 0);
      const bool is_usual = rows.size() * 2 > in.size() && is_grave(other) && other <= stake;
      if (is_inside && is_usual && (!best || in.size() < fewest)) {
        best = i;
        fewest = in.size();
      }
    }
    if (!best) return;
    const std::set<const Row*> all = index_.causes()[from].own;
    for (const Row* row : all) index_.give(*row, from, *best);
  }

  CauseIndex& index_;
  const ConstantFaults constant_;
  const Explanations explanations_;
};

}  // namespace

void fold_causes(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful,
                 const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples,
                 const std::vector<BehaviourSample>& answers) {
  CauseIndex index(causes, doubtful, findings, rules, samples);
  Folding(index, answers).fold();
}

}  // namespace splitproof::cause
