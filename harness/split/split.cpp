#include "harness/split/split.hpp"

namespace splitproof::split {

Result<void> check_cuts(const Cuts& cuts, std::size_t size) {
  const auto wrong = [](std::string what, std::string hint) {
    return tl::unexpected(Error{std::move(what), {}, 0, std::move(hint)});
  };
  std::size_t previous = 0;
  for (const std::size_t cut : cuts) {
    const std::string at = "cut " + std::to_string(cut);
    if (cut == 0 || cut >= size) {
      return wrong(
          at + " is outside a body of " + std::to_string(size) + " bytes",
          size < 2 ? "a body this short cannot be cut" : "use offsets from 1 to " + std::to_string(size - 1));
    }
    if (cut <= previous) {
      return wrong(at + " comes after cut " + std::to_string(previous),
                   "give offsets in strictly increasing order");
    }
    previous = cut;
  }
  return {};
}

std::vector<std::string_view> chunks(std::string_view body, const Cuts& cuts) {
  std::vector<std::string_view> pieces;
  pieces.reserve(cuts.size() + 1);
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    pieces.push_back(body.substr(begin, cut - begin));
    begin = cut;
  }
  pieces.push_back(body.substr(begin));
  return pieces;
}

}  // namespace splitproof::split
