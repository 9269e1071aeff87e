#pragma once

#include <cstddef>
#include <vector>

#include "harness/observe/chat_shapes.hpp"
#include "harness/observe/meaning.hpp"

namespace splitproof::observe {

/// What a whole answer's Meaning does not tell of its chunks.
struct ChatEnvelope {
  bool role_said = false;
  bool first_choice = false;                 ///< choice 0 was seen
  bool other_finish = false;                 ///< another choice had a finish_reason
  bool others = false;                       ///< another choice was seen
  std::size_t choice_chunks = 0;             ///< chunks with a choice
  std::size_t choice_chunks_with_usage = 0;  ///< those of them with usage

  bool operator==(const ChatEnvelope&) const = default;
};

/// The shapes that are known only once an answer has ended, those that kChatShapes marks "Ends".
std::vector<ChatShape> ending_shapes(const Meaning& answer, const ChatEnvelope& envelope);

}  // namespace splitproof::observe
