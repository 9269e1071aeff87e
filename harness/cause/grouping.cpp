#include "harness/cause/grouping.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

namespace splitproof::cause {
namespace {

using results::RecordingResult;
using results::Rule;
using results::Symptom;

constexpr std::size_t kRun = 3;  // events

bool are_at_one_place(const Symptom& a, const Symptom& b) {
  return a.place.event && a.place.begin == b.place.begin && a.place.end == b.place.end;
}

// True if the symptom is at an event that occurred before in the answer, apart from numbers.
bool is_repeat(const Symptom& symptom, const std::string& body) {
  if (!symptom.place.event || symptom.place.end > body.size()) return false;
  const auto without_numbers = [](std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
  };
  return without_numbers(body.substr(0, symptom.place.begin))
             .find(without_numbers(body.substr(
                 symptom.place.begin, symptom.place.end - symptom.place.begin))) != std::string::npos;
}

// True if both symptoms are at repeated events of one run.
bool are_of_one_repeat(const Symptom& a, const Symptom& b, const std::string& body) {
  return a.place.event && b.place.event &&
         std::max(*a.place.event, *b.place.event) - std::min(*a.place.event, *b.place.event) <= kRun &&
         is_repeat(a, body) && is_repeat(b, body);
}

}  // namespace

Grouping::Grouping(const std::vector<BehaviourSample>& items, const ViolationKinds& signs)
    : items_(items), signs_(signs), together_(items, signs), leaders_(signs.size()) {
  std::iota(leaders_.begin(), leaders_.end(), 0);
  for (std::size_t sign = 0; sign < signs_.size(); ++sign)
    stands_.push_back(signs_[sign].telling != Specificity::compares && together_.stands(sign));
  for (std::size_t sign = 0; sign < signs_.size(); ++sign)
    if (stands_[sign]) leaders_[sign] = top_of(sign);
  for (const BehaviourSample& item : items_) roots_.push_back(roots_of(item));
  keep_one_root_a_trigger();
  drop_lone_roots();
  drop_healed();
  join_alike();
  join_by_recut();
  join_lone();
  join_garbled();
  join_to_where_it_shows();
  join_kin();
  join_to_usual();
  join_within_shape();
  join_invented();
  yield_to_greater();
  join_statements();  // yield_to_greater() already dropped parts that few recordings show
}

// Returns the most frequent near-universal sign that contains this one. The sign follows it, occurs at the
// same event, or is kin and rarely shows without it.
std::size_t Grouping::top_of(std::size_t sign) const {
  const std::size_t count = together_.count(sign);
  const auto is_under = [&](std::size_t other) {
    if (other == sign || !stands_[other] || signs_.is_follower(other, sign)) return false;
    if (signs_.is_follower(sign, other)) return true;
    if (!may_explain(other, sign)) return false;
    const std::size_t others = together_.count(other);
    if (others < count || (others == count && other > sign)) return false;
    // Two universal signs always co-occur, so co-occurrence proves nothing.
    const bool is_everywhere = others * 100 > together_.items() * 97;
    if (signs_.are_kin(sign, other) && !is_everywhere && together_.is_inside(sign, other)) return true;
    if (signs_[sign].telling != Specificity::form || signs_[other].telling != Specificity::form) return false;
    const auto at_one_place = std::count_if(items_.begin(), items_.end(), [&](const BehaviourSample& item) {
      const auto a = item.shows.find(sign);
      const auto b = item.shows.find(other);
      return item.arrived && a != item.shows.end() && b != item.shows.end() &&
             (are_at_one_place(*a->second, *b->second) ||
              are_of_one_repeat(*a->second, *b->second, item.behaviour->body));
    });
    return is_nearly(static_cast<std::size_t>(at_one_place), count);
  };
  std::size_t top = sign;
  for (std::size_t other = 0; other < signs_.size(); ++other)
    if (is_under(other) && (top == sign || together_.count(other) > together_.count(top))) top = other;
  return top;
}

// True if the stake of `b` is not graver than the stake of `a`. Then the violation `a` may explain `b`.
bool Grouping::may_explain(std::size_t a, std::size_t b) const { return signs_[a].stake <= signs_[b].stake; }

// True if the roots may be joined merely because they show in the same cases. Grave violations of different
// stakes are several faults.
bool Grouping::may_coincide(std::size_t a, std::size_t b) const {
  const Stake one = signs_[leader(a)].stake;
  const Stake other = signs_[leader(b)].stake;
  return one == other || !is_grave(std::max(one, other));
}

// True if `a` explains `b` when both are new in one case.
bool Grouping::is_behind(std::size_t a, std::size_t b) const {
  const Specificity one = signs_[a].telling;
  const Specificity other = signs_[b].telling;
  if (signs_[a].rule == signs_[b].rule || one == Specificity::compares) return false;
  if (other == Specificity::compares) return true;
  if (stands_[b]) return false;
  if (signs_.are_one_statement(a, b)) return one > other;
  if (signs_.is_follower(a, b)) return false;
  if (signs_.is_follower(b, a)) return true;
  if (stands_[a] || one < other || !may_explain(a, b)) return false;
  if (one > other && other != Specificity::form) return !together_.is_constant(b);
  if (one > other) return together_.comes_with(b, a);
  const bool may_hide = signs_[a].stake == signs_[b].stake || !is_grave(signs_[b].stake);
  return may_hide && (one != Specificity::shape || signs_.are_kin(a, b)) && together_.is_inside(b, a);
}

Grouping::Roots Grouping::roots_of(const BehaviourSample& item) const {
  Roots roots;
  Roots standing;
  // A repeated event also violates other rules.
  const auto is_of_repeat = [&](std::size_t sign) {
    return signs_[sign].telling == Specificity::form && !stands_[sign] &&
           std::any_of(item.shows.begin(), item.shows.end(), [&](const auto& other) {
             return stands_[other.first] && signs_[other.first].telling == Specificity::form &&
                    are_at_one_place(*item.shows.at(sign), *other.second) &&
                    is_repeat(*other.second, item.behaviour->body);
           });
  };
  const auto add_standing = [&](std::size_t sign) {
    if (!contains(standing, leader(sign))) standing.push_back(leader(sign));
  };
  for (const std::size_t sign : item.fresh) {
    if (is_of_repeat(sign)) continue;
    if (stands_[sign]) {
      add_standing(sign);
      continue;
    }
    // A follower of a near-universal sign has the same cause, even if that sign is not new here.
    const auto above = std::find_if(item.shows.begin(), item.shows.end(), [&](const auto& other) {
      return stands_[other.first] && signs_.is_follower(sign, other.first);
    });
    if (above != item.shows.end()) {
      add_standing(above->first);
      continue;
    }
    const bool has_another_behind = std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
      return other != sign && is_behind(other, sign) && !is_of_repeat(other);
    });
    if (!has_another_behind) roots.push_back(sign);
  }
  if (roots.empty() && standing.empty() && !item.fresh.empty())  // each has an explanation in a cycle
    roots.push_back(
        *std::max_element(item.fresh.begin(), item.fresh.end(), [&](std::size_t a, std::size_t b) {
          return std::pair(signs_[a].telling, b) < std::pair(signs_[b].telling, a);
        }));
  // Shape rules that report the same difference share a cause. A near-universal sign takes them, unless the
  // shape rule has followers.
  const auto is_told = [&](std::size_t sign) {
    if (signs_[sign].telling != Specificity::shape) return false;
    const auto rank = [&](std::size_t one) { return std::pair(together_.count(one), signs_.size() - one); };
    const bool has_more = std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
      return !stands_[other] && signs_.is_follower(other, sign);
    });
    return std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
      if (other == sign || !signs_.are_one_difference(*item.shows.at(sign), *item.shows.at(other)))
        return false;
      if (stands_[other]) return !has_more;
      return signs_[other].telling == Specificity::shape && contains(roots, other) &&
             rank(other) > rank(sign);
    });
  };
  Roots kept;
  std::copy_if(roots.begin(), roots.end(), std::back_inserter(kept),
               [&](std::size_t sign) { return !is_told(sign); });
  kept.insert(kept.end(), standing.begin(), standing.end());
  return kept;
}

std::size_t Grouping::leader(std::size_t root) const {
  for (std::size_t steps = 0; leaders_[root] != root && steps < signs_.size(); ++steps) root = leaders_[root];
  return root;
}

std::vector<std::size_t> Grouping::samples_of(const Roots& roots) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (std::any_of(roots.begin(), roots.end(), [&](std::size_t root) { return contains(roots_[i], root); }))
      found.push_back(i);
  return found;
}

Grouping::Roots Grouping::of_rule(std::size_t sign) const {
  Roots all;
  for (std::size_t other = 0; other < signs_.size(); ++other)
    if (signs_[other].rule == signs_[sign].rule) all.push_back(other);
  return all;
}

std::vector<std::size_t> Grouping::arrived_of(const Roots& roots) const {
  std::vector<std::size_t> found = samples_of(roots);
  found.erase(
      std::remove_if(found.begin(), found.end(), [this](std::size_t i) { return !items_[i].arrived; }),
      found.end());
  return found;
}

// Returns all items of the same recording.
std::pair<Grouping::Items, Grouping::Items> Grouping::of_recording(std::size_t i) const {
  return std::equal_range(
      items_.begin(), items_.end(), items_[i],
      [](const BehaviourSample& a, const BehaviourSample& b) { return a.recording < b.recording; });
}

std::size_t Grouping::count_recordings(const Roots& roots) const {
  Recordings found;
  for (const std::size_t i : samples_of(roots)) found.insert(items_[i].in);
  return found.size();
}

Grouping::Recordings Grouping::recordings_of(const Roots& roots) const {
  Recordings found;
  for (const std::size_t i : arrived_of(roots)) found.insert(items_[i].in);
  return found;
}

std::map<std::size_t, Grouping::Roots> Grouping::clusters() const {
  Roots all;
  for (const Roots& roots : roots_)
    for (const std::size_t root : roots)
      if (!stands_[root] && !contains(all, root)) all.push_back(root);
  std::sort(all.begin(), all.end());
  std::map<std::size_t, Roots> found;
  for (const std::size_t root : all) found[leader(root)].push_back(root);
  return found;
}

// Counts the items of the recording that show both signs or neither.
std::size_t Grouping::agreement(std::size_t a, std::size_t b, std::size_t i) const {
  const auto [begin, end] = of_recording(i);
  return static_cast<std::size_t>(std::count_if(begin, end, [&](const BehaviourSample& item) {
    return item.shows.contains(a) == item.shows.contains(b);
  }));
}

// True if nearly all of these items agree.
bool Grouping::is_agreed(std::size_t a, std::size_t b, std::size_t i) const {
  const auto [begin, end] = of_recording(i);
  return is_nearly(agreement(a, b, i), static_cast<std::size_t>(end - begin));
}

// Returns the root that a new sign of an item is counted under.
Grouping::Owner Grouping::owner_of(std::size_t sign, std::size_t i) const {
  const BehaviourSample& item = items_[i];
  const Roots& roots = roots_[i];
  if (stands_[sign] || contains(roots, sign)) return {leader(sign), true};
  const auto comes_of = [&](std::size_t root) {
    if (is_behind(root, sign)) return 2;
    return std::any_of(item.fresh.begin(), item.fresh.end(),
                       [&](std::size_t other) { return is_behind(root, other) && is_behind(other, sign); })
               ? 1
               : 0;
  };
  const auto is_same = [&](std::size_t root) {
    const auto shown = item.shows.find(root);
    return shown != item.shows.end() && (signs_.are_one_difference(*shown->second, *item.shows.at(sign)) ||
                                         are_at_one_place(*shown->second, *item.shows.at(sign)));
  };
  const bool compares = signs_[sign].telling == Specificity::compares;
  const auto weight = [&](std::size_t root) {
    return std::tuple(comes_of(root), signs_.is_follower(sign, root), is_same(root),
                      compares ? agreement(root, sign, i) : 0, !stands_[root], signs_[root].telling,
                      together_.both(root, sign), signs_.size() - root);
  };
  const std::size_t best = *std::max_element(
      roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
  // A near-universal sign does not explain others. In a modified recording it does, because only one thing
  // was changed.
  const Roots of_its_rule = of_rule(best);
  const bool is_everywhere =
      stands_[leader(best)] ||
      std::any_of(of_its_rule.begin(), of_its_rule.end(), [this](std::size_t one) { return stands_[one]; });
  const bool is_sure = compares ? is_agreed(best, sign, i)
                                : signs_.is_follower(sign, best) || is_same(best) ||
                                      (!is_everywhere && (!item.arrived || comes_of(best) > 0));
  return {leader(best), is_sure};
}

std::vector<Group> Grouping::groups() const {
  std::vector<std::size_t> order(items_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    const auto rank = [this](std::size_t i) {
      return std::tuple(items_[i].is_triggered(), items_[i].behaviour->upstream.cuts.size(),
                        items_[i].shows.size());
    };
    return rank(a) < rank(b);
  });
  struct Owned {
    std::size_t sign;
    std::size_t item;
    Owner owner;
  };
  std::map<std::pair<std::size_t, std::size_t>, Owned> owners;  // by recording and rank of the rule
  const auto violation = [this](std::size_t sign, std::size_t i) {
    return std::pair(items_[i].recording, signs_[sign].rank);
  };
  for (const std::size_t i : order) {
    if (roots_[i].empty()) continue;
    for (const std::size_t sign : items_[i].fresh)
      owners.try_emplace(violation(sign, i), Owned{sign, i, owner_of(sign, i)});
  }
  // A sign that is not new belongs to the earlier sign with its difference. A mere difference belongs to the
  // sign that agrees with it in most cases of the recording.
  const auto differing = [&](std::size_t sign, std::size_t i) {
    const auto begin = owners.lower_bound({items_[i].recording, 0});
    const auto end = owners.lower_bound({items_[i].recording + 1, 0});
    return std::max_element(begin, end, [&](const auto& a, const auto& b) {
      return agreement(a.second.sign, sign, i) < agreement(b.second.sign, sign, i);
    });
  };
  for (const std::size_t i : order) {
    for (const auto& [sign, symptom] : items_[i].shows) {
      if (owners.count(violation(sign, i)) != 0) continue;
      const auto before = items_[i].as_before.find(sign);
      const bool is_known = before != items_[i].as_before.end();
      const auto known = is_known ? owners.find(violation(before->second, i)) : differing(sign, i);
      if (known == owners.end() || known->first.first != items_[i].recording) continue;
      const auto [first, told] = *known;
      owners.emplace(violation(sign, i),
                     Owned{sign, i, {told.owner.lead, is_known || is_agreed(told.sign, sign, i)}});
    }
  }
  std::map<std::size_t, Group> groups;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    for (const std::size_t root : roots_[i]) {
      Group& group = groups[leader(root)];
      if (!contains(group.roots, root)) group.roots.push_back(root);
      if (group.items.empty() || group.items.back() != &items_[i]) group.items.push_back(&items_[i]);
    }
  }
  // True if a near-universal sign already reports this difference.
  const auto is_told_already = [&](const Owned& owned) {
    const BehaviourSample& item = items_[owned.item];
    return !stands_[owned.sign] && std::any_of(item.shows.begin(), item.shows.end(), [&](const auto& other) {
      return stands_[other.first] && leader(other.first) != owned.owner.lead &&
             signs_.are_one_difference(*item.shows.at(owned.sign), *other.second);
    });
  };
  for (const auto& [place, owned] : owners) {
    Group& group = groups[owned.owner.lead];
    group.violations.emplace_back(items_[owned.item].in, signs_[owned.sign].rule);
    if (!owned.owner.is_sure || is_told_already(owned)) group.doubtful.push_back(group.violations.back());
  }
  std::vector<Group> all;
  for (auto& [lead, group] : groups) {
    if (group.violations.empty()) continue;
    std::stable_sort(group.roots.begin(), group.roots.end(),
                     [this](std::size_t a, std::size_t b) { return rank_of_root(a) < rank_of_root(b); });
    all.push_back(std::move(group));
  }
  return all;
}

}  // namespace splitproof::cause
