#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/dialect/client.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

/// Output that is due after the first `upstream` bytes were read.
struct Milestone {
  std::size_t upstream = 0;  ///< one past the last byte of an upstream event
  observe::Due due;
  bool over = false;  ///< the answer has ended: all of it is due

  bool operator==(const Milestone&) const = default;
};

/// Late output: the testee had read a complete upstream event, but had not sent its content.
struct Late {
  std::size_t upstream = 0;  ///< upstream bytes sent
  std::size_t said = 0;      ///< downstream bytes received
  std::size_t due = 0;       ///< downstream bytes due

  auto operator<=>(const Late&) const = default;
};

/// Deadlines for one downstream body: the bytes that must be out after each upstream byte. Content that never
/// comes is lost, not late, and other rules judge it.
class Deadlines {
 public:
  /// No deadlines: unknown.
  Deadlines() = default;

  /// Reads the downstream body like such a client. Milestones are in upstream order.
  Deadlines(const std::vector<Milestone>& milestones, std::string_view body, const dialect::Client& client,
            const observe::Choices& choices);

  /// True if any byte is due before the answer's end; otherwise nothing can be late.
  bool any() const;

  /// Returns the first chunk with late output, for an upstream body of `size` bytes. `said` has the
  /// downstream bytes that were out after each chunk.
  std::optional<Late> first_late(const split::Cuts& cuts, std::size_t size,
                                 const std::vector<std::size_t>& said) const;

  /// Returns the first hold that was not released because output was late.
  std::optional<Late> first_unmet(const std::vector<testee::Release>& releases) const;

 private:
  struct DueOffsets {
    std::size_t upstream;
    std::size_t downstream;
  };
  std::vector<DueOffsets> deadlines_;  // both increase
};

/// Returns the milestones of an upstream with the client's own protocol: the content that a direct client
/// reads. If the body ends with the closing mark, all of the answer is due then.
std::vector<Milestone> milestones_heard(std::string_view upstream, const dialect::Client& client,
                                        const observe::Choices& choices);

/// True if `told` contains all that was due.
bool covers(const observe::Due& told, const observe::Due& due);

/// Maximum number of holds on one exchange. If there are more, evenly spaced ones are chosen.
inline constexpr std::size_t kMostHolds = 64;

/// Returns holds after each upstream event with new content, until the client has received all that is due.
/// They share one reader, which reads each downstream byte once. Use them for one exchange, from one thread
/// at a time.
std::vector<testee::Hold> holds_of(const std::vector<Milestone>& milestones, const dialect::Client& client,
                                   const observe::Choices& choices);

}  // namespace splitproof::campaign
