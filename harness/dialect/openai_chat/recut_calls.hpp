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
  std::size_t first = 0;              ///< Frame of its first piece.
  std::optional<std::int64_t> index;  ///< nullopt if its first piece had none.
  std::string id;                     ///< The first that is not empty.
  std::string name;                   ///< The first that is not empty.
  bool own_index = false;             ///< It has an index that no earlier call had.
};

/// The call that each frame continues, as far as it is unambiguous.
struct RechunkedCalls {
  std::vector<RechunkedCall> calls;  ///< In the order of their first pieces.
  std::vector<std::optional<std::size_t>>
      of_frame;  ///< By frame: the place in `calls` of its only call; nullopt for frames with no call,
                 ///< several calls, or a doubtful one.
};

/// Identifies the calls of a body. A piece with an index belongs to the latest call of that index, unless it
/// has another id. A piece without one belongs to the call of its id. Otherwise it continues the previous
/// call, if that had no index either. Doubtful pieces are: another name for a call; a name without an index
/// for a known call; an index for a call that had none; a first piece without index and id.
RechunkedCalls find_calls(const ChatBody& body);

}  // namespace splitproof::dialect
