#pragma once

#include <cstdint>
#include <string>
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
/// stays. A tag anywhere else is text.
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

  void take(const std::string& text, std::vector<turn::Event>& events);
  void close_at_tag(std::vector<turn::Event>& events);

  Position position_;
  std::string held_;  // may be the beginning of a tag
};

}  // namespace splitproof::text
