#include "harness/cause/fold.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/cause/constant_faults.hpp"
#include "harness/cause/kind.hpp"
#include "harness/cause/stake.hpp"

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Row;
using results::Rule;
using results::Symptom;

constexpr std::size_t kManyByRecut = 8;   // recordings: fewer may have other shapes
constexpr std::size_t kDominates = 4;     // times as many findings by one recut
constexpr std::size_t kFewFindings = 12;  // of a cause that may be a mixture
constexpr std::size_t kRare = 10;         // an error that every tenth recording has explains no other

constexpr std::size_t kTelling = 3;  // bytes of a text: fewer may occur anywhere

bool is_boolean(const contract::Violation& violation) {
  return violation.wanted == "true" || violation.wanted == "false";
}

bool is_one_difference(const Symptom& a, const Symptom& b) {
  return !a.violation.wanted.empty() && a.violation.found == b.violation.found &&
         a.violation.wanted == b.violation.wanted;
}

bool is_general_outcome(const Rule& rule) {
  return !rule.of_a_shape && !rule.of_requests && compares_values(rule) && !rule.id.starts_with("META-");
}

class Folding {
 public:
  Folding(std::vector<Cause>& causes, std::set<const Row*>& doubtful, const FindingRows& findings,
          const results::Rules& rules, const SamplesOf& samples, const std::vector<BehaviourSample>& answers)
      : causes_(causes),
        doubtful_(doubtful),
        findings_(findings),
        rules_(rules),
        samples_(samples),
        constant_(answers) {
    for (const auto& [row, result] : findings_) rows_.emplace(std::pair(result, row->rule), row);
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      for (const Row* row : causes_[i].own) owners_[row] = i;
      for (const Row* row : named_rows(i))
        for (const std::string& recut : recuts_that_show(*row)) shown_by_[recut][i].insert(findings_.at(row));
    }
    std::set<const RecordingResult*> all;
    for (const BehaviourSample& answer : answers) all.insert(answer.in);
    recordings_ = all.size();
  }

  void fold() {
    std::vector<std::size_t> order(causes_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      const auto rank = [this](std::size_t i) {
        return std::tuple(named_rows(i).size(), causes_[i].rule->of_a_shape, causes_[i].rule->id,
                          causes_[i].kind);
      };
      return rank(a) < rank(b);
    });
    for (const std::size_t cause : order) fold_explained(cause);
    for (const std::size_t cause : order) fold_light(cause);
    std::erase_if(causes_, [](const Cause& cause) { return cause.own.empty(); });
  }

 private:
  // certain: it moves even if the cause stays. general: by a general rule. mixture: likewise certain, if the findings of
  // the cause have nothing in common.
  enum class Ground { certain, general, likely, mixture };
  struct Explanation {
    std::size_t cause;
    Ground ground;
  };

  // Returns the findings of the rule that names the cause, in the order of the results.
  std::vector<const Row*> named_rows(std::size_t cause) const {
    std::vector<const Row*> rows;
    for (const Row* row : causes_[cause].own)
      if (row->rule == causes_[cause].rule->id) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [this](const Row* a, const Row* b) {
      return findings_.at(a)->recording.id < findings_.at(b)->recording.id;
    });
    return rows;
  }

  const std::vector<const BehaviourSample*>& samples_of(const Row& row) const {
    static const std::vector<const BehaviourSample*> none;
    const auto found = samples_.find(findings_.at(&row));
    return found == samples_.end() ? none : found->second;
  }

  // Returns the cause of a rule's finding in a recording.
  std::optional<std::size_t> owner_in(const RecordingResult* in, const std::string& rule) const {
    const auto row = rows_.find({in, rule});
    if (row == rows_.end()) return std::nullopt;
    const auto owner = owners_.find(row->second);
    return owner == owners_.end() ? std::nullopt : std::optional(owner->second);
  }

  // Returns the cause that a rule names with most findings.
  std::optional<std::size_t> cause_named(const std::string& rule) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < causes_.size(); ++i)
      if (causes_[i].rule->id == rule && !causes_[i].own.empty() &&
          (!best || causes_[*best].own.size() < causes_[i].own.size()))
        best = i;
    return best;
  }

  Stake stake_of(const Symptom& symptom) const {
    return cause::stake_of(symptom.rule, symptom.violation.clause);
  }

  bool may_explain(std::size_t cause, const Symptom& symptom) const {
    Stake gravest = Stake::form;
    for (const Row* row : named_rows(cause))
      for (const BehaviourSample* sample : samples_of(*row))
        for (const auto& [sign, shown] : sample->shows)
          if (shown->rule == row->rule) gravest = std::min(gravest, stake_of(*shown));
    return rank_of(gravest) <= rank_of(stake_of(symptom));
  }

  std::optional<std::size_t> by_contract(const BehaviourSample& sample, const Symptom& symptom,
                                         std::size_t from) const {
    const Rule& rule = rules_.at(symptom.rule);
    for (const auto& [sign, other] : sample.shows) {
      if (other->rule == symptom.rule || !follows(rule, rules_.at(other->rule)) ||
          follows(rules_.at(other->rule), rule))
        continue;
      const auto owner = owner_in(sample.in, other->rule);
      if (owner && *owner != from) return owner;
    }
    return std::nullopt;
  }

  // A rule that follows a rule which nearly all answers of the same shape violate.
  std::optional<std::size_t> by_constant_rule(const BehaviourSample& sample, const Symptom& symptom,
                                              std::size_t from) const {
    const Rule& rule = rules_.at(symptom.rule);
    for (const std::string& id : rule.follows) {
      const auto known = rules_.find(id);
      if (known == rules_.end() || !is_general_outcome(known->second) ||
          !constant_.are_in(sample, id, rule.id))
        continue;
      const auto owner = cause_named(id);
      if (owner && *owner != from) return owner;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> by_difference(const BehaviourSample& sample, const Symptom& symptom,
                                           std::size_t from) const {
    const Rule& rule = rules_.at(symptom.rule);
    if (!compares_values(rule)) return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const Rule& told = rules_.at(other->rule);
      const auto owner = owner_in(sample.in, other->rule);
      if (&told == &rule || !owner || *owner == from || causes_[*owner].rule != &told ||
          !compares_values(told) || told.of_requests != rule.of_requests ||
          rank_of(stake_of(*other)) > rank_of(stake_of(symptom)) || !is_one_difference(symptom, *other))
        continue;
      const std::size_t theirs = named_rows(*owner).size();
      const std::size_t ours = named_rows(from).size();
      const bool is_told = is_boolean(symptom.violation)
                               ? !rule.of_a_shape && told.of_a_shape
                               : theirs > ours || (theirs == ours && told.of_a_shape && !rule.of_a_shape);
      if (is_told && may_explain(*owner, symptom)) return owner;
    }
    return std::nullopt;
  }

  // A rule about a shape whose answers show only what a general rule shows in nearly all answers of another shape.
  std::optional<std::size_t> by_general_rule(const BehaviourSample& sample, const Symptom& symptom,
                                             std::size_t from) const {
    const Rule& rule = rules_.at(symptom.rule);
    if (!rule.of_a_shape || rule.of_requests || !compares_values(rule) || is_boolean(symptom.violation))
      return std::nullopt;
    std::vector<std::size_t> general;
    bool is_all = true;
    for (const auto& [sign, other] : sample.shows) {
      const Rule& told = rules_.at(other->rule);
      if (!is_general_outcome(told) || rank_of(stake_of(*other)) > Stake::order) continue;
      const bool is_constant = constant_.are_in(sample, told.id, rule.id);
      const auto named = cause_named(told.id);
      if (rank_of(stake_of(*other)) > rank_of(stake_of(symptom))) continue;
      if (is_constant && named && *named != from && is_one_difference(symptom, *other)) return named;
      const auto owner = owner_in(sample.in, told.id);
      if (is_constant && named && *named != from && owner &&
          (*owner == from || causes_[*owner].rule == &told))
        general.push_back(*owner == from ? *named : *owner);
      else
        is_all = false;
    }
    const auto is_kin = [&](std::size_t cause) {
      const auto family = [](const std::string& id) { return id.substr(0, id.rfind('-')); };
      return family(causes_[cause].rule->id) == family(rule.id);
    };
    const auto kin = std::find_if(general.begin(), general.end(), is_kin);
    if (kin != general.end()) return *kin;
    return is_all && general.size() == 1 ? std::optional(general.front()) : std::nullopt;
  }

  // An error of form in the very event that ends a failed answer.
  std::optional<std::size_t> by_place(const BehaviourSample& sample, const Symptom& symptom,
                                      std::size_t from) const {
    const Rule& rule = rules_.at(symptom.rule);
    if (rule.of_a_shape || compares_values(rule) || !symptom.place.event) return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      if (stake_of(*other) != Stake::failure || other->place.event != symptom.place.event ||
          !rules_.at(other->rule).of_a_shape)
        continue;
      const auto owner = owner_in(sample.in, other->rule);
      if (owner && *owner != from) return owner;
    }
    return std::nullopt;
  }

  // A stream that is wrong in the part in which the answer in one piece differs.
  std::optional<std::size_t> by_stream(const BehaviourSample& sample, const Symptom& symptom,
                                       std::size_t from) const {
    constexpr std::string_view kStream = "in the stream it is ";
    const std::string& told = symptom.violation.found;
    const std::size_t at = told.find(kStream);
    if (symptom.rule != campaign::kSameWhole || at == std::string::npos) return std::nullopt;
    for (const BehaviourSample* other : samples_.at(sample.in)) {
      if (!other->arrived || other->turn) continue;
      for (const auto& [sign, shown] : other->shows) {
        std::string value = shown->violation.found;
        std::erase(value, '"');
        const auto owner = owner_in(sample.in, shown->rule);
        if (is_general_outcome(rules_.at(shown->rule)) && !value.empty() && owner && *owner != from &&
            told.find(value, at + kStream.size()) != std::string::npos)
          return owner;
      }
    }
    return std::nullopt;
  }

  // Nothing at all comes for an upstream that failed in one way or another.
  std::optional<std::size_t> by_empty_answer(const BehaviourSample& /*sample*/, const Symptom& symptom,
                                             std::size_t from) const {
    const auto is_empty = [](const Symptom& one) { return !one.place.event && one.place.begin == 0; };
    const auto is_failure = [](const Cause& cause) {
      return cause.kind == "open" && cause.rule->follows.empty();
    };
    if (!is_failure(causes_[from]) || !is_empty(symptom)) return std::nullopt;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      const std::vector<const Row*> rows = named_rows(i);
      const bool is_empty_too = std::all_of(rows.begin(), rows.end(), [&](const Row* row) {
        return row->first && !row->first->place.event && row->first->place.begin == 0;
      });
      if (i != from && is_failure(causes_[i]) && rows.size() >= named_rows(from).size() && is_empty_too)
        return i;
    }
    return std::nullopt;
  }

  // Returns the recuts that show a finding, if nothing else shows it.
  std::set<std::string> recuts_that_show(const Row& row) const {
    std::set<std::string> recuts;
    for (const BehaviourSample* sample : samples_of(row)) {
      const bool has_it = std::any_of(sample->shows.begin(), sample->shows.end(),
                                      [&](const auto& entry) { return entry.second->rule == row.rule; });
      if (!has_it) continue;
      if (sample->recut.empty()) return {};
      recuts.insert(sample->recut);
    }
    return recuts;
  }

  // Other events for the same content show many findings of another cause, and few of this one.
  std::optional<std::size_t> by_recut(const BehaviourSample& sample, const Symptom& symptom,
                                      std::size_t from) const {
    std::optional<std::size_t> best;
    std::size_t most = 0;
    const Row& row = *rows_.at({sample.in, symptom.rule});
    for (const std::string& recut : recuts_that_show(row)) {
      const auto& shown = shown_by_.at(recut);
      const auto own = shown.find(from);
      const std::size_t few = own == shown.end() ? 1 : own->second.size();
      bool is_dominated = false;
      for (const auto& [cause, in] : shown) {
        if (in.size() < kManyByRecut || in.size() < few * kDominates || causes_[cause].own.empty() ||
            causes_[cause].rule->of_requests != causes_[from].rule->of_requests ||
            !may_explain(cause, symptom))
          continue;
        is_dominated = true;
        if (in.size() > most) {
          best = cause;
          most = in.size();
        }
      }
      if (!is_dominated) return std::nullopt;
    }
    return best;
  }

  // A rare error of the events, or a rare shape, may explain the value of the same answer.
  std::optional<std::size_t> by_rare_error(const BehaviourSample& sample, const Symptom& symptom,
                                           std::size_t from) const {
    if (!is_general_outcome(rules_.at(symptom.rule))) return std::nullopt;
    std::optional<std::size_t> best;
    std::size_t fewest = recordings_ / kRare;
    for (const auto& [sign, other] : sample.shows) {
      const Rule& told = rules_.at(other->rule);
      const auto owner = owner_in(sample.in, other->rule);
      const bool is_nearer = told.of_a_shape || !compares_values(told);
      if (!is_nearer || told.of_requests || !owner || *owner == from || causes_[*owner].rule != &told ||
          rank_of(stake_of(*other)) > rank_of(stake_of(symptom)))
        continue;
      const std::size_t count = recordings_of(*owner).size();
      if (count > fewest) continue;
      best = owner;
      fewest = count;
    }
    return best;
  }

  // An answer that stops early, or with an error, lacks all that was due afterwards.
  std::optional<std::size_t> by_early_end(const BehaviourSample& sample, const Symptom& symptom,
                                          std::size_t from) const {
    const bool is_less = is_content_lost(symptom);
    if (!is_less && !is_cut_off(symptom)) return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const auto owner = owner_in(sample.in, other->rule);
      const Rule& told = rules_.at(other->rule);
      const bool is_end = stake_of(*other) == Stake::failure && is_never_sent(*other) && !told.of_a_shape &&
                          is_cut_off(symptom);
      if ((is_end || (is_less && is_unexpected_error(*other))) && owner && *owner != from &&
          causes_[*owner].rule == &told)
        return owner;
    }
    return std::nullopt;
  }

  bool is_unexpected_error(const Symptom& symptom) const {
    return compares_values(rules_.at(symptom.rule)) && symptom.violation.found == "true" &&
           symptom.violation.wanted == "false";
  }

  bool is_content_lost(const Symptom& symptom) const {
    return is_general_outcome(rules_.at(symptom.rule)) && stake_of(symptom) == Stake::content &&
           !is_boolean(symptom.violation) && kind_of(symptom, false).ends_with("less");
  }

  // The order of all parts differs if one of them does.
  std::optional<std::size_t> by_part(const BehaviourSample& sample, const Symptom& symptom,
                                     std::size_t from) const {
    const Rule& rule = rules_.at(symptom.rule);
    if (!is_general_outcome(rule) || stake_of(symptom) != Stake::order ||
        cause::stake_of(rule.id, 0) != Stake::content)
      return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const auto owner = owner_in(sample.in, other->rule);
      const Rule& told = rules_.at(other->rule);
      if (is_general_outcome(told) && stake_of(*other) == Stake::content && owner && *owner != from &&
          causes_[*owner].rule == &told)
        return owner;
    }
    return std::nullopt;
  }

  // A missing member makes the value that is read from it differ.
  std::optional<std::size_t> by_absent_member(const BehaviourSample& sample, const Symptom& symptom,
                                              std::size_t from) const {
    if (compares_values(rules_.at(symptom.rule)) || symptom.violation.found != "absent") return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const auto owner = owner_in(sample.in, other->rule);
      if (is_general_outcome(rules_.at(other->rule)) && other->violation.found == "absent" &&
          other->place == symptom.place && rank_of(stake_of(*other)) <= rank_of(stake_of(symptom)) && owner &&
          *owner != from)
        return owner;
    }
    return std::nullopt;
  }

  // A rule about what a recut adds, if the recording lacks the same content without the recut.
  std::optional<std::size_t> by_unmodified(const BehaviourSample& sample, const Symptom& symptom,
                                           std::size_t from) const {
    if (!rules_.at(symptom.rule).of_a_shape || sample.recut.empty()) return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const auto owner = owner_in(sample.in, other->rule);
      if (!is_general_outcome(rules_.at(other->rule)) || stake_of(*other) != Stake::content || !owner ||
          *owner == from)
        continue;
      for (const BehaviourSample* plain : samples_.at(sample.in)) {
        const auto known = plain->shows.find(sign);
        if (plain->arrived && !plain->turn && known != plain->shows.end() &&
            is_one_difference(*known->second, *other))
          return owner;
      }
    }
    return std::nullopt;
  }

  // True if the answer ended without something, and no value is compared.
  bool is_never_sent(const Symptom& symptom) const {
    return rules_.at(symptom.rule).form.find("pattern") != std::string::npos && !symptom.place.event &&
           symptom.violation.found.empty() && symptom.violation.wanted.empty();
  }

  // True if it was never sent, or if a count is missing that the end of the answer would have had. A text that is shorter
  // does not show whether the end cut it off.
  bool is_cut_off(const Symptom& symptom) const {
    return is_never_sent(symptom) || (stake_of(symptom) == Stake::money && !symptom.place.event) ||
           (compares_values(rules_.at(symptom.rule)) && symptom.violation.found == "absent");
  }

  // Content that is missing in one part of the answer is too much in another part.
  std::optional<std::size_t> by_moved_content(const BehaviourSample& sample, const Symptom& symptom,
                                              std::size_t from) const {
    if (!compares_values(rules_.at(symptom.rule))) return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const Rule& told = rules_.at(other->rule);
      const auto owner = owner_in(sample.in, other->rule);
      std::string moved = other->violation.wanted;
      std::erase(moved, '"');
      const bool is_lost =
          is_general_outcome(told) && other->violation.found == "\"\"" && moved.size() >= kTelling;
      if (is_lost && owner && *owner != from && symptom.violation.found.find(moved) != std::string::npos &&
          symptom.violation.wanted.find(moved) == std::string::npos)
        return owner;
    }
    return std::nullopt;
  }

  // Which text was due cannot be told from an answer that lacks content.
  std::optional<std::size_t> by_lost_content(const BehaviourSample& sample, const Symptom& symptom,
                                             std::size_t from) const {
    if (symptom.rule != campaign::kAtOnce) return std::nullopt;
    for (const auto& [sign, other] : sample.shows) {
      const auto owner = owner_in(sample.in, other->rule);
      if (stake_of(*other) == Stake::content && is_general_outcome(rules_.at(other->rule)) && owner &&
          *owner != from)
        return owner;
    }
    return std::nullopt;
  }

  std::optional<Explanation> explanation_of(const Row& row, std::size_t from) const {
    for (const BehaviourSample* sample : samples_of(row)) {
      const auto shown = std::find_if(sample->shows.begin(), sample->shows.end(),
                                      [&](const auto& entry) { return entry.second->rule == row.rule; });
      if (shown == sample->shows.end()) continue;
      for (const auto explain :
           {&Folding::by_contract, &Folding::by_constant_rule, &Folding::by_difference,
            &Folding::by_lost_content, &Folding::by_moved_content, &Folding::by_early_end, &Folding::by_part,
            &Folding::by_absent_member, &Folding::by_unmodified, &Folding::by_recut})
        if (const auto cause = (this->*explain)(*sample, *shown->second, from))
          return Explanation{*cause, Ground::certain};
      if (const auto cause = by_general_rule(*sample, *shown->second, from))
        return Explanation{*cause, Ground::general};
      for (const auto explain : {&Folding::by_place, &Folding::by_stream, &Folding::by_empty_answer})
        if (const auto cause = (this->*explain)(*sample, *shown->second, from))
          return Explanation{*cause, Ground::likely};
      if (const auto cause = by_rare_error(*sample, *shown->second, from))
        return Explanation{*cause, Ground::mixture};
    }
    return std::nullopt;
  }

  void fold_explained(std::size_t from) {
    const std::vector<const Row*> rows = named_rows(from);
    std::map<const Row*, Explanation> explained;
    for (const Row* row : rows)
      if (const auto found = explanation_of(*row, from)) explained.emplace(row, *found);
    const auto with = [&](Ground ground) {
      return static_cast<std::size_t>(
          std::count_if(explained.begin(), explained.end(),
                        [ground](const auto& entry) { return entry.second.ground == ground; }));
    };
    const bool is_mixture =
        rows.size() > 1 && rows.size() <= kFewFindings && !have_one_value(rows) && !have_one_shape(rows);
    if (!is_mixture)
      std::erase_if(explained, [](const auto& entry) { return entry.second.ground == Ground::mixture; });
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
        move(*row, from, found->second.cause);
    }
    if (!goes && !named_rows(from).empty()) return;
    const std::set<const Row*> rest = causes_[from].own;
    for (const Row* row : rest) give(*row, from, most->first);
  }

  const Symptom* symptom_in(const BehaviourSample& sample, const std::string& rule) const {
    const auto shown = std::find_if(sample.shows.begin(), sample.shows.end(),
                                    [&](const auto& entry) { return entry.second->rule == rule; });
    return shown == sample.shows.end() ? nullptr : shown->second;
  }

  // True if half of the findings have the same value.
  bool have_one_value(const std::vector<const Row*>& rows) const {
    std::map<std::string, std::size_t> counts;
    for (const Row* row : rows)
      for (const BehaviourSample* sample : samples_of(*row))
        if (const Symptom* shown = symptom_in(*sample, row->rule)) {
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
    for (const Row* row : rows) in.insert(findings_.at(row));
    return constant_.have_one_shape(in, rows.front()->rule);
  }

  // Folds a cause of no grave stake into the one whose recordings it shares.
  void fold_light(std::size_t from) {
    const std::vector<const Row*> rows = named_rows(from);
    const Stake stake = cause::stake_of(causes_[from].rule->id, 0);
    if (rows.empty() || is_grave(stake) || causes_[from].rule->id.starts_with("META-")) return;
    std::optional<std::size_t> best;
    std::size_t fewest = 0;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      if (i == from || causes_[i].rule->of_requests != causes_[from].rule->of_requests) continue;
      const std::set<const RecordingResult*> in = recordings_of(i);
      const bool is_inside = std::all_of(rows.begin(), rows.end(),
                                         [&](const Row* row) { return in.contains(findings_.at(row)); });
      const Stake other = cause::stake_of(causes_[i].rule->id, 0);
      const bool is_usual = rows.size() * 2 > in.size() && is_grave(other) && other <= stake;
      if (is_inside && is_usual && (!best || in.size() < fewest)) {
        best = i;
        fewest = in.size();
      }
    }
    if (!best) return;
    const std::set<const Row*> all = causes_[from].own;
    for (const Row* row : all) give(*row, from, *best);
  }

  std::set<const RecordingResult*> recordings_of(std::size_t cause) const {
    std::set<const RecordingResult*> in;
    for (const Row* row : named_rows(cause)) in.insert(findings_.at(row));
    return in;
  }

  // Moves a finding with the others of its recording. A comparison does not show whose it is.
  void move(const Row& row, std::size_t from, std::size_t to) {
    const RecordingResult* in = findings_.at(&row);
    const std::set<const Row*> own = causes_[from].own;
    for (const Row* one : own)
      if (findings_.at(one) == in && (one == &row || !one->rule.starts_with("META-"))) give(*one, from, to);
    std::erase_if(causes_[from].occurrences, [&](const Occurrence& one) { return one.in == in; });
  }

  void give(const Row& row, std::size_t from, std::size_t to) {
    if (row.rule == causes_[from].rule->id) doubtful_.erase(&row);
    causes_[from].own.erase(&row);
    causes_[to].own.insert(&row);
    owners_[&row] = to;
    const auto& shown = causes_[to].occurrences;
    for (const BehaviourSample* sample : samples_of(row)) {
      const bool is_known = std::any_of(shown.begin(), shown.end(), [&](const Occurrence& one) {
        return one.case_id == sample->behaviour->case_id;
      });
      const bool has_it = std::any_of(sample->shows.begin(), sample->shows.end(),
                                      [&](const auto& entry) { return entry.second->rule == row.rule; });
      if (has_it && !is_known) causes_[to].occurrences.push_back(occurrence_of(*sample));
    }
  }

  std::vector<Cause>& causes_;
  std::set<const Row*>& doubtful_;
  const FindingRows& findings_;
  const results::Rules& rules_;
  const SamplesOf& samples_;
  const ConstantFaults constant_;
  std::map<std::string, std::map<std::size_t, std::set<const RecordingResult*>>> shown_by_;  // recut, cause
  std::size_t recordings_ = 0;
  std::map<std::pair<const RecordingResult*, std::string>, const Row*> rows_;
  std::map<const Row*, std::size_t> owners_;
};

}  // namespace

void fold_causes(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful,
                 const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples,
                 const std::vector<BehaviourSample>& answers) {
  Folding(causes, doubtful, findings, rules, samples, answers).fold();
}

}  // namespace splitproof::cause
