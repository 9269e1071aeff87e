#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace splitproof::campaign {

/// So many exchanges of a recording may hang before the rest of its cases is not run. Each costs the testee's whole
/// timeout, and mostly a start.
inline constexpr std::size_t kMostHangs = 2;

/// So many recordings in a row of which every exchange hangs make a testee suspected of being silent for good.
inline constexpr std::size_t kSilentInARow = 3;

/// Tells when a testee has fallen silent for good, so that nothing more need be run. It goes by the order of the testee's
/// recordings and not by that in which they end, so what it says does not depend on the number of threads. Not for several
/// threads at once.
///
/// A testee that is suspected is put on trial: with a recording that it answered before. One that never answered anything
/// is silent without a trial, and so is one that does not answer then. One that does is asked on, and the count begins
/// again: it is these recordings that it has no answer to.
class Silence {
 public:
  enum class Heard : std::uint8_t {
    nothing,  ///< every exchange hung
    answer,   ///< some did not
    skipped   ///< no exchange was asked for
  };

  /// Of a testee with so many recordings.
  explicit Silence(std::size_t recordings) : heard_(recordings) {}

  /// The recording at `place` of the testee's is done.
  void ended(std::size_t place, Heard heard);

  /// The place of the recording that the testee is to be tried with now; whoever gets it must call tried().
  std::optional<std::size_t> trial();
  void tried(bool answered);

  /// The place of the last recording that counts, once the testee is silent for good.
  std::optional<std::size_t> last() const { return last_; }

 private:
  void go_on();

  std::vector<std::optional<Heard>> heard_;
  std::size_t next_ = 0;             // all before have ended, and were looked at
  std::size_t silent_ = 0;           // of these, in a row
  std::optional<std::size_t> good_;  // the last that was answered
  enum class Trial : std::uint8_t { none, due, under_way } trial_ = Trial::none;
  std::optional<std::size_t> last_;
};

}  // namespace splitproof::campaign
