#include <algorithm>
#include <cctype>

#include "harness/lower_case.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::recording {

Found markup(const CapturedFile& file) {
  const std::string begin = lower_case(std::string(file.first.substr(0, 15)));
  if (!begin.starts_with("<!doctype") && !begin.starts_with("<html")) return std::nullopt;
  return file.refuse("is an HTML page",
                     "the server, or a proxy before it, answered with a page; send the request again");
}

Found printed_objects(const CapturedFile& file) {
  const auto is_one = [](std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) != 0 || line[at] == '_'))
      ++at;
    const std::size_t name = at;
    if (name == 0 || name == line.size() || line[at] != '(') return false;
    while (++at < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[at])) != 0 || line[at] == '_')) {
    }
    return at < line.size() && line[at] == '=';
  };
  if (!is_one(file.first)) return std::nullopt;
  return file.refuse("has the objects that a client library made from a stream, not the stream itself",
                     kCaptureRawBody);
}

}  // namespace splitproof::recording
