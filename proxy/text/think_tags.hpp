#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/turn/event.hpp"

namespace splitproof::text {

enum class ThinkTagRule : std::uint8_t { reroute, leave };

/// Turns text between think tags into thinking. Some servers leave the tags that a model was taught:
///
///     <think>the plan</think>the answer
///
/// Text that begins with `<think>`, before any other content, is thinking up to the first `</think>`, or to the end
/// without one. Upstream chunks and other events do not matter. The tags are removed, and every other byte stays. Tags
/// elsewhere, or across parts of the answer, are text.
///
/// Only a possible part of a tag waits: the beginning of `<think>` at the start of the answer, and of `</think>` at the
/// end of a piece. It waits until something else begins or the answer ends.
class ThinkTags {
 public:
  explicit ThinkTags(ThinkTagRule rule)
      : position_(rule == ThinkTagRule::reroute ? Position::head : Position::past) {}

  /// Takes the next event of the turn and appends the result.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over. Appends what waits.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const ThinkTags&) const = default;

 private:
  enum class Position : std::uint8_t { head, inside, past };  // relative to the text between the tags

  void end_part(std::vector<turn::Event>& events);
  void take(const turn::Prose& prose, std::vector<turn::Event>& events);
  void say(turn::BlockKind kind, std::string_view text, std::vector<turn::Event>& events) const;
  void close_at_tag(std::vector<turn::Event>& events);

  Position position_;
  std::string held_;      // possible beginning of a tag
  std::size_t part_ = 0;  // of the held text
};

}  // namespace splitproof::text
