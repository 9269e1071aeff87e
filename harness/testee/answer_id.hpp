#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// An exchange whose upstream answer has an id of its own. All cases of a recording have the recording's id. A testee
/// that keeps state for each id would mix them up, as with no real provider.
///
/// The other id has the same length, so all offsets stay valid. Everything that is observed gets the recorded id back, so
/// nothing that is judged changes. Ids of calls are kept, because a second turn repeats them.
///
/// The id is kept if the answer does not begin with it, if its last letters and digits are fewer than five, or if they
/// occur in the body outside of ids.
class OwnAnswerId {
 public:
  /// `number` selects the id. The exchange must outlive this object.
  OwnAnswerId(const Exchange& exchange, std::uint64_t number);

  OwnAnswerId(const OwnAnswerId&) = delete;
  OwnAnswerId& operator=(const OwnAnswerId&) = delete;

  /// Returns the exchange with the other id, or the original one if its id is kept.
  const Exchange& exchange() const { return own_.empty() ? original_ : changed_; }

  /// Puts the recorded id back.
  void restore(Observation& seen) const;

 private:
  std::string restored(std::string text) const;

  const Exchange& original_;
  std::string recorded_;  // the last letters and digits of the id
  std::string own_;       // those in their place; empty: none
  std::string body_;
  Exchange changed_;
};

}  // namespace splitproof::testee
