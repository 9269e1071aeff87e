#include "harness/observe/stable_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "harness/observe/internal_paths.hpp"

namespace splitproof::observe {
namespace {

bool may_begin_path(char c) {
  return std::any_of(kInternalPaths.begin(), kInternalPaths.end(),
                     [c](std::string_view prefix) { return prefix.front() == c; });
}

}  // namespace

void StablePaths::take(char said, std::string_view written, std::string_view marker, std::string& told) {
  if (!in_path_ && waiting_.empty() && !may_begin_path(said)) {
    told += written;
    return;
  }
  Byte byte{said, std::string(written)};
  if (!in_path_) return look(std::move(byte), marker, told);
  if (is_path_byte(said)) return waiting_.clear();  // the dots before it belong to the path
  if (said == '.' && waiting_.size() < kMostPathDots) return waiting_.push_back(std::move(byte));
  in_path_ = false;
  for (Byte& dot : std::exchange(waiting_, {})) look(std::move(dot), marker, told);
  look(std::move(byte), marker, told);
}

void StablePaths::end(std::string& told) {
  for (const Byte& byte : waiting_) told += byte.written;
  waiting_.clear();
  in_path_ = false;
}

/// Reads one byte outside paths.
void StablePaths::look(Byte byte, std::string_view marker, std::string& told) {
  waiting_.push_back(std::move(byte));
  std::size_t whole = 0;  // the longest prefix that ends here
  std::size_t begun = 0;  // the longest suffix that begins a prefix
  for (const std::string_view prefix : kInternalPaths) {
    if (waiting_ends_with(prefix)) whole = std::max(whole, prefix.size());
    for (std::size_t length = begun + 1; length < prefix.size() && length <= waiting_.size(); ++length)
      if (waiting_ends_with(prefix.substr(0, length))) begun = length;
  }
  const auto front = waiting_.end() - static_cast<std::ptrdiff_t>(whole > 0 ? whole : begun);
  for (auto it = waiting_.begin(); it != front; ++it) told += it->written;
  waiting_.erase(waiting_.begin(), front);
  if (whole == 0) return;
  told += marker;
  waiting_.clear();
  in_path_ = true;
}

bool StablePaths::waiting_ends_with(std::string_view prefix) const {
  if (prefix.size() > waiting_.size() || prefix.back() != waiting_.back().said) return false;
  return std::equal(prefix.begin(), prefix.end(), waiting_.end() - static_cast<std::ptrdiff_t>(prefix.size()),
                    [](char c, const Byte& byte) { return c == byte.said; });
}

}  // namespace splitproof::observe
