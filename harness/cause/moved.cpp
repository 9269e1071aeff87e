#include "harness/cause/moved.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "harness/cause/edit.hpp"

namespace splitproof::cause {
namespace {

constexpr std::size_t kTelling = 3;  // bytes of a text: fewer may occur anywhere

// Returns a value without the marks of its JSON.
std::string bare(std::string_view value) {
  std::string text(value);
  std::erase(text, '"');
  return text;
}

}  // namespace

bool is_moved(const contract::Violation& lost, const contract::Violation& gained) {
  const std::string lost_found = bare(lost.found);
  const std::string lost_wanted = bare(lost.wanted);
  const std::string gained_found = bare(gained.found);
  const std::string gained_wanted = bare(gained.wanted);
  const std::string_view missing = parts_that_differ(lost_wanted, lost_found).first;
  const std::string_view added = parts_that_differ(gained_found, gained_wanted).first;
  const auto is_telling = [](std::string_view text) { return text.size() >= kTelling; };
  return (is_telling(missing) && added.find(missing) != std::string_view::npos) ||
         (is_telling(added) && missing.find(added) != std::string_view::npos);
}

}  // namespace splitproof::cause
