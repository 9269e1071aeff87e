#include "harness/cause/edit.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace splitproof::cause {
namespace {

constexpr std::string_view kBetween = "\",\"";  // between two strings of a list
constexpr std::size_t kFewest = 3;              // bytes of an added text: fewer may be a part of any text
constexpr std::string_view kEscapes[] = {"\\n", "\\r", "\\t", " "};

// Returns the text without blanks, of which some are escaped in JSON.
std::string without_blanks(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const auto blank = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                    [&](std::string_view one) { return text.starts_with(one); });
    if (blank == std::end(kEscapes)) rest += text.front();
    text.remove_prefix(blank == std::end(kEscapes) ? 1 : blank->size());
  }
  return rest;
}

}  // namespace

std::pair<std::string_view, std::string_view> parts_that_differ(std::string_view found,
                                                                std::string_view wanted) {
  const auto differ = std::mismatch(found.begin(), found.end(), wanted.begin(), wanted.end());
  const auto same = static_cast<std::size_t>(differ.first - found.begin());
  found.remove_prefix(same);
  wanted.remove_prefix(same);
  while (!found.empty() && !wanted.empty() && found.back() == wanted.back()) {
    found.remove_suffix(1);
    wanted.remove_suffix(1);
  }
  return {found, wanted};
}

std::string edit_of(std::string_view found, std::string_view wanted) {
  if (found == wanted || found.empty() || wanted.empty()) return {};
  if (without_blanks(found) == without_blanks(wanted))
    return found.size() < wanted.size()   ? "blanks removed"
           : found.size() > wanted.size() ? "blanks added"
                                          : "blanks changed";
  const auto [here, there] = parts_that_differ(found, wanted);
  if (there == kBetween) return "joined by \"" + std::string(here) + "\"";
  if (here == kBetween) return "parted at \"" + std::string(there) + "\"";
  if (there.empty() && here.size() >= kFewest) return "added: " + std::string(here);
  return {};
}

}  // namespace splitproof::cause
