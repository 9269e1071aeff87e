#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::split {

/// What a Chat Completions body says, whatever its events are.
struct NaiveAnswer {
  struct Call {
    std::string index;  ///< as JSON, of the piece that began it
    std::string id;
    std::string name;
    std::string arguments;
    bool operator==(const Call&) const = default;
  };
  std::string model;                                       ///< of the first chunk with a choice
  std::vector<std::pair<std::string, std::string>> parts;  ///< key and text; a call is its number
  std::vector<Call> calls;                                 ///< in the order of their first pieces
  std::string finishes;                                    ///< different reasons, in order
  std::string usage;                                       ///< the last one, as JSON
  std::string rest;                                        ///< what is not a chunk of choices, in order
  bool done = false;

  bool operator==(const NaiveAnswer&) const = default;
};

/// Reads a body line by line, taking everything by its first look: the second opinion on what recuts must not change.
/// Halves of surrogate pairs that separate events bring are joined.
NaiveAnswer read_naively(std::string_view body);

/// The data of each event of a body whose data are single lines, with half surrogate escapes replaced, so that
/// what is JSON by RFC 8259 can be parsed.
std::vector<std::string> data_lines(std::string_view body);

/// Whether the text of a JSON string that `data_lines` gave holds half a pair.
bool holds_half(std::string_view text);

std::string describe(const NaiveAnswer& answer);

}  // namespace splitproof::split
