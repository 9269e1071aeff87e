#pragma once

#include <cstddef>
#include <vector>

#include "harness/dialect/openai_chat/shapes.hpp"
#include "harness/observe/answer.hpp"

namespace splitproof::dialect {

/// What a whole answer's Answer does not tell of its chunks.
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
std::vector<ChatShape> ending_shapes(const observe::Answer& answer, const ChatEnvelope& envelope);

}  // namespace splitproof::dialect
