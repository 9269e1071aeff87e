#include "harness/report/picture.hpp"

#include <algorithm>

#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
std::string cut_picture(std::string_view body, std::size_t cut, std::size_t width) {
  // Omits whole characters: only the cut may split a character.
  std::size_t begin = cut > width ? cut - width : 0;
  while (begin > 0 && begin < cut && continues_character(body[begin])) ++begin;
  std::size_t end = std::min(body.size(), cut + width);
  while (end < body.size() && end > cut && continues_character(body[end])) --end;
  const std::string before = (begin > 0 ? "..." : "") + visible(body.substr(begin, cut - begin));
  const std::string after = visible(body.substr(cut, end - cut)) + (end < body.size() ? "..." : "");
  return before + "|" + after + "\n" + std::string(count_characters(before), ' ') + "^ cut at byte " +
         std::to_string(cut) + "\n";
}

}  // namespace splitproof::report
