#include "harness/cause/same_fault.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "harness/cause/constant_faults.hpp"
#include "harness/cause/edit.hpp"
#include "harness/cause/kind.hpp"
#include "harness/cause/stake.hpp"

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Row;
using results::Rule;

using Recordings = std::set<const RecordingResult*>;

constexpr std::size_t kFewOf = 10;  // a shape that every tenth recording has is no coincidence

constexpr std::size_t kStraggler = 8;  // an eighth of the others may end differently by its content

bool is_nearly(std::size_t part, std::size_t whole) { return part > 0 && part * 5 >= whole * 4; }

bool is_boolean_value(const std::string& value) { return value == "true" || value == "false"; }

bool are_kin(const Rule& a, const Rule& b) {
  const auto family = [](const std::string& id) { return id.substr(0, id.rfind('-')); };
  return family(a.id) == family(b.id) && a.of_requests == b.of_requests;
}

// True if the rule is about several answers, about connections or about the process. A rule about the HTTP message that
// loses content is about the answer.
bool is_about_target(const Rule& rule) {
  if (rule.id.starts_with("TRN-") && stake_of(rule.id, 0) == Stake::content) return false;
  constexpr std::string_view kFamilies[] = {"META-", "CONN-", "RUN-", "TRN-"};
  return std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](std::string_view family) { return rule.id.starts_with(family); });
}

// What the findings of the rule that names a cause show.
struct FindingSummary {
  Stake stake = Stake::form;
  std::size_t findings = 0;
  Recordings in;
  std::set<std::string> found;
  std::set<std::string> wanted;
  std::map<std::string, std::size_t> edits;    // findings by edit
  std::size_t changed = 0;                     // findings of answers with other content than the upstream's
  std::map<recording::End, std::size_t> ends;  // of the upstream
};

class Joining {
 public:
  Joining(std::vector<Cause>& causes, std::set<const Row*>& doubtful, const FindingRows& findings,
          const SamplesOf& samples, std::size_t recordings, const std::vector<BehaviourSample>& answers)
      : causes_(causes),
        doubtful_(doubtful),
        findings_(findings),
        samples_(samples),
        recordings_(recordings),
        constant_(answers) {
    for (const Cause& cause : causes_) summaries_.push_back(summary_of(cause));
  }

  void join() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t from = 0; from < causes_.size() && !again; ++from)
        for (std::size_t to = 0; to < causes_.size() && !again; ++to)
          if (from != to && is_part(from, to)) {
            move(from, to);
            again = true;
          }
    }
  }

 private:
  FindingSummary summary_of(const Cause& cause) const {
    FindingSummary summary;
    for (const Row* row : cause.own) {
      if (row->rule != cause.rule->id) continue;
      ++summary.findings;
      summary.in.insert(findings_.at(row));
      const std::vector<const BehaviourSample*>& samples = samples_in(samples_, findings_.at(row));
      if (samples.empty()) continue;
      std::string edit;
      std::set<recording::End> ends;
      const bool is_plain = std::any_of(samples.begin(), samples.end(), [&](const auto* one) {
        return one->recut.empty() && one->symptom_of(row->rule) != nullptr;
      });
      bool is_changed = false;
      for (const BehaviourSample* sample : samples) {
        for (const auto& [sign, symptom] : sample->shows) {
          if (symptom->rule != row->rule) continue;
          const contract::Violation& violation = symptom->violation;
          summary.stake = std::min(summary.stake, stake_of(row->rule, violation.clause));
          summary.found.insert(violation.found);
          summary.wanted.insert(violation.wanted);
          if (edit.empty()) edit = edit_of(violation.found, violation.wanted);
          ends.insert(sample->behaviour->upstream.end);
          is_changed = is_changed || ((sample->recut.empty() || !is_plain) && has_other_content(*sample));
        }
      }
      if (!edit.empty()) ++summary.edits[edit];
      summary.changed += is_changed ? 1 : 0;
      for (const recording::End end : ends) ++summary.ends[end];
    }
    return summary;
  }

  // True if a general rule that compares content is violated.
  static bool has_other_content(const BehaviourSample& sample) {
    return std::any_of(sample.shows.begin(), sample.shows.end(), [](const auto& entry) {
      const contract::Violation& violation = entry.second->violation;
      return !violation.wanted.empty() && !is_boolean_value(violation.wanted) &&
             stake_of(entry.second->rule, violation.clause) == Stake::content;
    });
  }

  // True if the first cause is a part of the second one.
  bool is_part(std::size_t from, std::size_t to) const {
    const Cause& a = causes_[from];
    const Cause& b = causes_[to];
    if (a.target != b.target) return false;
    const bool is_smaller = std::tuple(summaries_[from].findings, b.rule->id, b.kind) <
                            std::tuple(summaries_[to].findings, a.rule->id, a.kind);
    if (a.rule != b.rule && follows(*a.rule, *b.rule) && follows(*b.rule, *a.rule)) return is_smaller;
    if (sends_constant(from, to)) return true;
    if (rank_of(summaries_[to].stake) > rank_of(summaries_[from].stake)) return false;
    if (a.rule == b.rule) return is_smaller && fail_in_one_way(from, to);
    return is_of_constant(from, to) || is_always_at_place_of(from, to) ||
           (is_smaller && have_one_edit(from, to)) || is_within(from, to) || is_repeated_in(from, to) ||
           (is_smaller && share_a_violation(from, to)) ||
           (has_better_title(to, from, is_smaller) &&
            (are_at_one_place(from, to) || are_in_one_set(from, to)));
  }

  // The value is a constant: the general rule wants several values, and always finds the same one.
  bool is_of_constant(std::size_t from, std::size_t to) const {
    const FindingSummary& one = summaries_[from];
    const FindingSummary& general = summaries_[to];
    return are_kin(*causes_[from].rule, *causes_[to].rule) && !causes_[to].rule->of_a_shape &&
           compares_values(*causes_[from].rule) && compares_values(*causes_[to].rule) &&
           general.wanted.size() > 1 && general.found.size() == 1 && !is_nothing(*general.found.begin()) &&
           one.found == general.found;
  }

  // The general rule is violated wherever an answer has one shape, and the rule about another shape with the same values.
  // So the program never reads what it should send. The contracts say that the general rule follows the other one, so it
  // may be lighter. But lost content is another fault.
  bool sends_constant(std::size_t special, std::size_t general) const {
    const Rule& rule = *causes_[general].rule;
    const FindingSummary& one = summaries_[special];
    if (rule.of_a_shape || !causes_[special].rule->of_a_shape || !follows(rule, *causes_[special].rule) ||
        !compares_values(rule) || !compares_values(*causes_[special].rule) || one.stake < Stake::failure ||
        one.found.size() != 1 || is_nothing(*one.found.begin()) || is_boolean_value(*one.found.begin()) ||
        !constant_.have_one_shape(summaries_[general].in, rule.id))
      return false;
    std::map<std::string, Recordings> found;  // by the general rule
    std::set<std::string> wanted;
    for (const Recordings* in : {&summaries_[general].in, &one.in})
      for (const RecordingResult* recording : *in)
        for (const BehaviourSample* sample : samples_in(samples_, recording))
          if (const results::Symptom* shown = sample->symptom_of(rule.id)) {
            found[shown->violation.found].insert(recording);
            wanted.insert(shown->violation.wanted);
          }
    const Recordings& usual = found[*one.found.begin()];
    return wanted.size() > 1 && is_nearly(usual.size(), summaries_[general].in.size() + one.in.size()) &&
           std::includes(usual.begin(), usual.end(), one.in.begin(), one.in.end());
  }

  bool have_one_edit(std::size_t from, std::size_t to) const {
    if (!are_kin(*causes_[from].rule, *causes_[to].rule)) return false;
    return std::any_of(summaries_[from].edits.begin(), summaries_[from].edits.end(), [&](const auto& entry) {
      const auto other = summaries_[to].edits.find(entry.first);
      return other != summaries_[to].edits.end() && is_nearly(entry.second, summaries_[from].findings) &&
             is_nearly(other->second, summaries_[to].findings);
    });
  }

  bool fail_in_one_way(std::size_t from, std::size_t to) const {
    const auto is_end = [](const std::string& kind) {
      return kind.ends_with("ended") || kind.ends_with("open");
    };
    if (!is_end(causes_[from].kind) || !is_end(causes_[to].kind) ||
        clause_of_kind(causes_[from].kind) != clause_of_kind(causes_[to].kind))
      return false;
    if (causes_[from].kind.ends_with("open") && has_another_reason_without_end(from, to)) return true;
    if (summaries_[from].findings * kStraggler > summaries_[to].findings) return false;
    if (is_nearly(summaries_[from].changed, summaries_[from].findings) !=
        is_nearly(summaries_[to].changed, summaries_[to].findings))
      return false;
    return std::all_of(summaries_[from].ends.begin(), summaries_[from].ends.end(),
                       [&](const auto& entry) { return summaries_[to].ends.contains(entry.first); });
  }

  // True if another cause with more findings is an end that is never sent, and all these answers lack it. Then the missing
  // end is no way to fail.
  bool has_another_reason_without_end(std::size_t from, std::size_t to) const {
    const Recordings& in = summaries_[from].in;
    for (std::size_t other = 0; other < causes_.size(); ++other) {
      const Rule& rule = *causes_[other].rule;
      if (other == from || other == to || rule.form.find("pattern") == std::string::npos ||
          summaries_[other].stake != Stake::failure || summaries_[other].findings <= in.size())
        continue;
      const auto lacks_it = [&](const RecordingResult* one) {
        return any_sample(one, [&](const BehaviourSample& sample) {
          const results::Symptom* shown = sample.symptom_of(rule.id);
          return shown != nullptr && !shown->place.event && sample.recut.empty();
        });
      };
      if (std::all_of(in.begin(), in.end(), lacks_it)) return true;
    }
    return false;
  }

  // A program that cannot handle a shape also breaks other rules in some answers with it. Lost content also breaks the
  // form, and a kin rule in the same way.
  bool is_within(std::size_t from, std::size_t to) const {
    const Cause& a = causes_[from];
    const Cause& b = causes_[to];
    const Recordings& in = summaries_[from].in;
    const Recordings& there = summaries_[to].in;
    if (a.rule->of_a_shape || a.rule->of_requests || b.rule->of_requests || is_about_target(*a.rule) ||
        is_about_target(*b.rule))
      return false;
    const bool is_form = !compares_values(*a.rule);
    const bool is_same_way = !a.kind.empty() && a.kind == b.kind && are_kin(*a.rule, *b.rule);
    const bool may_break = b.rule->of_a_shape || (compares_values(*b.rule) && (is_form || is_same_way));
    const bool has_values = std::any_of(summaries_[from].wanted.begin(), summaries_[from].wanted.end(),
                                        [](const std::string& wanted) { return !wanted.empty(); });
    const bool is_lighter = rank_of(summaries_[to].stake) <= rank_of(summaries_[from].stake) || has_values;
    if (!may_break || !is_lighter || there.size() * kFewOf >= recordings_) return false;
    return std::includes(there.begin(), there.end(), in.begin(), in.end()) ||
           (is_form && b.rule->of_a_shape && is_nearly(count_violating(in, b.rule->id), in.size()));
  }

  template <class Test>
  bool any_sample(const RecordingResult* in, const Test& test) const {
    const std::vector<const BehaviourSample*>& samples = samples_in(samples_, in);
    return std::any_of(samples.begin(), samples.end(),
                       [&](const BehaviourSample* sample) { return test(*sample); });
  }

  static bool are_at_one_place(const results::Symptom* a, const results::Symptom* b) {
    return a != nullptr && b != nullptr && a->place.event && a->place == b->place;
  }

  // Counts the recordings that violate a rule, under any cause.
  std::size_t count_violating(const Recordings& in, const std::string& rule) const {
    return static_cast<std::size_t>(std::count_if(in.begin(), in.end(), [&](const RecordingResult* one) {
      return any_sample(one,
                        [&](const BehaviourSample& sample) { return sample.symptom_of(rule) != nullptr; });
    }));
  }

  // The graver cause has the better title, then the one about a shape, then the more frequent one.
  bool has_better_title(std::size_t cause, std::size_t other, bool is_more_frequent) const {
    if (rank_of(summaries_[cause].stake) != rank_of(summaries_[other].stake)) return true;
    const bool of_a_shape = causes_[cause].rule->of_a_shape;
    return of_a_shape == causes_[other].rule->of_a_shape ? is_more_frequent : of_a_shape;
  }

  bool is_apart(std::size_t cause) const {
    const Stake stake = summaries_[cause].stake;
    return is_about_target(*causes_[cause].rule) || stake == Stake::money || stake == Stake::process;
  }

  // Few answers lose content by both rules, and they are the same. Each recording shows one concept.
  bool are_in_one_set(std::size_t a, std::size_t b) const {
    const auto loses_content = [&](std::size_t cause) {
      return summaries_[cause].stake == Stake::content && !causes_[cause].rule->of_requests &&
             !is_apart(cause);
    };
    return loses_content(a) && loses_content(b) && summaries_[a].in == summaries_[b].in &&
           summaries_[a].in.size() * kFewOf < recordings_;
  }

  // Few answers violate the rules, and nearly all of them violate both at one place.
  bool are_at_one_place(std::size_t a, std::size_t b) const {
    const Rule& one = *causes_[a].rule;
    const Rule& other = *causes_[b].rule;
    if (one.of_requests != other.of_requests || is_apart(a) || is_apart(b)) return false;
    const Recordings& here = summaries_[a].in;
    const Recordings& there = summaries_[b].in;
    if (std::max(here.size(), there.size()) * kFewOf >= recordings_) return false;
    const auto shared = static_cast<std::size_t>(std::count_if(here.begin(), here.end(), [&](const auto* in) {
      return there.contains(in) && any_sample(in, [&](const BehaviourSample& sample) {
               return are_at_one_place(sample.symptom_of(one.id), sample.symptom_of(other.id));
             });
    }));
    return is_nearly(shared, here.size()) && is_nearly(shared, there.size());
  }

  // Few answers violate both, and every case that violates the rule violates a general one at the same place.
  bool is_always_at_place_of(std::size_t from, std::size_t to) const {
    const Rule& one = *causes_[from].rule;
    const Rule& other = *causes_[to].rule;
    if (one.of_requests != other.of_requests || other.of_a_shape || is_apart(from) || is_apart(to) ||
        summaries_[from].findings < 2 || summaries_[from].findings > summaries_[to].findings ||
        summaries_[to].in.size() * kFewOf >= recordings_)
      return false;
    const auto is_always = [&](const RecordingResult* in) {
      const std::vector<const BehaviourSample*>& samples = samples_in(samples_, in);
      return summaries_[to].in.contains(in) && !samples.empty() &&
             std::all_of(samples.begin(), samples.end(), [&](const BehaviourSample* sample) {
               const results::Symptom* shown = sample->symptom_of(one.id);
               return shown == nullptr || are_at_one_place(shown, sample->symptom_of(other.id));
             });
    };
    return std::all_of(summaries_[from].in.begin(), summaries_[from].in.end(), is_always);
  }

  // Rules about shapes: nearly all answers of both violate one general rule with one value, and few others do.
  bool share_a_violation(std::size_t from, std::size_t to) const {
    if (!causes_[from].rule->of_a_shape || !causes_[to].rule->of_a_shape ||
        summaries_[from].stake != Stake::content || summaries_[to].stake != Stake::content ||
        !are_kin(*causes_[from].rule, *causes_[to].rule))
      return false;
    std::map<std::tuple<std::string, std::string, std::string>, Recordings> violations;
    for (const auto& [in, samples] : samples_)
      for (const BehaviourSample* sample : samples)
        for (const auto& [sign, symptom] : sample->shows)
          if (!is_nothing(symptom->violation.wanted) && !symptom->of_request && symptom->place.event &&
              symptom->rule != causes_[from].rule->id)
            violations[{symptom->rule, symptom->violation.found, symptom->violation.wanted}].insert(in);
    const auto among = [](const Recordings& these, const Recordings& those) {
      return static_cast<std::size_t>(
          std::count_if(these.begin(), these.end(), [&](const auto* one) { return those.contains(one); }));
    };
    return std::any_of(violations.begin(), violations.end(), [&](const auto& entry) {
      const Recordings& in = entry.second;
      const std::size_t here = among(summaries_[from].in, in);
      const std::size_t there = among(summaries_[to].in, in);
      return is_nearly(here, summaries_[from].in.size()) && is_nearly(there, summaries_[to].in.size()) &&
             (here + there) * 2 > in.size();
    });
  }

  // Nearly all answers of the other cause violate the rule too, with the same value.
  bool is_repeated_in(std::size_t from, std::size_t to) const {
    const Rule& rule = *causes_[from].rule;
    const FindingSummary& few = summaries_[from];
    const bool is_telling = few.found.size() == 1 && !is_nothing(*few.found.begin());
    if (rule.of_a_shape || compares_values(rule) || !causes_[to].rule->of_a_shape ||
        (!is_telling && !are_kin(rule, *causes_[to].rule)) || few.findings > kMinSupport ||
        few.wanted.size() != 1 || few.wanted.begin()->empty())
      return false;
    const auto repeats = [&](const RecordingResult* in) {
      return any_sample(in, [&](const BehaviourSample& sample) {
        return std::any_of(sample.shows.begin(), sample.shows.end(), [&](const auto& entry) {
          const contract::Violation& violation = entry.second->violation;
          return entry.second->rule == rule.id && few.found.contains(violation.found) &&
                 few.wanted.contains(violation.wanted);
        });
      });
    };
    const Recordings& there = summaries_[to].in;
    return is_nearly(static_cast<std::size_t>(std::count_if(there.begin(), there.end(), repeats)),
                     there.size());
  }

  void move(std::size_t from, std::size_t to) {
    Cause& a = causes_[from];
    Cause& b = causes_[to];
    for (const Row* row : a.own)
      if (row->rule == a.rule->id) doubtful_.erase(row);
    b.own.insert(a.own.begin(), a.own.end());
    for (const Occurrence& one : a.occurrences) {
      const bool is_known =
          std::any_of(b.occurrences.begin(), b.occurrences.end(),
                      [&](const Occurrence& other) { return other.case_id == one.case_id; });
      if (!is_known) b.occurrences.push_back(one);
    }
    const auto at = static_cast<std::ptrdiff_t>(from);
    summaries_[to] = summary_of(b);
    causes_.erase(causes_.begin() + at);
    summaries_.erase(summaries_.begin() + at);
  }

  std::vector<Cause>& causes_;
  std::set<const Row*>& doubtful_;
  const FindingRows& findings_;
  const SamplesOf& samples_;
  const std::size_t recordings_;
  const ConstantFaults constant_;
  std::vector<FindingSummary> summaries_;  // of the causes
};

}  // namespace

void join_same_faults(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful,
                      const FindingRows& findings, const SamplesOf& samples, std::size_t recordings,
                      const std::vector<BehaviourSample>& answers) {
  Joining(causes, doubtful, findings, samples, recordings, answers).join();
}

}  // namespace splitproof::cause
