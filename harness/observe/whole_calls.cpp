#include "harness/observe/whole_calls.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::observe {

void WholeCalls::take(Part call, std::size_t number, OpenProse& prose, Answer& answer) {
  if (call.id.empty()) answer.shapes.emplace("id_never");
  if (call.id.empty() || call.name.empty()) return take_last(std::move(call), number);
  prose.end(answer);
  placed_.push_back(number);
  answer.parts.push_back(std::move(call));
}

void WholeCalls::take_last(Part call, std::size_t number) { waiting_.push_back({std::move(call), number}); }

void WholeCalls::end(Answer& answer) {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Waiting& a, const Waiting& b) { return a.call.rank < b.call.rank; });
  for (Waiting& one : waiting_) {
    placed_.push_back(one.number);
    answer.parts.push_back(std::move(one.call));
  }
  waiting_.clear();
  answer.begun = placed_;
}

}  // namespace splitproof::observe
