#include "proxy/server/yaml_reading.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

namespace splitproof::server {

std::string describe(const YamlMistake& mistake, const std::string& file) {
  return mistake.line < 0 ? fmt::format("{}: {}", file, mistake.what)
                          : fmt::format("{}:{}: {}", file, mistake.line + 1, mistake.what);
}

tl::expected<std::string, std::string> yaml_text(const std::string& path) {
  const auto refused = [&](const std::string& why) { return tl::make_unexpected(path + ": " + why); };
  std::error_code ignored;
  // A folder opens like a file, and throws when it is read.
  if (std::filesystem::is_directory(path, ignored)) return refused("is a folder, not a file");
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || !text)
    return refused(std::string("cannot be read: ") + std::strerror(errno));
  return text.str();
}

YAML::Node only_document(const std::string& text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    throw YamlMistake{0, "the file starts with a byte order mark; remove it"};
  const std::vector<YAML::Node> documents = YAML::LoadAll(text);
  if (documents.size() > 1) throw YamlMistake{-1, "the file has more than one YAML document"};
  return documents.empty() ? YAML::Node() : documents.front();
}

std::string scalar(const YAML::Node& node) {
  if (!node.IsScalar()) throw YamlMistake{node.Mark().line, "the value must be a scalar"};
  return node.Scalar();
}

void each_member(const YAML::Node& node,
                 const std::function<void(const YAML::Node& key, const YAML::Node& value)>& take) {
  if (!node.IsMap()) throw YamlMistake{node.Mark().line, "the value must be a map"};
  std::set<std::string> seen;
  for (const auto& member : node) {
    const std::string key = scalar(member.first);
    if (!seen.insert(key).second)
      throw YamlMistake{member.first.Mark().line, fmt::format("the key '{}' occurs twice", key)};
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
    throw YamlMistake{key.Mark().line, fmt::format("there is no key '{}' here; use one of: {}", key.Scalar(),
                                                   fmt::join(known, ", "))};
  });
}

}  // namespace splitproof::server
