#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::campaign {

/// So many cases of one kind may hang before others of it are passed over, and so many of a recording in which no case has
/// been answered before none is run. Each costs the testee's whole timeout more than once, and mostly a start.
inline constexpr std::size_t kMostHangs = 2;

/// Says which cases of one recording are run though others hung. A kind of cases, such as those in which the upstream
/// closes, is never given up as a whole: a testee that tries again as long as its client has nothing hangs where the
/// upstream breaks off early, and answers where it does so later. From its second hang on, each hang of a kind leaves out
/// as many of its next cases as the one before, times four: so hangs grow with the logarithm of the cases.
class HangBackoff {
 public:
  /// Whether the next case of this kind is left out. To be asked once for each.
  bool leaves_out(const std::string& kind);

  /// A case of this kind has hung, or has not.
  void note(const std::string& kind, bool hung);

  /// An exchange that is no case was answered.
  void note_answer() { answered_ = true; }

 private:
  struct Kind {
    std::size_t hung = 0;
    std::size_t leap = 0;  // how many cases the last hang left out
    std::size_t left_out = 0;
  };
  std::map<std::string, Kind> kinds_;
  std::size_t hung_ = 0;
  bool answered_ = false;
};

/// So many recordings in a row of which every exchange hangs make a testee suspected of being silent for good.
inline constexpr std::size_t kSilentInARow = 3;

/// Tells when a testee has fallen silent for good, so that nothing more need be run. It goes by the order of the testee's
/// recordings and not by that in which they end, so what it says does not depend on the number of threads. Not for several
/// threads at once.
///
/// A testee that is suspected is put on trial: with a recording that it answered before. One that never answered anything
/// is silent without a trial, and so is one that does not answer then. One that does is asked on, and the count begins
/// again: it is these recordings that it has no answer to.
class DeadTargetDetector {
 public:
  /// Of a testee with so many recordings.
  explicit DeadTargetDetector(std::size_t recordings) : answered_(recordings) {}

  /// The recording at `place` of the testee's is done; `answered` says that some exchange of it did not hang.
  void ended(std::size_t place, bool answered);

  /// The place of the recording that the testee is to be tried with now; whoever gets it must call tried().
  std::optional<std::size_t> trial();
  void tried(bool answered);

  /// The place of the last recording that counts, once the testee is silent for good.
  std::optional<std::size_t> last() const { return last_; }

 private:
  void go_on();

  std::vector<std::optional<bool>> answered_;
  std::size_t next_ = 0;             // all before have ended, and were looked at
  std::size_t silent_ = 0;           // of these, in a row
  std::optional<std::size_t> good_;  // the last that was answered
  enum class Trial : std::uint8_t { none, due, under_way } trial_ = Trial::none;
  std::optional<std::size_t> last_;
};

}  // namespace splitproof::campaign
