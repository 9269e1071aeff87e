#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// What a member of a usage object counts; contracts/vocabulary/usage.yaml defines each.
enum class Counted : std::uint8_t {
  prompt,
  uncached,
  cached,
  written,
  unclear,
  completion,
  reasoning,
  total
};

inline constexpr std::size_t kCounted = 8;

/// A row of contracts/vocabulary/usage.yaml.
struct UsageMember {
  std::string_view dialect;
  std::string_view pointer;  ///< a JSON pointer into the usage object, without escapes
  Counted counts;
};

/// All rows, in the order of the file.
std::span<const UsageMember> usage_members();

/// Reads the usage objects of one answer by the rows of its dialect.
class UsageCounts {
 public:
  /// `dialect` must outlive it. If `zero_counts` is false, a 0 after another count of the same counts nothing.
  UsageCounts(std::string_view dialect, bool zero_counts) : dialect_(dialect), zero_counts_(zero_counts) {}

  /// What an object has, beside its counts.
  struct Taken {
    bool counted = false;     ///< a count of tokens; one of reasoning or of all is none by itself
    bool zero_later = false;  ///< a 0 after another count of the same
    bool null = false;        ///< a member that is null
  };
  Taken take(const observe::WireJson& usage);

  /// What was counted so far.
  observe::Tokens tokens() const;

  /// True if the tokens of reasoning are beside those of the completion, as the total says; `tokens` adds them up.
  bool reasoning_is_beside() const;

  bool operator==(const UsageCounts&) const = default;

 private:
  std::optional<std::uint64_t> of(Counted counted) const {
    return counts_[static_cast<std::size_t>(counted)];
  }
  std::optional<std::uint64_t> prompt() const;

  std::string_view dialect_;
  bool zero_counts_;
  std::array<std::optional<std::uint64_t>, kCounted> counts_;
};

}  // namespace splitproof::dialect
