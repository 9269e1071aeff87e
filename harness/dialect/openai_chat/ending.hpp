#pragma once

#include <cstddef>
#include <vector>

#include "harness/dialect/openai_chat/shapes.hpp"
#include "harness/observe/answer.hpp"

namespace splitproof::dialect {

/// Properties of an answer's chunks that its Answer does not have.
struct ChatEnvelope {
  bool role_said = false;
  bool first_choice = false;                 ///< Choice 0 came.
  bool other_finish = false;                 ///< Another choice had a finish_reason.
  bool others = false;                       ///< Another choice came.
  std::size_t choice_chunks = 0;             ///< Chunks with a choice.
  std::size_t choice_chunks_with_usage = 0;  ///< Chunks with a choice and usage.

  bool operator==(const ChatEnvelope&) const = default;
};

/// Returns the shapes that are known only at an answer's end. kChatShapes marks them with "Ends".
std::vector<ChatShape> ending_shapes(const observe::Answer& answer, const ChatEnvelope& envelope);

}  // namespace splitproof::dialect
