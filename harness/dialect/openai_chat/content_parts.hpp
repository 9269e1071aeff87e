#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/thinking.hpp"
#include "harness/dialect/openai_chat/unread.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Prose of one part of a content array. A piece of thinking may have a signature.
struct ContentPiece {
  observe::PartKind kind = observe::PartKind::text;
  ThoughtPiece thought;  ///< its text, whatever the kind
};

/// Returns the prose of one element of a content array, in its order. Parts of other types have none.
///
/// text, output_text        `text` is text
/// thinking                 `thinking` is thinking: a string or a list of text parts
/// reasoning                the `text` of each element of `summary` is thinking, or otherwise `text`
/// summary_text             `text` is thinking
/// refusal                  `refusal` is a refusal
std::vector<ContentPiece> pieces_of_content_part(const observe::WireJson& part);

/// True if a part has a type that is neither prose nor a source. Nobody knows what such a part is for.
bool is_unknown_content_part(const observe::WireJson& part);

/// Calls `take` for what pieces_of_content_part() does not read: a part of another type as `content.TYPE`, a source as
/// `content.citation` or the like, and an unread member of a part as `part.MEMBER`.
void unread_of_content_part(const observe::WireJson& part, const TakeUnread& take);

}  // namespace splitproof::dialect
