#pragma once

#include <string>
#include <string_view>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::selftest {

/// Rules that detect a change.
struct Detection {
  std::string alone;         ///< The first rule that `check` finds violated in the stream; empty: none.
  std::string with_meaning;  ///< The first rule that is violated when the meaning is known; empty: none.
  bool alters = false;       ///< A client assembles another answer.
  bool decides = false;      ///< That rule is a `must`; a `should` is named only if no `must` is violated.

  bool operator==(const Detection&) const = default;
};

/// Judges the changes of one stream by the contracts. The meaning is the answer that a strict client
/// assembles from the original stream. Its document is `expected.`, and the changed stream's document is
/// `got.`. Rules of level `info` are ignored.
class StreamExaminer {
 public:
  /// `contracts` must outlive it.
  StreamExaminer(const contract::Contracts& contracts, const contract::Profile& profile, std::string protocol,
                 std::string_view body);

  /// Returns the detections in a body. The original body has none if it conforms.
  Detection look(std::string_view body) const;

 private:
  observe::Trace read(std::string_view body) const;

  const contract::Contracts* contracts_;
  contract::Profile profile_;
  std::string protocol_;
  observe::Trace meant_;
  observe::Answer answer_;
};

}  // namespace splitproof::selftest
