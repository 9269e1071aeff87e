#include "harness/cli/unknown_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "harness/cli/nearest.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::cli {
namespace {

constexpr std::size_t kMostClosest = 5;

// Returns the text of a glob that is an id: without its first and last `*`, and without the part of a case.
std::string text_of_glob(const std::string& glob) {
  std::string text = glob.substr(0, glob.find('?'));
  while (text.ends_with('*')) text.pop_back();
  text.erase(0, std::min(text.find_first_not_of("*/"), text.size()));
  return text;
}

std::string last_part(const std::string& id) { return id.substr(id.rfind('/') + 1); }

}  // namespace

Error unknown_word(const std::string& kind, const std::string& word, const std::vector<std::string>& known,
                   const std::string& all) {
  const auto near = nearest(word, known);
  std::string hint = near ? "did you mean " + *near + "? " : "";
  hint += all.empty() ? fmt::format("use one of {}", fmt::join(known, ", ")) : all;
  return Error{fmt::format("there is no {} '{}'", kind, word), {}, 0, hint};
}

Error unknown_protocol(const std::string& word) {
  std::vector<std::string> known;
  for (const dialect::Dialect& dialect : dialect::all()) known.emplace_back(dialect.protocol);
  return unknown_word("protocol", word, known);
}

std::vector<std::string> closest_ids(const std::string& glob, const std::vector<std::string>& ids) {
  const std::string text = text_of_glob(glob);
  const std::string name = last_part(text);
  std::vector<std::tuple<std::size_t, std::size_t, std::string>> ranked;
  for (const std::string& id : ids) {
    const std::string own = last_part(id);
    if (!text.empty() && id.find(text) != id.npos)
      ranked.emplace_back(own == name ? 0 : 1, own.size(), id);
    else if (!name.empty() && own.find(name) != own.npos)
      ranked.emplace_back(own == name ? 2 : 3, own.size(), id);
    else if (const auto near = nearest(name, {own}))
      ranked.emplace_back(4, edit_distance(text, id), id);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  });
  std::vector<std::string> closest;
  for (const auto& [rank, distance, id] : ranked)
    if (closest.size() < kMostClosest) closest.push_back(id);
  return closest;
}

Error nothing_matches(const std::string& kind, const std::string& glob, const std::vector<std::string>& ids,
                      const std::string& all) {
  const std::vector<std::string> closest = closest_ids(glob, ids);
  return Error{fmt::format("no {} matches --only '{}'{}", kind, glob,
                           closest.empty() ? "" : fmt::format(". Closest: {}", fmt::join(closest, ", "))),
               {},
               0,
               all};
}

}  // namespace splitproof::cli
