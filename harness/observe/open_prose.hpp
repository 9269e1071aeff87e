#pragma once

#include <optional>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::observe {

/// The last part of an answer, as long as it is text or thinking that comes in pieces. Halves of a surrogate pair join
/// across its pieces. The part is not in the answer as long as all of it is half a surrogate pair.
class OpenProse {
 public:
  /// Adds a piece of WTF-8 that is not empty. A piece of another kind begins another part.
  void add(PartKind kind, std::string_view piece, Answer& answer);

  /// Returns the part of this kind that is open, or begins one without text.
  Part& begin(PartKind kind, Answer& answer);

  /// True if a part of this kind is open and in the answer.
  bool is_placed(PartKind kind) const { return kind_ == kind && placed_; }

  /// Ends the part. A half of a surrogate pair that waits becomes U+FFFD.
  void end(Answer& answer);

  bool operator==(const OpenProse&) const = default;

 private:
  void change_to(PartKind kind, Answer& answer);
  Part& place(Answer& answer);

  std::optional<PartKind> kind_;  ///< nullopt: none is open.
  bool placed_ = false;
  SurrogateJoiner surrogates_;
};

}  // namespace splitproof::observe
