#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::contract {

/// A mistake in a contract or profile file. Only this room throws it, because such a file is read by
/// recursion; `Contracts::load` and `load_profile` catch it and return its Error.
struct Mistake {
  Error error;
};

/// A mapping's key with its line.
struct YamlKey {
  std::string name;
  std::size_t line = 0;
};

/// One node of a YAML document, with its place. YAML is restricted to trees. Tags, anchors, aliases, merge
/// keys, repeated keys and keys that are not scalars are mistakes. So are a second document and more than 64
/// levels.
struct YamlNode {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text;             ///< Text of a scalar.
  bool quoted = false;          ///< A quoted or block scalar: always a string.
  std::vector<YamlKey> keys;    ///< Keys of a map, one for each of `items`.
  std::vector<YamlNode> items;  ///< Items of a list or map.
  std::size_t line = 0;         ///< 1-based.

  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_scalar() const { return kind == Kind::scalar; }
};

/// Reads a file of at most 1 MiB. Throws Mistake with file and line.
YamlNode read_yaml(const std::string& path);

/// Returns the `*.yaml` of a folder, by name; empty without the folder. Throws Mistake if it is unreadable.
std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& dir);

/// Parses a document in memory; its Mistakes have a line but no file.
YamlNode parse_yaml(std::string_view text);

/// Throws a Mistake at a line.
[[noreturn]] void refuse(std::size_t line, std::string_view what, std::string_view hint = {});

/// Returns the scalar's text; throws unless `node` is a non-empty scalar. `what` names it in the message.
const std::string& scalar_text(const YamlNode& node, std::string_view what);

/// Returns the texts of a scalar or of a list of scalars.
std::vector<std::string> scalar_texts(const YamlNode& node, std::string_view what);

/// A map whose keys are known beforehand.
class YamlMap {
 public:
  /// Throws unless `node` is a map with only `known` keys. `what` names it in messages ("an obligation").
  /// `node` must outlive this view.
  YamlMap(const YamlNode& node, std::string_view what, std::initializer_list<std::string_view> known);

  /// Returns the key's value, or null without the key.
  const YamlNode* find(std::string_view key) const;

  /// Returns the key's value; throws without the key.
  const YamlNode& need(std::string_view key) const;

 private:
  const YamlNode& node_;
  std::string what_;
};

}  // namespace splitproof::contract
