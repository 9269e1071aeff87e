#include "harness/cause/cause.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/cause/association.hpp"
#include "harness/cause/impact.hpp"

namespace splitproof::cause {
namespace {

using campaign::Behaviour;
using campaign::RecordingResult;
using campaign::Symptom;
using contract::Obligation;

// The rules of a target, in the order of its rows: that of the contracts, then META, RUN and transport.
class Rules {
 public:
  explicit Rules(const std::vector<const RecordingResult*>& results) {
    for (const RecordingResult* result : results)
      for (const campaign::Row& row : result->rows)
        if (numbers_.try_emplace(row.obligation->id, all_.size()).second) all_.push_back(row.obligation);
  }
  std::size_t size() const { return all_.size(); }
  const Obligation* at(std::size_t number) const { return all_[number]; }
  std::size_t of(const Obligation* rule) const { return numbers_.at(rule->id); }

 private:
  std::vector<const Obligation*> all_;
  std::map<std::string, std::size_t> numbers_;
};

// That two answers differ says nothing of what is wrong with either.
bool only_compares(const Obligation& rule) {
  return rule.id == campaign::kSameBytes || rule.id == campaign::kSameMeaning;
}

// One way in which cases of a recording turned out, and what of it is new.
struct Item {
  const RecordingResult* in;
  const Behaviour* behaviour;
  Occurrence occurrence;
  std::string
      trigger;  ///< what was done to the recorded body, in words that recordings share; empty: nothing
  std::vector<std::size_t> violated;  ///< rules whose violation decides, and that nobody expected
  std::vector<std::size_t> fresh;     ///< of these: those that the recording as it arrived does not violate
  std::vector<std::size_t> roots;     ///< of these: those that come of no other
};

// "flip" of "flip@118:80".
std::string kind_of(const campaign::Fault& fault) {
  const std::string text = label(fault);
  return text.substr(0, text.find_first_of("@:"));
}

Item item_of(const RecordingResult& result, const Behaviour& behaviour) {
  Item item{&result, &behaviour, {&result, behaviour.case_id, behaviour.cases, {}, false, false}, {}, {},
            {},      {}};
  const auto one = campaign::parse_case(behaviour.case_id);
  if (!one) return item;
  item.occurrence.recut = one->recut;
  item.occurrence.fault = one->fault.has_value();
  item.occurrence.cut = one->recut.empty() && !one->fault &&
                        !std::holds_alternative<split::Whole>(one->split) &&
                        !std::holds_alternative<split::AsRecorded>(one->split);
  item.trigger = one->fault ? "fault " + kind_of(*one->fault) : one->recut;
  if (item.occurrence.cut) item.trigger = "cut";
  return item;
}

class Target {
 public:
  Target(std::vector<const RecordingResult*> results, const contract::Clients& clients, bool strict)
      : results_(std::move(results)), clients_(clients), strict_(strict), rules_(results_) {
    for (const RecordingResult* result : results_) add_items(*result);
    find_association();
    for (Item& item : items_) find_roots(item);
    settle_triggers();
  }

  std::vector<Cause> causes() {
    group();
    merge_alike();
    std::vector<Cause> causes;
    for (const auto& [root, items] : groups_) causes.push_back(cause_of(root, items));
    for (const RecordingResult* result : results_) add_uncovered(*result, causes);
    std::stable_sort(causes.begin(), causes.end(), [this](const Cause& a, const Cause& b) {
      const auto rank = [this](const Cause& cause) {
        return std::tuple(cause.harm(), -static_cast<long>(cause.ordinary()),
                          -static_cast<long>(cause.recordings()), rules_.of(cause.rule));
      };
      return rank(a) < rank(b);
    });
    count_findings(causes);
    return causes;
  }

 private:
  using Group = std::vector<const Item*>;

  bool counts(const RecordingResult& result, const Symptom& symptom) const {
    if (!campaign::decides(symptom.level, strict_)) return false;
    return std::none_of(result.rows.begin(), result.rows.end(), [&](const campaign::Row& row) {
      return row.obligation == symptom.obligation && row.expectation;
    });
  }

  void add_items(const RecordingResult& result) {
    const std::size_t first = items_.size();
    for (const Behaviour& behaviour : result.behaviours) {
      Item item = item_of(result, behaviour);
      for (const Symptom& symptom : behaviour.symptoms)
        if (counts(result, symptom)) item.violated.push_back(rules_.of(symptom.obligation));
      std::sort(item.violated.begin(), item.violated.end());
      items_.push_back(std::move(item));
    }
    const Item* arrived =
        nullptr;  // the recording as it arrived; where only something else turned out so, in one piece
    for (std::size_t i = first; i < items_.size(); ++i) {
      if (!items_[i].trigger.empty()) continue;
      if (arrived == nullptr || items_[i].behaviour->case_id.ends_with("gen=recorded")) arrived = &items_[i];
    }
    for (std::size_t i = first; i < items_.size(); ++i) {
      Item& item = items_[i];
      if (arrived == nullptr || arrived == &item) {
        item.fresh = item.violated;
        continue;
      }
      std::set_difference(item.violated.begin(), item.violated.end(), arrived->violated.begin(),
                          arrived->violated.end(), std::back_inserter(item.fresh));
      // It differs from an answer that is wrong: that is no news.
      const bool only_differs = std::all_of(item.fresh.begin(), item.fresh.end(), [this](std::size_t rule) {
        return only_compares(*rules_.at(rule));
      });
      if (only_differs && !arrived->violated.empty()) item.fresh.clear();
    }
  }

  void find_association() {
    Association association(rules_.size(), items_.size());
    std::set<std::size_t> violated;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      for (const std::size_t rule : items_[i].violated) association.set_violated(rule, i);
      for (const Obligation* rule : items_[i].behaviour->meets) association.set_met(rules_.of(rule), i);
      violated.insert(items_[i].violated.begin(), items_[i].violated.end());
    }
    for (const std::size_t a : violated)
      for (const std::size_t b : violated)
        if (a != b && entails(a, b, association)) entailed_.emplace(a, b);
  }

  bool follows(std::size_t b, std::size_t a) const {
    const auto& ids = rules_.at(b)->follows;
    return std::find(ids.begin(), ids.end(), rules_.at(a)->id) != ids.end();
  }

  // Whether a violation of `b` is a consequence of one of `a` in the same case.
  bool entails(std::size_t a, std::size_t b, const Association& association) const {
    if (only_compares(*rules_.at(a)) || follows(a, b)) return false;
    if (only_compares(*rules_.at(b)) || follows(b, a)) return true;
    // One case is enough for a rule about a shape of the upstream's answer to be behind one that asks of every answer.
    const bool tells_more = rules_.at(a)->of_a_shape && !rules_.at(b)->of_a_shape;
    return association.comes_with(b, a, tells_more ? 1 : 3);
  }

  // Where each of two entails the other, the one that tells more of the upstream's answer is what the other comes of.
  auto rank(std::size_t rule) const { return std::pair(!rules_.at(rule)->of_a_shape, rule); }

  bool is_behind(std::size_t a, std::size_t b) const {
    return entailed_.count({a, b}) != 0 && (entailed_.count({b, a}) == 0 || rank(a) < rank(b));
  }

  void find_roots(Item& item) {
    for (const std::size_t rule : item.fresh) {
      const bool has_another_behind =
          std::any_of(item.fresh.begin(), item.fresh.end(),
                      [&](std::size_t other) { return other != rule && is_behind(other, rule); });
      if (!has_another_behind) item.roots.push_back(rule);
    }
    if (item.roots.empty() && !item.fresh.empty())  // each is behind another
      item.roots = {*std::min_element(item.fresh.begin(), item.fresh.end(),
                                      [this](auto a, auto b) { return rank(a) < rank(b); })};
  }

  // One thing was done to the recorded body, so one cause is behind all that came of it: the one that this trigger shows
  // most often.
  void settle_triggers() {
    std::map<std::pair<std::string, std::size_t>, std::size_t> by_trigger;
    std::map<std::size_t, std::size_t> all;
    for (const Item& item : items_) {
      for (const std::size_t root : item.roots) {
        ++by_trigger[{item.trigger, root}];
        ++all[root];
      }
    }
    for (Item& item : items_) {
      if (item.trigger.empty() || item.roots.size() < 2) continue;
      item.roots = {
          *std::max_element(item.roots.begin(), item.roots.end(), [&](std::size_t a, std::size_t b) {
            const auto weight = [&](std::size_t root) {
              return std::tuple(by_trigger[{item.trigger, root}], all[root], -static_cast<long>(root));
            };
            return weight(a) < weight(b);
          })};
    }
  }

  void group() {
    for (const Item& item : items_)
      for (const std::size_t root : item.roots) groups_[root].push_back(&item);
  }

  void merge_alike() {
    std::map<Group, std::size_t> known;
    std::vector<std::size_t> roots;
    for (const auto& entry : groups_) roots.push_back(entry.first);
    std::sort(roots.begin(), roots.end(), [this](auto a, auto b) { return rank(a) < rank(b); });
    for (const std::size_t root : roots) {
      merged_[root] = root;
      if (is_everywhere(groups_[root])) continue;
      const auto [first, is_new] = known.try_emplace(groups_[root], root);
      merged_[root] = first->second;
      if (!is_new) groups_.erase(root);
    }
    std::reverse(roots.begin(), roots.end());
    for (const std::size_t root : roots) {
      const auto group = groups_.find(root);
      if (group == groups_.end()) continue;
      const auto other = told_with(root, group->second);
      if (!other) continue;
      for (auto& entry : merged_)
        if (entry.second == root) entry.second = *other;
      groups_.erase(group);
    }
  }

  // Whether it shows whatever is tried: that two such causes show in the same cases says nothing.
  bool is_everywhere(const Group& group) const {
    constexpr std::size_t kMany = 20;
    return items_.size() >= kMany && group.size() * 10 > items_.size() * 9;
  }

  // Another cause of the only recording in which this one shows, if that is rare too: then they are taken for one.
  std::optional<std::size_t> told_with(std::size_t root, const Group& group) const {
    constexpr std::size_t kRare = 10;  // one in so many
    std::map<std::size_t, std::set<const Item*>> others;
    for (const Item* item : group) {
      if (item->in != group.front()->in) return std::nullopt;
      for (const std::size_t one : item->roots) others[merged_.at(one)].insert(item);
    }
    std::optional<std::size_t> best;
    for (const auto& [other, items] : others) {
      const bool is_in_all = items.size() == group.size();
      if (other == root || !is_in_all || groups_.at(other).size() * kRare > items_.size()) continue;
      if (!best || rank(other) < rank(*best)) best = other;
    }
    return best;
  }

  // Whether a rule that is violated anew in an item is told under this root.
  bool is_below(const Item& item, std::size_t rule, std::size_t root) const {
    if (rule == root) return false;
    const auto told_under = [this](std::size_t one) { return merged_.at(one); };
    if (std::find(item.roots.begin(), item.roots.end(), rule) != item.roots.end())
      return told_under(rule) == root;
    std::set<std::size_t> behind;
    for (const std::size_t one : item.roots)
      if (is_behind(one, rule)) behind.insert(told_under(one));
    // It comes of what comes of one of them.
    return behind.empty() ? told_under(item.roots.front()) == root : behind.count(root) != 0;
  }

  Cause cause_of(std::size_t root, const Group& items) {
    Cause cause;
    cause.rule = rules_.at(root);
    const Item* shown = items.front();
    std::set<const RecordingResult*> in;
    for (const Item* item : items) {
      cause.occurrences.push_back(item->occurrence);
      in.insert(item->in);
      for (const std::size_t rule : item->fresh)
        if (is_below(*item, rule, root)) ++cause.below[rules_.at(rule)];
      if (easier(*item, *shown)) shown = item;
    }
    for (const Item& item : items_) {
      if (in.count(item.in) != 0 && std::count(item.violated.begin(), item.violated.end(), root) != 0)
        cause.cases += item.behaviour->cases;
    }
    const Behaviour& behaviour = *shown->behaviour;
    const Symptom& symptom = *std::find_if(behaviour.symptoms.begin(), behaviour.symptoms.end(),
                                           [&](const Symptom& one) { return one.obligation == cause.rule; });
    cause.target = shown->in->target;
    cause.in = shown->in;
    cause.level = symptom.level;
    cause.shown = campaign::reproducer_of(behaviour, symptom);
    cause.impacts = impacts_of(cause, behaviour.symptoms, clients_);
    return cause;
  }

  static bool easier(const Item& a, const Item& b) {
    const auto rank = [](const Item& item) {
      return std::tuple(item.occurrence.fault, !item.occurrence.recut.empty(),
                        item.behaviour->upstream.cuts.size(), item.violated.size(),
                        item.behaviour->upstream.body.size());
    };
    return rank(a) < rank(b);
  }

  bool is_finding(const campaign::Row& row) const {
    return row.verdict == contract::Verdict::violated && !row.expectation &&
           campaign::decides(row.level, strict_);
  }

  // What none of the cases shows is a cause by itself.
  void add_uncovered(const RecordingResult& result, std::vector<Cause>& causes) const {
    for (const campaign::Row& row : result.rows) {
      if (!is_finding(row) || is_shown(result, *row.obligation)) continue;
      auto cause = std::find_if(causes.begin(), causes.end(),
                                [&](const Cause& one) { return one.rule->id == row.obligation->id; });
      if (cause == causes.end()) {
        cause = causes.emplace(causes.end());
        cause->target = result.target;
        cause->rule = row.obligation;
      }
      if (cause->in == nullptr || easier_to_read(*row.first, cause->shown)) {
        cause->level = row.level;
        cause->in = &result;
        cause->shown = *row.first;
        cause->impacts = impacts_of(*cause, {}, clients_);
      }
      cause->occurrences.push_back({&result, row.first->case_id, row.violating, {}, false, false});
      cause->cases += row.violating;
    }
  }

  static bool is_shown(const RecordingResult& result, const Obligation& rule) {
    const auto has_it = [&](const Symptom& symptom) { return symptom.obligation->id == rule.id; };
    return std::any_of(result.behaviours.begin(), result.behaviours.end(), [&](const Behaviour& behaviour) {
      return std::any_of(behaviour.symptoms.begin(), behaviour.symptoms.end(), has_it);
    });
  }

  // Each finding belongs to the cause whose rule it violates, else to the first that has it below.
  void count_findings(std::vector<Cause>& causes) const {
    std::set<const campaign::Row*> taken;
    const auto take = [&](Cause& cause, const auto& is_its_own) {
      std::set<const RecordingResult*> in;
      for (const Occurrence& occurrence : cause.occurrences) in.insert(occurrence.in);
      for (const RecordingResult* result : in) {
        for (const campaign::Row& row : result->rows) {
          if (is_finding(row) && is_its_own(*row.obligation) && taken.insert(&row).second)
            cause.own.insert(&row);
        }
      }
    };
    for (Cause& cause : causes)
      take(cause, [&](const Obligation& rule) { return rule.id == cause.rule->id; });
    for (Cause& cause : causes) {
      take(cause,
           [&](const Obligation& rule) { return cause.below.count(&rule) != 0 || only_compares(rule); });
      cause.findings = cause.own.size();
    }
  }

  const std::vector<const RecordingResult*> results_;
  const contract::Clients& clients_;
  const bool strict_;
  const Rules rules_;
  std::vector<Item> items_;
  std::set<std::pair<std::size_t, std::size_t>> entailed_;  // the first entails the second
  std::map<std::size_t, Group> groups_;                     // by root
  std::map<std::size_t, std::size_t> merged_;               // under which root each is told
};

std::size_t count_recordings(const std::vector<Occurrence>& occurrences, bool ordinary) {
  std::set<const RecordingResult*> in;
  for (const Occurrence& one : occurrences)
    if (!ordinary || (one.recut.empty() && !one.fault)) in.insert(one.in);
  return in.size();
}

}  // namespace

std::size_t Cause::recordings() const { return count_recordings(occurrences, false); }

std::size_t Cause::ordinary() const { return count_recordings(occurrences, true); }

std::vector<Cause> causes_of(const std::vector<RecordingResult>& results, const contract::Clients& clients,
                             bool strict) {
  std::vector<std::pair<std::string, std::vector<const RecordingResult*>>> targets;
  for (const RecordingResult& result : results) {
    auto known = std::find_if(targets.begin(), targets.end(),
                              [&](const auto& entry) { return entry.first == result.target; });
    if (known == targets.end()) known = targets.insert(targets.end(), {result.target, {}});
    known->second.push_back(&result);
  }
  std::vector<Cause> all;
  for (auto& [name, of_target] : targets) {
    std::vector<Cause> causes = Target(std::move(of_target), clients, strict).causes();
    std::move(causes.begin(), causes.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace splitproof::cause
