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

/// What a call in text may name, and what the arguments of each are.
class Functions {
 public:
  /// Leaves out functions whose names no markup could hold: empty ones, and those with white space, control characters or
  /// what ends a tag.
  explicit Functions(const std::vector<Function>& declared);

  bool empty() const { return types_.empty(); }
  bool has(std::string_view name) const { return types_.find(name) != types_.end(); }

  /// More bytes may make a name of it, or none need to.
  bool may_become(std::string_view begin) const;

  /// The `type` that the schema of `name` gives its property `key`; empty: none.
  std::string_view type_of(std::string_view name, std::string_view key) const;

  bool operator==(const Functions&) const = default;

 private:
  using Types = std::map<std::string, std::string, std::less<>>;  // by the property
  std::map<std::string, Types, std::less<>> types_;               // by the function
};

}  // namespace splitproof::text
