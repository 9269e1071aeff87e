#include "harness/cause/grouping.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "harness/strict_json.hpp"

namespace splitproof::cause {
namespace {

using campaign::RecordingResult;
using campaign::Symptom;
using contract::Obligation;

constexpr std::size_t kFew = 3;

bool contains(const std::vector<std::size_t>& all, std::size_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_nearly(std::size_t part, std::size_t whole) { return part * 5 >= whole * 4; }

// "call" of "call:ia.n", "call:repeat-id" of "call:in.a.a:repeat-id".
std::string kind_of(const std::string& recut) {
  const std::size_t colon = recut.find(':');
  if (colon == std::string::npos) return recut;
  const std::size_t detail = recut.find(':', colon + 1);
  return recut.substr(0, colon) + (detail == std::string::npos ? "" : recut.substr(detail));
}

bool are_at_one_place(const Symptom& a, const Symptom& b) {
  return a.event && a.begin == b.begin && a.end == b.end;
}

// Whether it is told of an event that the answer has before already, numbers aside.
bool is_repeat(const Symptom& symptom, const std::string& body) {
  if (!symptom.event || symptom.end > body.size()) return false;
  const auto without_numbers = [](std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
  };
  return without_numbers(body.substr(0, symptom.begin))
             .find(without_numbers(body.substr(symptom.begin, symptom.end - symptom.begin))) !=
         std::string::npos;
}

// Whether both are told of events of one run that came before already.
bool are_of_one_repeat(const Symptom& a, const Symptom& b, const std::string& body) {
  return a.event && b.event && std::max(*a.event, *b.event) - std::min(*a.event, *b.event) <= kFew &&
         is_repeat(a, body) && is_repeat(b, body);
}

// Whether it has characters of which nothing is left but that they could not be read.
bool is_garbled(const Symptom& symptom) {
  constexpr std::string_view kUnreadable = "\xef\xbf\xbd";
  return symptom.violation.found.find(kUnreadable) != std::string::npos &&
         symptom.violation.wanted.find(kUnreadable) == std::string::npos;
}

}  // namespace

Grouping::Grouping(const std::vector<Item>& items, const Signs& signs)
    : items_(items), signs_(signs), together_(items, signs), leaders_(signs.size()) {
  std::iota(leaders_.begin(), leaders_.end(), 0);
  for (std::size_t sign = 0; sign < signs_.size(); ++sign)
    stands_.push_back(signs_[sign].telling != Telling::compares && together_.stands(sign));
  for (std::size_t sign = 0; sign < signs_.size(); ++sign)
    if (stands_[sign]) leaders_[sign] = top_of(sign);
  for (const Item& item : items_) roots_.push_back(roots_of(item));
  keep_one_root_a_trigger();
  drop_lone_roots();
  join_alike();
  join_by_recut();
  join_lone();
  join_garbled();
  join_to_where_it_shows();
  join_kin();
  join_to_usual();
}

// The largest of the signs that stand and that this one is a part of: it follows it, or is told of the same event, or is
// kin and hardly shows without it.
std::size_t Grouping::top_of(std::size_t sign) const {
  const std::size_t count = together_.count(sign);
  const auto is_under = [&](std::size_t other) {
    if (other == sign || !stands_[other] || signs_.is_follower(other, sign)) return false;
    if (signs_.is_follower(sign, other)) return true;
    const std::size_t others = together_.count(other);
    if (others < count || (others == count && other > sign)) return false;
    // Two that are everywhere have nothing to be told together by.
    const bool is_everywhere = others * 100 > together_.items() * 97;
    if (signs_.are_kin(sign, other) && !is_everywhere && together_.is_inside(sign, other)) return true;
    if (signs_[sign].telling != Telling::form || signs_[other].telling != Telling::form) return false;
    const auto at_one_place = std::count_if(items_.begin(), items_.end(), [&](const Item& item) {
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

// Whether, where both are news of one case, `b` comes of `a`.
bool Grouping::is_behind(std::size_t a, std::size_t b) const {
  const Telling one = signs_[a].telling;
  const Telling other = signs_[b].telling;
  if (signs_[a].rule == signs_[b].rule || one == Telling::compares) return false;
  if (other == Telling::compares) return true;
  if (signs_.is_follower(a, b) || stands_[b]) return false;
  if (signs_.is_follower(b, a)) return true;
  if (stands_[a] || one < other) return false;
  if (one > other) return other != Telling::form || together_.comes_with(b, a);
  return (one != Telling::shape || signs_.are_kin(a, b)) && together_.is_inside(b, a);
}

Grouping::Roots Grouping::roots_of(const Item& item) const {
  Roots roots;
  Roots standing;
  for (const std::size_t sign : item.fresh) {
    if (stands_[sign]) {
      if (!contains(standing, leader(sign))) standing.push_back(leader(sign));
      continue;
    }
    const bool has_another_behind = std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
      return other != sign && is_behind(other, sign);
    });
    if (!has_another_behind) roots.push_back(sign);
  }
  if (roots.empty() && standing.empty() && !item.fresh.empty())  // each is behind another
    roots.push_back(
        *std::max_element(item.fresh.begin(), item.fresh.end(), [&](std::size_t a, std::size_t b) {
          return std::pair(signs_[a].telling, b) < std::pair(signs_[b].telling, a);
        }));
  // Rules about shapes that found the same in place of the same tell of one thing, and what stands tells it first unless
  // there is more of it than that.
  const auto is_told = [&](std::size_t sign) {
    if (signs_[sign].telling != Telling::shape) return false;
    const auto rank = [&](std::size_t one) { return std::pair(together_.count(one), signs_.size() - one); };
    const bool has_more = std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
      return !stands_[other] && signs_.is_follower(other, sign);
    });
    return std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
      if (other == sign || !signs_.are_one_difference(*item.shows.at(sign), *item.shows.at(other)))
        return false;
      if (stands_[other]) return !has_more;
      return signs_[other].telling == Telling::shape && contains(roots, other) && rank(other) > rank(sign);
    });
  };
  Roots kept;
  std::copy_if(roots.begin(), roots.end(), std::back_inserter(kept),
               [&](std::size_t sign) { return !is_told(sign); });
  kept.insert(kept.end(), standing.begin(), standing.end());
  return kept;
}

// One thing was done to the recorded body, so one cause is behind all that came of it: the one that this trigger shows
// most often.
void Grouping::keep_one_root_a_trigger() {
  std::map<std::pair<std::string, std::size_t>, std::size_t> by_trigger;
  std::map<std::size_t, std::size_t> all;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].arrived) continue;
    for (const std::size_t root : roots_[i]) {
      ++by_trigger[{items_[i].trigger(), root}];
      ++all[root];
    }
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].arrived || !items_[i].is_triggered()) continue;
    const auto weight = [&](std::size_t root) {
      return std::tuple(!stands_[root], by_trigger[{items_[i].trigger(), root}], all[root],
                        signs_.size() - root);
    };
    Roots kept;
    if (!roots_[i].empty())
      kept.push_back(*std::max_element(roots_[i].begin(), roots_[i].end(),
                                       [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); }));
    for (const std::size_t root : roots_[i])
      if (stands_[root] && !contains(kept, root)) kept.push_back(root);
    roots_[i] = std::move(kept);
  }
}

// What shows in one recording alone is a part of something else that is wrong there, unless its rule shows elsewhere; a
// rule about a shape only of what is wrong wherever the upstream's answer has another.
void Grouping::drop_lone_roots() {
  for (std::size_t sign = 0; sign < signs_.size(); ++sign) {
    if (stands_[sign] || count_recordings({sign}) != 1 || count_recordings(of_rule(sign)) > kFew) continue;
    const bool is_of_a_shape = signs_[sign].telling == Telling::shape;
    for (const std::size_t i : items_of({sign})) {
      const bool has_another = std::any_of(roots_[i].begin(), roots_[i].end(), [&](std::size_t root) {
        return root != sign && !stands_[root] &&
               (!is_of_a_shape ||
                (signs_[root].telling != Telling::shape && have_a_shape_of_their_own({root})));
      });
      if (has_another) roots_[i].erase(std::find(roots_[i].begin(), roots_[i].end(), sign));
    }
  }
}

void Grouping::join(std::size_t a, std::size_t b) {
  a = leader(a);
  b = leader(b);
  const auto weight = [this](std::size_t root) {
    return std::tuple(arrived_of({root}).size(), items_of({root}).size(), signs_.size() - root);
  };
  if (a == b) return;
  if (weight(a) < weight(b)) std::swap(a, b);
  leaders_[b] = a;
}

std::size_t Grouping::leader(std::size_t root) const {
  for (std::size_t steps = 0; leaders_[root] != root && steps < signs_.size(); ++steps) root = leaders_[root];
  return root;
}

std::vector<std::size_t> Grouping::items_of(const Roots& roots) const {
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
  std::vector<std::size_t> found = items_of(roots);
  found.erase(
      std::remove_if(found.begin(), found.end(), [this](std::size_t i) { return !items_[i].arrived; }),
      found.end());
  return found;
}

std::size_t Grouping::count_recordings(const Roots& roots) const {
  Recordings found;
  for (const std::size_t i : items_of(roots)) found.insert(items_[i].in);
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

void Grouping::join_alike() {
  std::map<std::vector<std::size_t>, std::size_t> known;
  for (const auto& [lead, roots] : clusters()) {
    const auto [first, is_new] = known.try_emplace(items_of(roots), lead);
    if (!is_new) join(first->second, lead);
  }
}

// Recuts of a kind do one thing: what shows mostly by them is one cause.
void Grouping::join_by_recut() {
  std::map<std::string, std::size_t> known;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> all = items_of(roots);
    std::map<std::string, std::size_t> kinds;
    for (const std::size_t i : all)
      if (!items_[i].recut.empty() && !items_[i].arrived) ++kinds[kind_of(items_[i].recut)];
    for (const auto& [kind, count] : kinds) {
      if (count * 2 <= all.size()) continue;
      const auto [first, is_new] = known.try_emplace(kind, lead);
      if (!is_new) join(first->second, lead);
    }
  }
}

// What shows in one recording alone comes of the same as what shows so in others, if these are most of those in which the
// upstream's answer has a certain shape.
void Grouping::join_lone() {
  std::map<std::string, std::size_t> all;
  for (const Item& item : items_)
    if (item.arrived)
      for (const std::string& shape : item.behaviour->shapes) ++all[shape];
  std::map<std::string, Roots> alone;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> shown = arrived_of(roots);
    if (shown.size() != 1 || count_recordings(roots) != 1) continue;
    for (const std::string& shape : items_[shown.front()].behaviour->shapes) alone[shape].push_back(lead);
  }
  for (const auto& [shape, leads] : alone)
    if (const std::size_t shown = arrived_of(leads).size(); shown > 1 && shown * 4 >= all[shape] * 3)
      for (const std::size_t lead : leads) join(leads.front(), lead);
}

// Characters that cannot be read any more are one thing, be they of texts or of calls.
void Grouping::join_garbled() {
  std::optional<std::size_t> first;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> shown = items_of(roots);
    const bool are_garbled = std::all_of(shown.begin(), shown.end(), [&, &roots = roots](std::size_t i) {
      return std::any_of(roots.begin(), roots.end(), [&](std::size_t root) {
        const auto symptom = items_[i].shows.find(root);
        return symptom != items_[i].shows.end() && is_garbled(*symptom->second);
      });
    });
    if (!are_garbled) continue;
    if (first) join(*first, lead);
    first = lead;
  }
}

// What shows by a recut, a cut or a fault alone, and hardly but in recordings that show something else as they arrive,
// comes of that: of several the rarest.
void Grouping::join_to_where_it_shows() {
  const auto all = clusters();
  for (const auto& [lead, roots] : all) {
    if (!arrived_of(roots).empty()) continue;
    Recordings in;
    for (const std::size_t i : items_of(roots)) in.insert(items_[i].in);
    std::optional<std::pair<std::size_t, std::size_t>> best;  // how many recordings, leader
    for (const auto& [other, others] : all) {
      const Recordings there = recordings_of(others);
      const auto shared = static_cast<std::size_t>(
          std::count_if(in.begin(), in.end(), [&](const auto* one) { return there.count(one) != 0; }));
      if (other == lead || in.size() < kFew || !is_nearly(shared, in.size())) continue;
      if (!best || there.size() < best->first) best = {there.size(), other};
    }
    if (best) join(best->second, lead);
  }
}

Grouping::Manner Grouping::manner_of(const Symptom& symptom) {
  const auto found = parse_strict_json(symptom.violation.found);
  const auto wanted = parse_strict_json(symptom.violation.wanted);
  if (!found || !wanted || !(*found)->is_array() || !(*wanted)->is_array() ||
      (*found)->size() == (*wanted)->size())
    return Manner::other;
  return (*found)->size() < (*wanted)->size() ? Manner::fewer : Manner::more;
}

// What most recordings that show these roots violate beside them, whatever the upstream's answer is.
Grouping::Way Grouping::way_of(const Roots& roots) const {
  std::map<Way::value_type, std::size_t> counts;
  const std::vector<std::size_t> arrived = arrived_of(roots);
  for (const std::size_t i : arrived) {
    const Item& item = items_[i];
    for (const std::size_t sign : item.fresh) {
      const Telling telling = signs_[sign].telling;
      if (telling == Telling::shape || telling == Telling::compares || stands_[sign] ||
          contains(roots_[i], sign))
        continue;
      const bool is_entailed = std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
        return signs_[other].telling != Telling::shape && signs_.is_follower(sign, other);
      });
      if (!is_entailed)
        ++counts[{sign, telling == Telling::outcome ? manner_of(*item.shows.at(sign)) : Manner::other}];
    }
  }
  Way way;
  for (const auto& [one, count] : counts)
    if (count * 2 > arrived.size()) way.insert(one);
  return way;
}

// Whether the recordings that show these roots have a shape in common that nearly all others lack.
bool Grouping::have_a_shape_of_their_own(const Roots& roots) const {
  const std::vector<std::size_t> shown = arrived_of(roots);
  if (shown.empty()) return false;
  const std::set<std::string>& some = items_[shown.front()].behaviour->shapes;
  return std::any_of(some.begin(), some.end(), [&](const std::string& shape) {
    const auto has_it = [&](std::size_t i) { return items_[i].behaviour->shapes.count(shape) != 0; };
    if (!std::all_of(shown.begin(), shown.end(), has_it)) return false;
    std::size_t all = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const bool has_another = std::any_of(roots_[i].begin(), roots_[i].end(), [&](std::size_t root) {
        return signs_[root].telling == Telling::shape && !contains(roots, root);
      });
      all += items_[i].arrived && has_it(i) && !has_another ? 1 : 0;
    }
    return is_nearly(shown.size(), all);
  });
}

// Rules of a kind that are violated in the same way, or wherever the upstream's answer has a certain shape.
void Grouping::join_kin() {
  struct Cluster {
    std::size_t lead;
    Roots roots;
    Way way;
    bool of_a_shape;
  };
  std::vector<Cluster> all;
  for (auto& [lead, roots] : clusters()) {
    const bool of_a_shape = std::any_of(roots.begin(), roots.end(), [this](std::size_t root) {
      return signs_[root].telling == Telling::shape;
    });
    all.push_back({lead, roots, way_of(roots), of_a_shape});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Cluster& a = all[i];
      const Cluster& b = all[j];
      if (!signs_.are_kin(a.lead, b.lead)) continue;
      Roots both = a.roots;
      both.insert(both.end(), b.roots.begin(), b.roots.end());
      if (a.way.empty() && b.way.empty()) {
        if (!recordings_of(a.roots).empty() && !recordings_of(b.roots).empty() &&
            have_a_shape_of_their_own(both))
          join(a.lead, b.lead);
        continue;
      }
      if (!a.of_a_shape || !b.of_a_shape) continue;
      Way common;
      std::set_intersection(a.way.begin(), a.way.end(), b.way.begin(), b.way.end(),
                            std::inserter(common, common.end()));
      const bool tells_enough = std::any_of(common.begin(), common.end(), [this](const auto& one) {
        return one.second != Manner::other || signs_[one.first].telling == Telling::form;
      });
      if (tells_enough && common.size() * 2 >= a.way.size() + b.way.size() - common.size())
        join(a.lead, b.lead);
    }
  }
}

// What is violated beside most that shows a rule about a shape, and seldom beside anything else, comes of the same also
// where it shows alone.
void Grouping::join_to_usual() {
  const auto all = clusters();
  for (const auto& [lead, roots] : all) {
    if (roots.size() != 1 || signs_[lead].telling == Telling::shape) continue;
    for (const auto& [other, others] : all) {
      if (signs_[other].telling != Telling::shape) continue;
      const bool follows = std::any_of(others.begin(), others.end(), [lead = lead, this](std::size_t root) {
        return signs_.is_follower(lead, root);
      });
      const std::vector<std::size_t> shown = arrived_of(others);
      const auto with =
          static_cast<std::size_t>(std::count_if(shown.begin(), shown.end(), [&, lead = lead](std::size_t i) {
            return items_[i].shows.count(lead) != 0;
          }));
      Roots both = others;
      both.push_back(lead);
      if (!follows && with >= kFew && with * 2 > shown.size() &&
          (with * 2 > together_.count(lead) ||
           (with * 3 > together_.count(lead) && have_a_shape_of_their_own(both))))
        join(other, lead);
    }
  }
}

// The root of an item under which one of its fresh signs is told.
std::size_t Grouping::owner_of(std::size_t sign, std::size_t i) const {
  const Item& item = items_[i];
  const Roots& roots = roots_[i];
  if (stands_[sign] || contains(roots, sign)) return leader(sign);
  const auto comes_of = [&](std::size_t root) {
    if (is_behind(root, sign)) return 2;
    return std::any_of(item.fresh.begin(), item.fresh.end(),
                       [&](std::size_t other) { return is_behind(root, other) && is_behind(other, sign); })
               ? 1
               : 0;
  };
  const auto weight = [&](std::size_t root) {
    const auto shown = item.shows.find(root);
    const bool is_same =
        shown != item.shows.end() && signs_.are_one_difference(*shown->second, *item.shows.at(sign));
    return std::tuple(comes_of(root), signs_.is_follower(sign, root), is_same, !stands_[root],
                      signs_[root].telling, together_.both(root, sign), signs_.size() - root);
  };
  return leader(*std::max_element(roots.begin(), roots.end(),
                                  [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); }));
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
    std::size_t lead;
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
  // What is no news belongs to what it is no news beside; what only differs, to whatever is wrong in that recording.
  for (const std::size_t i : order) {
    for (const auto& [sign, symptom] : items_[i].shows) {
      if (owners.count(violation(sign, i)) != 0) continue;
      const auto before = items_[i].as_before.find(sign);
      const auto known = before != items_[i].as_before.end() ? owners.find(violation(before->second, i))
                                                             : owners.lower_bound({items_[i].recording, 0});
      if (known != owners.end() && known->first.first == items_[i].recording)
        owners.emplace(violation(sign, i), Owned{sign, i, known->second.lead});
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
  for (const auto& [place, owned] : owners)
    groups[owned.lead].violations.emplace_back(items_[owned.item].in, signs_[owned.sign].rule);
  std::vector<Group> all;
  for (auto& [lead, group] : groups) {
    if (group.violations.empty()) continue;
    std::stable_sort(group.roots.begin(), group.roots.end(), [this](std::size_t a, std::size_t b) {
      const auto rank = [this](std::size_t root) {
        return std::tuple(arrived_of({root}).size(), items_of({root}).size());
      };
      return rank(a) > rank(b);
    });
    all.push_back(std::move(group));
  }
  return all;
}

}  // namespace splitproof::cause
