#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Maximum number of steps in a path. No schema comes near it.
inline constexpr std::size_t kMaxGeminiPath = 64;

/// One step of a path: the key of a member, or the index of an element.
struct PathStep {
  std::string key;
  std::optional<std::size_t> index;

  bool operator==(const PathStep&) const = default;
};

/// Returns the steps of a path such as `$.a[0]['b c']`, or nullopt if it has another form.
std::optional<std::vector<PathStep>> steps_of(std::string_view path);

/// The arguments of a call that come in pieces: values with their paths.
class PartialArguments {
 public:
  /// Takes one element of `partialArgs`. Returns false if its value cannot be put at its path. A piece without a value
  /// changes nothing.
  bool take(const observe::WireJson& piece);

  /// True if a piece has a value that is known.
  static bool has_value(const observe::WireJson& piece);

  /// Returns the arguments so far as compact JSON.
  std::string written() const;

  /// Returns the beginning of the arguments, up to the last value that may continue.
  std::string begun() const;

  bool operator==(const PartialArguments&) const = default;

 private:
  enum class Form : unsigned char { none, value, string, object, array };

  struct Node {
    Form form = Form::none;
    std::string text;                                    ///< A value as JSON, or a string in WTF-8.
    bool open = false;                                   ///< The string continues.
    std::vector<std::pair<std::string, Node>> children;  ///< Elements have no key.

    bool operator==(const Node&) const = default;
  };

  static Node* child_of(Node& node, const PathStep& step);
  static void write(const Node& node, bool closes, std::string& out);

  Node root_{Form::object, {}, false, {}};
};

}  // namespace splitproof::dialect
