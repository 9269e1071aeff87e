#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// The kinds of counts that contracts/vocabulary/usage.yaml defines.
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
  std::string_view pointer;  ///< A JSON pointer into the usage object, without escapes.
  Counted counts;
};

/// All rows, in the order of the file.
std::span<const UsageMember> usage_members();

/// Returns the members of a usage object that no row of the dialect reads, as compact JSON. Returns "" if
/// none has a value. A count of 0 is not a value.
std::string unread_usage(std::string_view dialect, const observe::WireJson& usage);

/// Reads the usage objects of one answer by the rows of its dialect.
class UsageCounts {
 public:
  /// `dialect` must outlive it. If `zero_counts` is false, a 0 after another count of the same kind is
  /// ignored.
  UsageCounts(std::string_view dialect, bool zero_counts) : dialect_(dialect), zero_counts_(zero_counts) {}

  /// Findings in one usage object.
  struct Taken {
    bool counted = false;     ///< It has a count; reasoning and the total alone do not suffice.
    bool zero_later = false;  ///< It has a 0 after another count of the same kind.
    bool null = false;        ///< One of its members is null.
  };
  Taken take(const observe::WireJson& usage);

  /// Returns all counts so far.
  observe::Tokens tokens() const;

  /// True if the total shows that the completion lacks the tokens of reasoning; `tokens` then adds them.
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
