#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::campaign {

/// Maximum hangs of one kind of case before others of that kind are skipped. Also the maximum for a recording
/// without any answer, before its other cases are skipped. Each hang costs several timeouts of the testee and
/// usually a restart.
inline constexpr std::size_t kMostHangs = 2;

/// Decides which cases of one recording run after others hung. A kind of case, such as those in which the
/// upstream closes, is never skipped as a whole. A testee that retries until its client has some output hangs
/// only if the upstream ends early. From the second hang on, each hang skips four times as many cases as the
/// previous one. So hangs grow with the logarithm of the cases.
class HangBackoff {
 public:
  /// True if the next case of this kind is skipped. Call it once for each case.
  bool leaves_out(const std::string& kind);

  /// Records that a case of this kind hung or was answered.
  void note(const std::string& kind, bool hung);

  /// Records an answer to an exchange that is no case.
  void note_answer() { answered_ = true; }

 private:
  struct Kind {
    std::size_t hung = 0;
    std::size_t leap = 0;  // cases skipped after the last hang
    std::size_t left_out = 0;
  };
  std::map<std::string, Kind> kinds_;
  std::size_t hung_ = 0;
  bool answered_ = false;
};

/// After this many consecutive recordings with only hangs, a testee may have stopped answering for good.
inline constexpr std::size_t kSilentInARow = 3;

/// Detects that a testee has stopped answering for good. It uses the order of the testee's recordings, not
/// the order in which they end. So the result does not depend on the number of threads. Not thread-safe.
///
/// A suspected testee is tried with a recording that it answered before. It is silent if it does not answer
/// that, or if it never answered any. Otherwise it continues and the count restarts, because only these
/// recordings fail.
class DeadTargetDetector {
 public:
  /// For a testee with this many recordings.
  explicit DeadTargetDetector(std::size_t recordings) : answered_(recordings) {}

  /// Records that the recording at `place` ended; `answered`: some exchange did not hang.
  void ended(std::size_t place, bool answered);

  /// Returns the place of the recording for a trial that is due now; the caller must then call tried().
  std::optional<std::size_t> trial();
  void tried(bool answered);

  /// Returns the place of the last recording that counts, once the testee is silent for good.
  std::optional<std::size_t> last() const { return last_; }

 private:
  void go_on();

  std::vector<std::optional<bool>> answered_;
  std::size_t next_ = 0;             // all earlier ones have ended and are counted
  std::size_t silent_ = 0;           // consecutive ones at the end of these
  std::optional<std::size_t> good_;  // the last answered one
  enum class Trial : std::uint8_t { none, due, under_way } trial_ = Trial::none;
  std::optional<std::size_t> last_;
};

}  // namespace splitproof::campaign
