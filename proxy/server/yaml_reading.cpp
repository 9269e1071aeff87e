#include "proxy/server/yaml_reading.hpp"

#include <set>

namespace splitproof::server {

std::string describe(const YamlMistake& mistake, const std::string& file) {
  return mistake.line < 0 ? fmt::format("{}: {}", file, mistake.what)
                          : fmt::format("{}:{}: {}", file, mistake.line + 1, mistake.what);
}

YAML::Node only_document(const std::string& text) {
  const std::vector<YAML::Node> documents = YAML::LoadAll(text);
  if (documents.size() > 1) throw YamlMistake{-1, "there is more than one document in it"};
  return documents.empty() ? YAML::Node() : documents.front();
}

std::string scalar(const YAML::Node& node) {
  if (!node.IsScalar()) throw YamlMistake{node.Mark().line, "a single value belongs here"};
  return node.Scalar();
}

void each_member(const YAML::Node& node,
                 const std::function<void(const YAML::Node& key, const YAML::Node& value)>& take) {
  if (!node.IsMap()) throw YamlMistake{node.Mark().line, "a map of keys belongs here"};
  std::set<std::string> seen;
  for (const auto& member : node) {
    const std::string key = scalar(member.first);
    if (!seen.insert(key).second)
      throw YamlMistake{member.first.Mark().line, fmt::format("the key '{}' stands here twice", key)};
    take(member.first, member.second);
  }
}

void read_map(const YAML::Node& node, const YamlReaders& readers) {
  each_member(node, [&](const YAML::Node& key, const YAML::Node& value) {
    std::vector<std::string_view> known;
    for (const auto& [name, read] : readers) {
      if (name == key.Scalar()) return read(value);
      known.push_back(name);
    }
    throw YamlMistake{key.Mark().line, fmt::format("there is no key '{}' here; there are: {}", key.Scalar(),
                                                   fmt::join(known, ", "))};
  });
}

}  // namespace splitproof::server
