#pragma once

#include <cstddef>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/open_prose.hpp"

namespace splitproof::observe {

/// Puts calls that come whole among the parts of an answer. A call without id or name is added only at the end, by its
/// rank, as in dialects whose ids may still come.
class WholeCalls {
 public:
  /// Takes the call with this number, counted from 0 in the order of their begins. Ends the prose before it.
  void take(Part call, std::size_t number, OpenProse& prose, Answer& answer);

  /// Takes a call that is added only at the end.
  void take_last(Part call, std::size_t number);

  /// True if a call waits for the end.
  bool waiting() const { return !waiting_.empty(); }

  /// Adds the calls that wait, and says in which order all calls began.
  void end(Answer& answer);

  bool operator==(const WholeCalls&) const = default;

 private:
  struct Waiting {
    Part call;
    std::size_t number = 0;

    bool operator==(const Waiting&) const = default;
  };

  std::vector<Waiting> waiting_;
  std::vector<std::size_t> placed_;  ///< Numbers of the calls among the parts, in the order of the parts.
};

}  // namespace splitproof::observe
