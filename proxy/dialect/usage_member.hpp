#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// A member in which an upstream counts tokens: a row of contracts/vocabulary/usage.yaml. Rows of kind `unclear` are
/// left out.
struct UsageMember {
  std::string_view dialect;
  std::string_view object;  ///< Its object within the usage object; empty: the usage object itself.
  std::string_view name;
  enum class Counts : std::uint8_t { prompt, uncached, cached, written, completion, reasoning, total } counts;
};

/// Returns all rows, in the order of the file.
std::span<const UsageMember> usage_members();

/// Collects the counts of one answer from its usage objects. The last value of each counts.
class UsageReader {
 public:
  /// `keeps_counts`: a 0 does not reset a count. `apart`: the upstream's completion never includes reasoning tokens.
  UsageReader(std::string_view dialect, bool keeps_counts, bool apart = false)
      : dialect_(dialect), keeps_counts_(keeps_counts), apart_(apart) {}

  void take(const wire::Json& usage);

  /// Returns the counts so far. The completion includes reasoning tokens, even if the upstream's does not.
  turn::Usage usage() const;

  bool operator==(const UsageReader&) const = default;

 private:
  std::string_view dialect_;
  bool keeps_counts_;
  bool apart_;
  turn::Usage said_;
  std::optional<std::uint64_t> uncached_, total_;
};

}  // namespace splitproof::proxy::dialect
