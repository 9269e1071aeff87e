#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::report {

/// The origin of a line of a diff.
enum class DiffSide : std::uint8_t { both, client, upstream };

/// A line of a diff of two requests.
struct DiffLine {
  DiffSide side = DiffSide::both;
  bool moved = false;  ///< The other request has the same value under another name, or it has no value.
  std::string text;    ///< One line of JSON. Long texts are shortened.
};

/// Compares the client's request with the request to the upstream. Both are written as JSON with one member in
/// each line and with sorted members, because their order has no meaning. A body that is not JSON is compared
/// line by line. Indentation does not matter. Compares at most 600 lines of each.
std::vector<DiffLine> request_diff(std::string_view client, std::string_view upstream);

}  // namespace splitproof::report
