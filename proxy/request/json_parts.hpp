#pragma once

#include <string>
#include <string_view>

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
