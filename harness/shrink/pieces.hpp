#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "harness/framing.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/shrink/candidate.hpp"

namespace splitproof::shrink {

/// The JSON of an event.
struct Document {
  std::string_view text;   ///< a view of the body
  observe::WireJson json;  ///< a view of `text`
};

/// Returns the JSON of each event whose JSON is contiguous in the body. Frames with lengths and CRCs have
/// none, because those cover all bytes.
std::vector<Document> documents_of(std::string_view body, Framing framing);

// Removable parts of a body. All functions take any bytes; unreadable parts yield fewer pieces.

/// Counts the events of a body.
std::size_t count_events(std::string_view body, Framing framing);

/// Returns a piece for each event, with the comments before it. The last piece includes the rest of the body.
Pieces event_pieces(std::string_view body, Framing framing);

/// Returns the lines of server-sent events that are not data: comments and other fields.
Pieces line_pieces(std::string_view body, Framing framing);

/// Returns a set for each member of the events' JSON and each element of its arrays. Sets of one path in
/// several events come first, outer paths before inner ones.
std::vector<Pieces> member_pieces(std::string_view body, Framing framing);

/// Returns the characters of the strings in the events' JSON, a set for each string that `is_text` accepts. A
/// repeated string is shortened everywhere at once, then at each place. An escape, or a pair of surrogate
/// escapes, is one character.
std::vector<Pieces> text_pieces(std::string_view body, Framing framing,
                                const std::function<bool(std::string_view)>& is_text);

/// Finds characters whose surrogate escapes are split: one string ends with the first and a later string
/// begins with the second. Returns sets of one piece: both halves, or the events around one or both.
std::vector<Pieces> halved_pieces(std::string_view body, Framing framing);

}  // namespace splitproof::shrink
