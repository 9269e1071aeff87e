#include "harness/report/picture.hpp"

#include <algorithm>

#include "harness/utf8.hpp"

namespace splitproof::report {
namespace {

std::string escaped(unsigned char byte) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  }
}

// How many columns a terminal needs for text that `visible` made; wide characters count as one.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string visible(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    const Utf8Step step = utf8_step(bytes.substr(at));
    if (step.kind != Utf8Step::Kind::well_formed || byte < 0x20 || byte == 0x7F) {
      text += escaped(byte);
      ++at;
    } else {
      text += bytes.substr(at, step.length);
      at += step.length;
    }
  }
  return text;
}

std::string cut_picture(std::string_view body, std::size_t cut, std::size_t width) {
  const std::size_t begin = cut > width ? cut - width : 0;
  const std::size_t end = std::min(body.size(), cut + width);
  const std::string before = (begin > 0 ? "..." : "") + visible(body.substr(begin, cut - begin));
  const std::string after = visible(body.substr(cut, end - cut)) + (end < body.size() ? "..." : "");
  return before + "|" + after + "\n" + std::string(columns(before), ' ') + "^ cut at byte " +
         std::to_string(cut) + "\n";
}

}  // namespace splitproof::report
