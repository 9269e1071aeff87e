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

/// What is wrong with a YAML file. Reading one is a descent through nested nodes: whoever reads throws this, and the
/// function that was asked for the file catches it.
struct YamlMistake {
  int line = -1;  ///< from 0; -1: none
  std::string what;
};

/// "FILE:LINE: WHAT", or without a line "FILE: WHAT".
std::string describe(const YamlMistake& mistake, const std::string& file);

/// All bytes of a file; or an error, with its path, where there is none, it is a folder, or it cannot be read.
tl::expected<std::string, std::string> yaml_text(const std::string& path);

/// The one document of a text; null where it has none. Throws for several, for a byte order mark in front, and as yaml-cpp
/// does for what is no YAML.
YAML::Node only_document(const std::string& text);

using YamlReader = std::function<void(const YAML::Node&)>;
using YamlReaders = std::vector<std::pair<std::string, YamlReader>>;

/// Throws where it is no single value.
std::string scalar(const YAML::Node& node);

/// The members of a map, in order. Throws where it is none, or a key stands there twice.
void each_member(const YAML::Node& node,
                 const std::function<void(const YAML::Node& key, const YAML::Node& value)>& take);

/// Reads each member with the reader of its key. Throws for a key that has none, with those that there are.
void read_map(const YAML::Node& node, const YamlReaders& readers);

/// Reads one of the values by its name. Throws for another, with those that there are.
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
