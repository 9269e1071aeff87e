#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Assembles the arguments of a call from pieces: values with their paths, such as `$.stops[0].name`. Members keep the
/// order in which they came.
class GeminiArguments {
 public:
  /// `depth`: most levels of a path.
  explicit GeminiArguments(std::size_t depth) : depth_(depth) {}

  /// Takes one element of `partialArgs`. A string goes on while its last piece said `willContinue`. Otherwise a new value
  /// replaces the old one. Returns false if it lacks a value or a path, or if its path contradicts an earlier path.
  bool take(const wire::Json& piece);

  /// Returns true without any value.
  bool empty() const { return nodes_.size() == 1; }

  /// Returns the approximate memory of the values, in bytes.
  std::size_t cost() const { return cost_; }

  /// Returns the values as one JSON object.
  std::string json() const;

  bool operator==(const GeminiArguments&) const = default;

 private:
  enum class Kind : std::uint8_t { unknown, object, array, string, other };

  // A value. Those of an object or an array have their names in `keys`.
  struct Node {
    Kind kind = Kind::unknown;
    std::string text = {};  // of a string, in WTF-8; of another value, its JSON
    bool goes_on = false;   // of a string: the next piece belongs to it
    std::vector<std::pair<std::string, std::size_t>> members = {};
    bool operator==(const Node&) const = default;
  };

  bool find(std::string_view path, std::size_t& node);
  bool enter_member(std::string key, std::size_t& node);
  bool enter_element(std::size_t index, std::size_t& node);
  std::size_t add(std::size_t node, std::string key);
  void append(std::size_t node, std::string& json) const;

  std::size_t depth_;
  std::vector<Node> nodes_ = {Node{Kind::object}};                     // the first is the whole
  std::map<std::pair<std::size_t, std::string>, std::size_t> by_key_;  // members of objects
  std::size_t cost_ = 0;
};

}  // namespace splitproof::proxy::dialect
