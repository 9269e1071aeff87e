#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::cli {

/// A column of a list: its name in JSON, its text, and its width in the text for people. The last column has none.
struct Column {
  std::string_view name;
  std::string text;
  std::size_t width = 0;
};

/// Prints the lines of a list whose first column, the id, matches `--only`; as text, or as JSON lines.
class Listing {
 public:
  /// `kind` names one item, such as "rule", for the error if nothing matches.
  Listing(std::string kind, std::string only, bool json)
      : kind_(std::move(kind)), only_(std::move(only)), json_(json) {}

  void add(const std::vector<Column>& columns);

  /// Returns the exit code. Complains if `--only` left nothing, and names the closest ids.
  int end() const;

 private:
  const std::string kind_;
  const std::string only_;
  const bool json_;
  bool any_ = false;
  std::vector<std::string> ids_;
};

}  // namespace splitproof::cli
