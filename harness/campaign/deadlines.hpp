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

/// What has to be out once the upstream's bytes before `upstream` have been read.
struct Milestone {
  std::size_t upstream = 0;  ///< one past the last byte of an upstream event
  observe::Due due;
  bool over = false;  ///< the answer has ended: all of it is due

  bool operator==(const Milestone&) const = default;
};

/// Something that was held back: the testee had read all of an upstream event, and had not said what it says.
struct Late {
  std::size_t upstream = 0;  ///< bytes that had been fed
  std::size_t said = 0;      ///< downstream bytes that were out by then
  std::size_t due = 0;       ///< downstream bytes that should have been

  auto operator<=>(const Late&) const = default;
};

/// Where in one downstream body each milestone is met, and so how much of it has to be out after which upstream byte.
/// What is never met is not late but lost, which other rules judge.
class Deadlines {
 public:
  /// None: nobody can tell.
  Deadlines() = default;

  /// Of a downstream body as such a client hears it. Milestones come in upstream order.
  Deadlines(const std::vector<Milestone>& milestones, std::string_view body, const dialect::Client& client,
            const observe::Choices& choices);

  /// Whether any byte is due before the answer's end: else nothing can be late.
  bool any() const;

  /// The first chunk of an upstream body of `size` bytes after which something was late; `said` holds the downstream
  /// bytes that were out after each chunk.
  std::optional<Late> first_late(const split::Cuts& cuts, std::size_t size,
                                 const std::vector<std::size_t>& said) const;

  /// The first hold that was not released because something was late.
  std::optional<Late> first_unmet(const std::vector<testee::Release>& releases) const;

 private:
  struct DueOffsets {
    std::size_t upstream;
    std::size_t downstream;
  };
  std::vector<DueOffsets> deadlines_;  // both increase
};

/// What is due of an upstream that speaks the protocol of these clients: what one of them has been told by it itself. All
/// of the answer is due where it ends with what says that it is over.
std::vector<Milestone> milestones_heard(std::string_view upstream, const dialect::Client& client,
                                        const observe::Choices& choices);

/// Whether what was told is as much as what was due.
bool covers(const observe::Due& told, const observe::Due& due);

/// At most so many holds are put on one exchange; of more, evenly chosen ones.
inline constexpr std::size_t kMostHolds = 64;

/// Holds back what follows each upstream event that made more due, until the client has been told all that is due. They
/// share one reader of the downstream bytes, so that each byte is read once; they are for one exchange, and to be asked
/// from one thread at a time.
std::vector<testee::Hold> holds_of(const std::vector<Milestone>& milestones, const dialect::Client& client,
                                   const observe::Choices& choices);

}  // namespace splitproof::campaign
