#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::text {

/// A function that the client declared.
struct Function {
  std::string name;
  std::string schema;  ///< of its arguments: JSON
  bool operator==(const Function&) const = default;
};

/// Functions that a call in text may name, with the types of their arguments.
class Functions {
 public:
  /// Leaves out names that markup cannot hold: empty ones, and those with white space, control characters or tag ends.
  explicit Functions(const std::vector<Function>& declared);

  bool empty() const { return types_.empty(); }
  bool has(std::string_view name) const { return types_.find(name) != types_.end(); }

  /// True if `begin` is a name or the beginning of one.
  bool may_become(std::string_view begin) const;

  /// Returns the `type` of property `key` in the schema of `name`; empty: none.
  std::string_view type_of(std::string_view name, std::string_view key) const;

  bool operator==(const Functions&) const = default;

 private:
  using Types = std::map<std::string, std::string, std::less<>>;  // by property
  std::map<std::string, Types, std::less<>> types_;               // by function
};

}  // namespace splitproof::text
