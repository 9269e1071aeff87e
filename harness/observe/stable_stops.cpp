#include "harness/observe/stable_stops.hpp"

#include <algorithm>

#include "harness/observe/partial_suffix_match.hpp"

namespace splitproof::observe {

void StableStops::read(std::string_view text, const std::vector<std::string>& stops) {
  std::size_t longest = 0;
  for (; !stopped_ && at_ < text.size(); ++at_) {
    for (const std::string& stop : stops)
      if (!stop.empty() && text.substr(0, at_ + 1).ends_with(stop)) longest = std::max(longest, stop.size());
    stopped_ = longest > 0;
    settled_ = at_ + 1 - longest;
  }
  if (stopped_) return;
  std::size_t begun = 0;
  for (const std::string& stop : stops) begun = std::max(begun, partial_suffix_match(text, stop));
  settled_ = text.size() - begun;
}

}  // namespace splitproof::observe
