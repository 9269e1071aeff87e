#pragma once

#include <string>
#include <string_view>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::selftest {

/// What sees a change.
struct Detection {
  std::string alone;         ///< the first rule that a `check` of the stream finds violated; empty: none
  std::string with_meaning;  ///< the first that is violated once it is known what was meant; empty: none
  bool alters = false;       ///< a client assembles something else
  bool decides = false;      ///< that rule is a `must`; a `should` is named where no `must` is violated

  bool operator==(const Detection&) const = default;
};

/// Looks at the changes of one stream with the eyes of the contracts. What was meant is what a strict client assembles of
/// the stream as it was: its document is `expected.`, and that of the changed one `got.`. Rules of level `info` see
/// nothing.
class StreamExaminer {
 public:
  /// `contracts` must outlive it.
  StreamExaminer(const contract::Contracts& contracts, const contract::Profile& profile, std::string protocol,
                 std::string_view body);

  /// What it sees in a body: nothing in the one that it was made of, if that conforms.
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
