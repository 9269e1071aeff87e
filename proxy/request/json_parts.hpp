#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "proxy/request/asked.hpp"

/// What requests are put together of, as JSON text.
namespace splitproof::request {

/// Escaped texts, joined with an empty line between them.
struct Joined {
  std::string text;

  void add(std::string_view more) {
    if (more.empty()) return;
    if (!text.empty()) text += "\\n\\n";
    text += more;
  }
};

/// All texts of a turn.
inline std::string text_of(const Turn& turn) {
  Joined text;
  for (const Block& block : turn.blocks) {
    if (const auto* said = std::get_if<Text>(&block)) text.add(said->text);
  }
  return text.text;
}

/// The elements of a JSON array that is being written.
struct List {
  std::string json;

  /// Where the next element is appended.
  std::string& next() {
    if (!json.empty()) json += ",";
    return json;
  }
};

}  // namespace splitproof::request
