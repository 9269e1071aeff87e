#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/turn/event.hpp"

namespace splitproof::text {

enum class ThinkTagRule : std::uint8_t { reroute, leave };

/// Some servers leave the thinking of a model in its text, between the tags that the model was taught to write:
///
///   <think>the plan</think>the answer
///
/// Text that begins with `<think>`, before anything else was said, is thinking up to the first `</think>`, wherever the
/// upstream cut it, and whatever else comes in between; without that tag, to the end. The tags vanish, every other byte
/// stays. A tag anywhere else is text, and so is one that does not stand in one part of the upstream's answer.
///
/// Only what may turn out to be part of a tag waits: a beginning of `<think>` at the head of the answer, and a beginning
/// of `</think>` at the end of a piece. It waits until something else begins or the answer ends.
class ThinkTags {
 public:
  explicit ThinkTags(ThinkTagRule rule)
      : position_(rule == ThinkTagRule::reroute ? Position::head : Position::past) {}

  /// Takes the next event of the turn and appends it as it is to be read.
  void accept(turn::Event event, std::vector<turn::Event>& events);

  /// The upstream body is over: appends what waits.
  void finish(std::vector<turn::Event>& events);

  bool operator==(const ThinkTags&) const = default;

 private:
  enum class Position : std::uint8_t { head, inside, past };  // of the span between the tags

  void end_part(std::vector<turn::Event>& events);
  void take(const turn::Prose& prose, std::vector<turn::Event>& events);
  void say(turn::BlockKind kind, std::string_view text, std::vector<turn::Event>& events) const;
  void close_at_tag(std::vector<turn::Event>& events);

  Position position_;
  std::string held_;      // may be the beginning of a tag
  std::size_t part_ = 0;  // of what is held
};

}  // namespace splitproof::text
