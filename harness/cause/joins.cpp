#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "harness/cause/grouping.hpp"
#include "harness/cause/kind.hpp"
#include "harness/strict_json.hpp"

// Joins roots that have one cause.

namespace splitproof::cause {
namespace {

using results::Symptom;

// "call" from "call:ia.n", "call:repeat-id" from "call:in.a.a:repeat-id".
std::string recut_kind(const std::string& recut) {
  const std::size_t colon = recut.find(':');
  if (colon == std::string::npos) return recut;
  const std::size_t detail = recut.find(':', colon + 1);
  return recut.substr(0, colon) + (detail == std::string::npos ? "" : recut.substr(detail));
}

// True if only the answer contains replacement characters (U+FFFD).
bool is_garbled(const Symptom& symptom) {
  constexpr std::string_view kUnreadable = "\xef\xbf\xbd";
  return symptom.violation.found.find(kUnreadable) != std::string::npos &&
         symptom.violation.wanted.find(kUnreadable) == std::string::npos;
}

// Collects the texts in a JSON value.
void add_texts(const nlohmann::json& value, std::set<std::string>& texts) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty())
    texts.insert(value.get<std::string>());
  if (value.is_structured())
    for (const auto& one : value) add_texts(one, texts);
}

std::set<std::string> texts_of(const std::string& json) {
  std::set<std::string> texts;
  if (const auto value = parse_strict_json(json)) add_texts(**value, texts);
  return texts;
}

}  // namespace

std::tuple<bool, Stake, long, long> Grouping::rank_of_root(std::size_t root) const {
  return {signs_[root].telling == Specificity::compares, signs_[root].stake,
          -static_cast<long>(arrived_of({root}).size()), -static_cast<long>(samples_of({root}).size())};
}

void Grouping::join(std::size_t a, std::size_t b) {
  a = leader(a);
  b = leader(b);
  if (a == b) return;
  if (std::pair(rank_of_root(b), b) < std::pair(rank_of_root(a), a)) std::swap(a, b);
  leaders_[b] = a;
}

void Grouping::join_coinciding(std::size_t a, std::size_t b) {
  if (may_coincide(a, b)) join(a, b);
}

void Grouping::join_alike() {
  std::map<std::vector<std::size_t>, Roots> known;
  for (const auto& [lead, roots] : clusters()) {
    Roots& leads = known[samples_of(roots)];
    const auto first = std::find_if(leads.begin(), leads.end(), [this, lead = lead](std::size_t other) {
      return may_coincide(other, lead);
    });
    if (first == leads.end())
      leads.push_back(lead);
    else
      join(*first, lead);
  }
}

// Joins roots that show mostly by one kind of recut, because such recuts change one thing.
void Grouping::join_by_recut() {
  std::map<std::string, std::size_t> known;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> all = samples_of(roots);
    std::map<std::string, std::size_t> kinds;
    for (const std::size_t i : all)
      if (!items_[i].recut.empty() && !items_[i].arrived) ++kinds[recut_kind(items_[i].recut)];
    for (const auto& [kind, count] : kinds) {
      if (count * 2 <= all.size()) continue;
      const auto [first, is_new] = known.try_emplace(kind, lead);
      if (!is_new) join_coinciding(first->second, lead);
    }
  }
}

// Joins roots of a single recording each, if these are most recordings of one shape.
void Grouping::join_lone() {
  std::map<std::string, std::size_t> all;
  for (const BehaviourSample& item : items_)
    if (item.arrived)
      for (const std::string& shape : item.behaviour->shapes) ++all[shape];
  std::map<std::string, Roots> alone;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> shown = arrived_of(roots);
    const bool only_compares = signs_[lead].telling == Specificity::compares;
    if (only_compares || shown.size() != 1 || count_recordings(roots) != 1) continue;
    for (const std::string& shape : items_[shown.front()].behaviour->shapes) alone[shape].push_back(lead);
  }
  for (const auto& [shape, leads] : alone)
    if (const std::size_t shown = arrived_of(leads).size(); shown > 1 && shown * 4 >= all[shape] * 3)
      for (const std::size_t lead : leads) join_coinciding(leads.front(), lead);
}

// Joins unreadable characters in texts and in calls.
void Grouping::join_garbled() {
  std::optional<std::size_t> first;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> shown = samples_of(roots);
    const auto garbled = std::count_if(shown.begin(), shown.end(), [&, &roots = roots](std::size_t i) {
      return std::any_of(roots.begin(), roots.end(), [&](std::size_t root) {
        const auto symptom = items_[i].shows.find(root);
        return symptom != items_[i].shows.end() && is_garbled(*symptom->second);
      });
    });
    if (!is_nearly(static_cast<std::size_t>(garbled), shown.size())) continue;
    if (first) join(*first, lead);
    first = lead;
  }
}

// Joins roots that only modified recordings show with a root of the unmodified recordings, if nearly all
// recordings match. Takes the rarest such root.
void Grouping::join_to_where_it_shows() {
  const auto all = clusters();
  for (const auto& [lead, roots] : all) {
    if (!arrived_of(roots).empty()) continue;
    Recordings in;
    for (const std::size_t i : samples_of(roots)) in.insert(items_[i].in);
    std::optional<std::pair<std::size_t, std::size_t>> best;  // number of recordings, leader
    for (const auto& [other, others] : all) {
      const Recordings there = recordings_of(others);
      const auto shared = static_cast<std::size_t>(
          std::count_if(in.begin(), in.end(), [&](const auto* one) { return there.count(one) != 0; }));
      if (other == lead || in.size() < kMinSupport || !is_nearly(shared, in.size())) continue;
      if (!best || there.size() < best->first) best = {there.size(), other};
    }
    if (best) join_coinciding(best->second, lead);
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

// Returns the signs that accompany these roots in most recordings. Ignores rules about shapes.
Grouping::Way Grouping::way_of(const Roots& roots) const {
  std::map<Way::value_type, std::size_t> counts;
  const std::vector<std::size_t> arrived = arrived_of(roots);
  for (const std::size_t i : arrived) {
    const BehaviourSample& item = items_[i];
    for (const std::size_t sign : item.fresh) {
      const Specificity telling = signs_[sign].telling;
      if (telling == Specificity::shape || telling == Specificity::compares || stands_[sign] ||
          contains(roots_[i], sign))
        continue;
      const bool is_entailed = std::any_of(item.fresh.begin(), item.fresh.end(), [&](std::size_t other) {
        return signs_[other].telling != Specificity::shape && signs_.is_follower(sign, other);
      });
      if (!is_entailed)
        ++counts[{sign, telling == Specificity::outcome ? manner_of(*item.shows.at(sign)) : Manner::other}];
    }
  }
  Way way;
  for (const auto& [one, count] : counts)
    if (count * 2 > arrived.size()) way.insert(one);
  return way;
}

// True if the answers of one end as a success, and those of the other have no end.
bool Grouping::end_differently(std::size_t a, std::size_t b) const {
  const auto is_end = [](const std::string& kind) {
    return kind.ends_with("ended") || kind.ends_with("open");
  };
  const std::string one = usual_kind(a);
  const std::string other = usual_kind(b);
  return is_end(one) && is_end(other) && one != other;
}

std::string Grouping::usual_kind(std::size_t root) const {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t i : samples_of({root}))
    if (const auto shown = items_[i].shows.find(root); shown != items_[i].shows.end())
      ++counts[kind_of(*shown->second, signs_[root].rule->of_a_shape)];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::string() : most->first;
}

// True if the recordings of these roots share a shape that nearly all others lack.
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
        return signs_[root].telling == Specificity::shape && !contains(roots, root);
      });
      all += items_[i].arrived && has_it(i) && !has_another ? 1 : 0;
    }
    return is_nearly(shown.size(), all);
  });
}

// Joins kin rules that are violated in the same way or at one shape.
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
      return signs_[root].telling == Specificity::shape;
    });
    all.push_back({lead, roots, way_of(roots), of_a_shape});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Cluster& a = all[i];
      const Cluster& b = all[j];
      if (!signs_.are_kin(a.lead, b.lead) || end_differently(a.lead, b.lead)) continue;
      Roots both = a.roots;
      both.insert(both.end(), b.roots.begin(), b.roots.end());
      if (a.way.empty() && b.way.empty()) {
        if (!recordings_of(a.roots).empty() && !recordings_of(b.roots).empty() &&
            have_a_shape_of_their_own(both))
          join_coinciding(a.lead, b.lead);
        continue;
      }
      if (!a.of_a_shape || !b.of_a_shape) continue;
      Way common;
      std::set_intersection(a.way.begin(), a.way.end(), b.way.begin(), b.way.end(),
                            std::inserter(common, common.end()));
      const bool tells_enough = std::any_of(common.begin(), common.end(), [this](const auto& one) {
        return one.second != Manner::other || signs_[one.first].telling == Specificity::form;
      });
      if (tells_enough && common.size() * 2 >= a.way.size() + b.way.size() - common.size())
        join_coinciding(a.lead, b.lead);
    }
  }
}

// A sign goes with a shape rule if most recordings of that rule show it and others rarely do. The others keep it as a root
// of its own.
void Grouping::join_to_usual() {
  const auto all = clusters();
  for (const auto& [lead, roots] : all) {
    if (roots.size() != 1 || signs_[lead].telling == Specificity::shape) continue;
    for (const auto& [other, others] : all) {
      if (signs_[other].telling != Specificity::shape) continue;
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
      const bool is_usual = !follows && with >= kMinSupport && with * 2 > shown.size() &&
                            (with * 2 > together_.count(lead) ||
                             (with * 3 > together_.count(lead) && have_a_shape_of_their_own(both)));
      if (!is_usual || !may_coincide(other, lead)) continue;
      const auto is_elsewhere = [&, &others = others](std::size_t i) {
        return std::none_of(others.begin(), others.end(),
                            [&](std::size_t root) { return items_[i].shows.contains(root); });
      };
      const std::vector<std::size_t> alone = arrived_of(roots);
      if (std::none_of(alone.begin(), alone.end(), is_elsewhere)) {
        join(other, lead);
        continue;
      }
      for (std::size_t i = 0; i < items_.size(); ++i)
        if (roots_[i].size() > 1 && !is_elsewhere(i)) std::erase(roots_[i], lead);
    }
  }
}

// Joins a rarely violated shape rule with a kin rule. Their answers must share another shape, and nearly all
// answers of that shape must violate one of the two.
void Grouping::join_within_shape() {
  std::map<std::size_t, std::vector<std::size_t>> all;
  for (const auto& [lead, roots] : clusters()) all.emplace(lead, arrived_of(roots));
  for (const auto& [lead, few] : all) {
    if (signs_[lead].telling != Specificity::shape || few.empty() || few.size() > kMinSupport) continue;
    std::set<std::string> shapes = items_[few.front()].behaviour->shapes;
    for (const std::size_t i : few)
      std::erase_if(shapes,
                    [&](const std::string& one) { return !items_[i].behaviour->shapes.contains(one); });
    for (const auto& [other, many] : all) {
      if (many.size() <= few.size() || !signs_.are_kin(lead, other)) continue;
      const bool is_part =
          std::any_of(shapes.begin(), shapes.end(), [&, &few = few, &many = many](const std::string& shape) {
            const auto has_it = [&](std::size_t i) { return items_[i].behaviour->shapes.contains(shape); };
            const auto there = static_cast<std::size_t>(std::count_if(many.begin(), many.end(), has_it));
            std::size_t with = 0;
            for (std::size_t i = 0; i < items_.size(); ++i) with += items_[i].arrived && has_it(i) ? 1 : 0;
            return there >= kMinSupport && is_nearly(there + few.size(), with);
          });
      if (is_part) join_coinciding(other, lead);
    }
  }
}

// Joins roots that put the same text into answers, if no recording contains that text.
void Grouping::join_invented() {
  std::map<std::string, bool> known;
  const auto is_invented = [&](const std::string& text) {
    const auto [entry, is_new] = known.try_emplace(text);
    if (is_new) {
      entry->second = std::none_of(items_.begin(), items_.end(), [&](const BehaviourSample& item) {
        return item.in->recording.body.find(text) != std::string::npos;
      });
    }
    return entry->second;
  };
  std::map<std::string, std::size_t> first;
  for (const auto& [lead, roots] : clusters()) {
    const std::vector<std::size_t> shown = samples_of(roots);
    std::map<std::string, std::size_t> counts;
    for (const std::size_t i : shown) {
      std::set<std::string> texts;
      for (const std::size_t sign : items_[i].fresh) {
        if (signs_[sign].telling != Specificity::outcome && signs_[sign].telling != Specificity::shape)
          continue;
        const contract::Violation& violation = items_[i].shows.at(sign)->violation;
        const std::set<std::string> wanted = texts_of(violation.wanted);
        for (const std::string& text : texts_of(violation.found))
          if (wanted.count(text) == 0 && is_invented(text)) texts.insert(text);
      }
      for (const std::string& text : texts) ++counts[text];
    }
    for (const auto& [text, count] : counts) {
      if (count * 2 <= shown.size()) continue;
      const auto [other, is_new] = first.try_emplace(text, lead);
      if (!is_new) join(other->second, lead);
    }
  }
}

// Joins rules that follow each other: one decision of a program keeps or breaks both, even in different
// recordings.
void Grouping::join_statements() {
  const auto all = clusters();
  for (auto a = all.begin(); a != all.end(); ++a) {
    for (auto b = std::next(a); b != all.end(); ++b) {
      const bool is_one = std::any_of(a->second.begin(), a->second.end(), [&](std::size_t root) {
        return std::any_of(b->second.begin(), b->second.end(),
                           [&](std::size_t other) { return signs_.are_one_statement(root, other); });
      });
      if (is_one) join(a->first, b->first);
    }
  }
}

}  // namespace splitproof::cause
