#include "harness/shrink/fewer_events.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "harness/shrink/pieces.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::shrink {

std::vector<Draft> in_fewer_events(const split::Dealer& dealer, const Draft& draft, Framing framing) {
  std::vector<Draft> all;
  const split::Recuts recuts(dealer, draft.body);
  std::vector<std::string> labels = dealer.labels();
  labels.insert(labels.begin(), "whole");
  const std::size_t events = count_events(draft.body, framing);
  for (const std::string& label : labels) {
    const auto recut = recuts.make(label);
    if (!recut || count_events(recut->body, framing) >= events) continue;
    Draft from_begin{recut->body, {}}, from_end{recut->body, {}};
    for (const std::size_t cut : draft.cuts) {
      if (cut < recut->body.size()) from_begin.cuts.push_back(cut);
      const std::size_t left = draft.body.size() - cut;
      if (left < recut->body.size()) from_end.cuts.push_back(recut->body.size() - left);
    }
    all.push_back(from_end);
    if (from_begin != from_end) all.push_back(std::move(from_begin));
  }
  return all;
}

}  // namespace splitproof::shrink
