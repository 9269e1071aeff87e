#include "harness/shrink/reduce.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace splitproof::shrink {
namespace {

std::string key_of(const Candidate& draft) {
  std::string key;
  for (const std::size_t cut : draft.cuts) key += std::to_string(cut) + ",";
  return key + "\n" + draft.body;
}

class Reducer {
 public:
  Reducer(Candidate draft, const Means& means, const StillFails& still_fails, std::size_t most)
      : draft_(std::move(draft)), means_(means), still_fails_(still_fails), most_(most) {
    known_.emplace(key_of(draft_), true);
  }

  Reduced run() && {
    for (bool changed = true; changed && !exhausted_;) {
      const Candidate before = draft_;
      if (means_.cuts) drop_cuts();
      for (const ReductionPass& pass : means_.passes) go_through(pass);
      for (const Rewriter& rewriter : means_.rewriters) rewrite(rewriter);
      changed = draft_ != before;
    }
    return {std::move(draft_), tries_, exhausted_};
  }

 private:
  // Takes the draft over if it fails.
  bool take(Candidate draft) {
    if (exhausted_) return false;
    std::string key = key_of(draft);
    auto known = known_.find(key);
    if (known == known_.end()) {
      if (tries_ == most_) {
        exhausted_ = true;
        return false;
      }
      ++tries_;
      known = known_.emplace(std::move(key), still_fails_(draft)).first;
    }
    if (known->second) draft_ = std::move(draft);
    return known->second;
  }

  // Applies delta debugging to `count` things. `try_without(left_out)` removes them and returns true if the
  // draft still fails. Tries all, then ever smaller ranges, down to single things.
  template <class TryWithout>
  void minimise(std::size_t count, const TryWithout& try_without) {
    std::vector<std::size_t> stay(count);
    for (std::size_t i = 0; i < count; ++i) stay[i] = i;
    std::vector<std::size_t> gone;
    const auto leave_out = [&](std::size_t from, std::size_t to) {
      std::vector<std::size_t> left_out = gone;
      left_out.insert(left_out.end(), stay.begin() + static_cast<std::ptrdiff_t>(from),
                      stay.begin() + static_cast<std::ptrdiff_t>(to));
      if (!try_without(left_out)) return false;
      gone = std::move(left_out);
      stay.erase(stay.begin() + static_cast<std::ptrdiff_t>(from),
                 stay.begin() + static_cast<std::ptrdiff_t>(to));
      return true;
    };
    for (std::size_t stretch = count; !stay.empty() && !exhausted_;) {
      bool any = false;
      // Starts at the end, because later things usually depend on earlier ones.
      for (std::size_t end = stay.size(); end > 0 && !exhausted_;) {
        const std::size_t begin = end - std::min(stretch, end);
        any |= leave_out(begin, end);
        end = begin;
      }
      if (stretch == 1 && !any) return;
      stretch = (stretch + 1) / 2;
    }
  }

  void drop_cuts() {
    const Candidate base = draft_;
    minimise(base.cuts.size(), [&](const std::vector<std::size_t>& left_out) {
      Candidate fewer{base.body, {}};
      for (std::size_t i = 0; i < base.cuts.size(); ++i) {
        if (std::find(left_out.begin(), left_out.end(), i) == left_out.end())
          fewer.cuts.push_back(base.cuts[i]);
      }
      return take(std::move(fewer));
    });
  }

  void go_through(const ReductionPass& pass) {
    for (std::size_t number = 0; !exhausted_;) {
      const std::vector<Pieces> sets = pass(draft_);
      if (number >= sets.size()) return;
      const Candidate base = draft_;
      const Pieces& pieces = sets[number];
      minimise(pieces.size(), [&](const std::vector<std::size_t>& left_out) {
        std::vector<PieceRange> ranges;
        for (const std::size_t i : left_out) ranges.insert(ranges.end(), pieces[i].begin(), pieces[i].end());
        return take(without(base, std::move(ranges)));
      });
      // After a removal, the next set has this index.
      if (draft_ == base || pass(draft_).size() >= sets.size()) ++number;
    }
  }

  void rewrite(const Rewriter& rewriter) {
    for (bool taken = true; taken && !exhausted_;) {
      taken = false;
      for (Candidate& other : rewriter(draft_)) {
        taken = take(std::move(other));
        if (taken || exhausted_) break;
      }
    }
  }

  Candidate draft_;
  const Means& means_;
  const StillFails& still_fails_;
  const std::size_t most_;
  std::unordered_map<std::string, bool> known_;
  std::size_t tries_ = 0;
  bool exhausted_ = false;
};

}  // namespace

Reduced reduce(Candidate draft, const Means& means, const StillFails& still_fails, std::size_t most_tries) {
  return Reducer(std::move(draft), means, still_fails, most_tries).run();
}

}  // namespace splitproof::shrink
