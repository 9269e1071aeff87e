#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "proxy/dialect/knobs.hpp"

namespace splitproof::server {

/// A mistake in a YAML file. Readers throw it from nested nodes. The function that opens the file catches it.
struct YamlMistake {
  int line = -1;  ///< from 0; -1: none
  std::string what;
};

/// Returns "FILE:LINE: WHAT", or without a line "FILE: WHAT".
std::string describe(const YamlMistake& mistake, const std::string& file);

/// Returns all bytes of a file, or an error with its path if it is absent, a folder, or unreadable.
tl::expected<std::string, std::string> yaml_text(const std::string& path);

/// Returns the only document of a text; null without one. Throws for several documents, for a leading byte order mark,
/// and as yaml-cpp does for invalid YAML.
YAML::Node only_document(const std::string& text);

using YamlReader = std::function<void(const YAML::Node&)>;
using YamlReaders = std::vector<std::pair<std::string, YamlReader>>;

/// Throws if the node is not a single value.
std::string scalar(const YAML::Node& node);

/// Calls `take` for each member of a map, in order. Throws for other nodes and for repeated keys.
void each_member(const YAML::Node& node,
                 const std::function<void(const YAML::Node& key, const YAML::Node& value)>& take);

/// Reads each member with the reader of its key. Throws for an unknown key, and lists the known keys.
void read_map(const YAML::Node& node, const YamlReaders& readers);

/// Reads one of the values by its name. Throws for an unknown name, and lists the known names.
template <class Value>
YamlReader choice(Value& value, const proxy::dialect::NamedValues<Value>& values) {
  return [&value, values](const YAML::Node& node) {
    const std::string said = scalar(node);
    std::vector<std::string_view> known;
    for (const auto& [name, meant] : values) {
      if (name == said) {
        value = meant;
        return;
      }
      known.push_back(name);
    }
    throw YamlMistake{node.Mark().line, fmt::format("'{}' is not one of: {}", said, fmt::join(known, ", "))};
  };
}

}  // namespace splitproof::server
