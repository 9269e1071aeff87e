#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

#include "harness/cause/grouping.hpp"

// Removes roots that another root explains.

namespace splitproof::cause {

// A trigger changes one thing in the body, so its case keeps one root: the most frequent one for this
// trigger. Grave roots of other stakes are kept too, because they may be other faults.
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
    Roots by_weight = roots_[i];
    std::sort(by_weight.begin(), by_weight.end(),
              [&](std::size_t a, std::size_t b) { return weight(b) < weight(a); });
    Roots kept;
    for (const std::size_t root : by_weight) {
      const bool is_another = std::none_of(kept.begin(), kept.end(), [&](std::size_t known) {
        return !stands_[known] && may_coincide(known, root);
      });
      if (stands_[root] || is_another) kept.push_back(root);
    }
    roots_[i] = std::move(kept);
  }
}

// A root of a single recording is part of another root there, unless its rule shows elsewhere. A rule about a
// shape yields only to an error that has a shape of its own.
void Grouping::drop_lone_roots() {
  for (std::size_t sign = 0; sign < signs_.size(); ++sign) {
    if (stands_[sign] || count_recordings({sign}) != 1 || count_recordings(of_rule(sign)) > kMinSupport)
      continue;
    const bool is_of_a_shape = signs_[sign].telling == Specificity::shape;
    for (const std::size_t i : samples_of({sign})) {
      const bool has_another = std::any_of(roots_[i].begin(), roots_[i].end(), [&](std::size_t root) {
        return root != sign && !stands_[root] && may_explain(root, sign) && may_coincide(root, sign) &&
               (!is_of_a_shape ||
                (signs_[root].telling != Specificity::shape && have_a_shape_of_their_own({root})));
      });
      if (has_another) roots_[i].erase(std::find(roots_[i].begin(), roots_[i].end(), sign));
    }
  }
}

// Drops a root of few recordings if it disappears under the same cuts as a larger root. The larger root must
// disappear under some cuts in most of its recordings.
void Grouping::drop_healed() {
  const auto healed = [this](std::size_t i, std::size_t sign) {
    std::vector<const BehaviourSample*> found;
    const auto [begin, end] = of_recording(i);
    for (auto item = begin; item != end; ++item)
      if (item->cut && contains(item->behaviour->meets, signs_[sign].rule->id)) found.push_back(&*item);
    return found;
  };
  std::vector<Recordings> in(signs_.size()), healed_in(signs_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    for (const std::size_t root : roots_[i]) {
      in[root].insert(items_[i].in);
      if (items_[i].arrived && !healed(i, root).empty()) healed_in[root].insert(items_[i].in);
    }
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!items_[i].arrived || roots_[i].size() < 2) continue;
    Roots kept;
    for (const std::size_t root : roots_[i]) {
      const bool is_few = !stands_[root] && in[root].size() <= kMinSupport;
      const auto where = is_few ? healed(i, root) : std::vector<const BehaviourSample*>();
      const bool comes_of_another =
          !where.empty() && std::any_of(roots_[i].begin(), roots_[i].end(), [&](std::size_t other) {
            return may_explain(other, root) && may_coincide(other, root) && in[other].size() > kMinSupport &&
                   healed_in[other].size() * 2 > in[other].size() && healed(i, other) == where;
          });
      if (comes_of_another) {
        doubtful_.emplace(items_[i].in, signs_[root].rule);
      } else {
        kept.push_back(root);
      }
    }
    roots_[i] = std::move(kept);
  }
}

// Drops a root of few recordings if a larger one of its stake shows in the same case. A wrong meaning also
// yields to a larger error of form under other cuts, unless it is grave.
void Grouping::yield_to_greater() {
  const auto all = clusters();
  std::map<std::size_t, std::size_t> counts;
  for (auto [lead, roots] : all) {
    const Roots of_its_rule = of_rule(lead);  // a rule names at most one cause
    roots.insert(roots.end(), of_its_rule.begin(), of_its_rule.end());
    counts[lead] = count_recordings(roots);
  }
  const auto is_few = [&](std::size_t root) { return !stands_[root] && counts[leader(root)] <= kMinSupport; };
  const auto is_great = [&](std::size_t root) {
    return !stands_[root] && counts[leader(root)] > kMinSupport;
  };
  Recordings with_form;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const bool has_form = std::any_of(roots_[i].begin(), roots_[i].end(), [&](std::size_t root) {
      return is_great(root) && signs_[root].telling == Specificity::form;
    });
    if (has_form && (items_[i].arrived || items_[i].cut)) with_form.insert(items_[i].in);
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const bool has_form = with_form.count(items_[i].in) != 0;
    const Roots all_roots = roots_[i];
    std::erase_if(roots_[i], [&](std::size_t root) {
      const bool is_beside = std::any_of(all_roots.begin(), all_roots.end(), [&](std::size_t other) {
        return is_great(other) && may_explain(other, root) && may_coincide(other, root);
      });
      const bool has_greater_form =
          has_form && signs_[root].telling < Specificity::form && !is_grave(signs_[root].stake);
      const bool yields = is_few(root) && (is_beside || has_greater_form);
      if (yields) doubtful_.emplace(items_[i].in, signs_[root].rule);
      return yields;
    });
  }
}

}  // namespace splitproof::cause
