#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/recut_body.hpp"

namespace splitproof::dialect {

/// A tool call of a body.
struct RechunkedCall {
  std::size_t first = 0;              ///< the frame of its first piece
  std::optional<std::int64_t> index;  ///< none where its first piece had none
  std::string id;                     ///< the first that is not empty
  std::string name;                   ///< the first that is not empty
  bool own_index = false;             ///< it has an index that no call before it had
};

/// Which call each frame goes on with, as far as no reader could doubt it.
struct RechunkedCalls {
  std::vector<RechunkedCall> calls;  ///< in the order of their first pieces
  std::vector<std::optional<std::size_t>>
      of_frame;  ///< by frame: the place in `calls` of the only call there;
                 ///< none for frames without, with several, or in doubt
};

/// Tells the calls of a body apart. A piece with an index belongs to the latest call of that index, unless it
/// brings another id; one without belongs to the call of its id, or else goes on with the call before it, if
/// that had no index either. In doubt are another name for a call, a name without an index for a call that
/// was seen before, an index for a call that had none, and a first piece without index and id.
RechunkedCalls find_calls(const ChatBody& body);

}  // namespace splitproof::dialect
