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
  observe::WireJson json;  ///< a view of that
};

/// The JSON of each event that has it in the body in one piece. Frames with lengths and CRCs, which speak of all that is
/// in them, have none.
std::vector<Document> documents_of(std::string_view body, Framing framing);

// What a body can lose. All take any bytes; what cannot be read has fewer pieces.

/// How many events a body has.
std::size_t count_events(std::string_view body, Framing framing);

/// Its events, one piece each, with the comments before it. What follows the last one is of its piece.
Pieces event_pieces(std::string_view body, Framing framing);

/// Of server-sent events the lines beside their data: comments and other fields.
Pieces line_pieces(std::string_view body, Framing framing);

/// The members of the events' JSON, and the elements of its arrays, each alone in its set. Those that stand at the same
/// place of several events come first, together, and outer ones before inner ones.
std::vector<Pieces> member_pieces(std::string_view body, Framing framing);

/// The characters of the strings in the events' JSON, a set for each string that `is_text` says yes to. A string that
/// stands in several places is shortened in all of them at once, and then in each. An escape is one character, and
/// so are the escapes of two surrogates that belong together.
std::vector<Pieces> text_pieces(std::string_view body, Framing framing,
                                const std::function<bool(std::string_view)>& is_text);

/// A character of which one string ends with the first half, as an escape, and a later one begins with the other: a set
/// of one piece each, of the two halves, or of the events around either or both.
std::vector<Pieces> halved_pieces(std::string_view body, Framing framing);

}  // namespace splitproof::shrink
