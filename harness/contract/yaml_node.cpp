#include "harness/contract/yaml_node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "harness/built_in.hpp"

namespace splitproof::contract {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxDepth = 64;

std::size_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 0 : static_cast<std::size_t>(mark.line) + 1;
}

/// Builds the tree from the parser's events. It throws on the first thing that is not allowed, so the parser
/// never descends deeper than `kMaxDepth` and never stores more than it was given.
class TreeBuilder : public YAML::EventHandler {
 public:
  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    node.line = check(mark, "", anchor);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(line_of(mark), "aliases (*NAME) are not allowed", "write the value out");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.line = check(mark, tag, anchor);
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, check(mark, tag, anchor));
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, check(mark, tag, anchor));
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    YamlNode node;
    std::optional<YamlKey> key;                          ///< of a map: read, its value not yet
    std::unordered_map<std::string, std::size_t> lines;  ///< of a map: where its keys stand
  };

  /// "?" and "!" are what the parser calls untagged plain and untagged quoted nodes.
  static std::size_t check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const std::size_t line = line_of(mark);
    if (anchor != 0) refuse(line, "anchors (&NAME) are not allowed", "write the value out");
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(line, fmt::format("the tag {} is not allowed", tag), "quote a text that begins with '!'");
    }
    return line;
  }

  void open(YamlNode::Kind kind, std::size_t line) {
    if (!levels_.empty() && levels_.back().node.is_map() && !levels_.back().key) refuse_key(line);
    if (levels_.size() == kMaxDepth) refuse(line, fmt::format("nested more than {} levels deep", kMaxDepth));
    Level level;
    level.node.kind = kind;
    level.node.line = line;
    levels_.push_back(std::move(level));
  }

  void close() {
    YamlNode node = std::move(levels_.back().node);
    levels_.pop_back();
    if (levels_.empty()) {
      root_ = std::move(node);
    } else {
      add(std::move(node));
    }
  }

  void add(YamlNode node) {
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node.is_map()) {
      if (!level.key) {
        if (!node.is_scalar()) refuse_key(node.line);
        level.key = unrepeated_key(level, node);
        return;
      }
      // The parser finds that a value is missing only at what follows it.
      if (node.kind == YamlNode::Kind::null) node.line = level.key->line;
      level.node.keys.push_back(*std::exchange(level.key, std::nullopt));
    }
    level.node.items.push_back(std::move(node));
  }

  static YamlKey unrepeated_key(Level& level, const YamlNode& key) {
    if (key.text == "<<" && !key.quoted) {
      refuse(key.line, "merge keys (<<) are not allowed", "write the keys out");
    }
    const auto [earlier, added] = level.lines.emplace(key.text, key.line);
    if (!added) {
      refuse(key.line, fmt::format("the key '{}' stands twice", key.text),
             fmt::format("remove one; the first is on line {}", earlier->second));
    }
    return YamlKey{key.text, key.line};
  }

  [[noreturn]] static void refuse_key(std::size_t line) {
    refuse(line, "a key must be a text", "quote it if it has special characters");
  }

  std::vector<Level> levels_;
  YamlNode root_;
};

}  // namespace

YamlNode parse_yaml(std::string_view text) {
  if (text.size() > kMaxBytes) refuse(0, "the file is larger than 1 MiB", "split it into several files");
  std::istringstream input{std::string(text)};
  try {
    YAML::Parser parser(input);
    TreeBuilder tree;
    parser.HandleNextDocument(tree);
    TreeBuilder second;
    if (parser.HandleNextDocument(second)) refuse(second.take().line, "a second YAML document", "one a file");
    return tree.take();
  } catch (const YAML::Exception& error) {
    refuse(line_of(error.mark), fmt::format("not YAML: {}", error.msg),
           "quote texts that have characters YAML takes for its own, such as '? ' or ': '");
  }
}

namespace {

std::string read_start(const std::string& path) {
  if (const auto bytes = built_in_file(path)) return std::string(*bytes);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open()) {
    const int reason = errno;  // streams leave it as the system set it, where it set one
    throw Mistake{{reason == 0 ? "the file cannot be read"
                               : "the file cannot be read: " + std::generic_category().message(reason),
                   path, 0, ""}};
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

}  // namespace

YamlNode read_yaml(const std::string& path) {
  const std::string text = read_start(path);
  try {
    return parse_yaml(text);
  } catch (Mistake& mistake) {
    mistake.error.file = path;
    throw;
  }
}

std::vector<std::filesystem::path> yaml_files(const std::filesystem::path& dir) {
  std::error_code error;
  std::vector<std::filesystem::path> paths = files_in(dir, error);
  if (error == std::errc::no_such_file_or_directory) return {};
  std::erase_if(paths, [](const std::filesystem::path& path) { return path.extension() != ".yaml"; });
  if (error) throw Mistake{{"the folder cannot be read: " + error.message(), dir.string(), 0, ""}};
  return paths;
}

void refuse(std::size_t line, std::string what, std::string hint) {
  throw Mistake{{std::move(what), "", line, std::move(hint)}};
}

const std::string& scalar_text(const YamlNode& node, std::string_view what) {
  if (!node.is_scalar() || node.text.empty()) {
    const std::string_view found = node.is_map() ? "a map" : node.is_list() ? "a list" : "nothing";
    refuse(node.line, fmt::format("{} must be a text, and here is {}", what, found));
  }
  return node.text;
}

std::vector<std::string> scalar_texts(const YamlNode& node, std::string_view what) {
  if (!node.is_list()) return {scalar_text(node, what)};
  if (node.items.empty()) refuse(node.line, fmt::format("{}: an empty list", what), "name at least one");
  std::vector<std::string> texts;
  for (const YamlNode& item : node.items) texts.push_back(scalar_text(item, what));
  return texts;
}

YamlMap::YamlMap(const YamlNode& node, std::string_view what, std::initializer_list<std::string_view> known)
    : node_(node), what_(what) {
  if (!node.is_map()) refuse(node.line, fmt::format("{} must be a map", what));
  for (const YamlKey& key : node.keys) {
    if (std::find(known.begin(), known.end(), key.name) == known.end()) {
      refuse(key.line, fmt::format("unknown key '{}' in {}", key.name, what),
             fmt::format("known keys: {}", fmt::join(known, ", ")));
    }
  }
}

const YamlNode* YamlMap::find(std::string_view key) const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    if (node_.keys[i].name == key) return &node_.items[i];
  }
  return nullptr;
}

const YamlNode& YamlMap::need(std::string_view key) const {
  const YamlNode* value = find(key);
  if (value == nullptr) refuse(node_.line, fmt::format("{} lacks the key '{}'", what_, key), "add it");
  return *value;
}

}  // namespace splitproof::contract
