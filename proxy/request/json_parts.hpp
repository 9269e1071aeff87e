#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "proxy/request/asked.hpp"

/// Parts of requests, as JSON text.
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

/// Returns all texts of a turn.
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

  /// Returns the text for the next element.
  std::string& next() {
    if (!json.empty()) json += ",";
    return json;
  }
};

}  // namespace splitproof::request
