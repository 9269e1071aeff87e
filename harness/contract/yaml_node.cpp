#include "harness/contract/yaml_node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "harness/built_in.hpp"
#include "harness/read_file.hpp"
#include "harness/visible.hpp"

namespace splitproof::contract {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxDepth = 64;

std::size_t line_of(const yaml_mark_t& mark) { return mark.line + 1; }

std::string_view text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{} : std::string_view{reinterpret_cast<const char*>(text)};
}

/// True for plain scalars that YAML 1.2's core schema reads as null.
bool says_null(std::string_view plain) {
  static constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
  return std::find(kNulls.begin(), kNulls.end(), plain) != kNulls.end();
}

/// The events of a document, in order.
class YamlEvents {
 public:
  explicit YamlEvents(std::string_view text) : text_(text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;
  ~YamlEvents() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  /// Returns the next event, valid until the next call. Throws Mistake if there is none.
  const yaml_event_t& next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) refuse_text();
    return event_;
  }

 private:
  [[noreturn]] void refuse_text() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    // For ill-formed UTF-8 the parser only has an offset.
    const std::string_view read = text_.substr(0, parser_.problem_offset);
    const std::size_t line = parser_.error == YAML_READER_ERROR
                                 ? 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'))
                                 : line_of(parser_.problem_mark);
    const std::string doing = parser_.context == nullptr ? "" : fmt::format("{}: ", parser_.context);
    refuse(line, fmt::format("not YAML: {}{}", doing, parser_.problem),
           "quote texts with special characters of YAML, such as '? ' or ': '");
  }

  std::string_view text_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

/// Builds the tree of events. Throws at the first forbidden construct, so depth is limited to `kMaxDepth` and
/// memory to the size of the input.
class TreeBuilder {
 public:
  YamlNode take() { return std::move(root_); }

  void add(const yaml_event_t& event) {
    const std::size_t line = line_of(event.start_mark);
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        refuse(line, "aliases (*NAME) are not allowed", "write the value itself");
      case YAML_SCALAR_EVENT:
        check(line, event.data.scalar.tag, event.data.scalar.anchor);
        return add(scalar(event.data.scalar, line));
      case YAML_SEQUENCE_START_EVENT:
        check(line, event.data.sequence_start.tag, event.data.sequence_start.anchor);
        return open(YamlNode::Kind::list, line);
      case YAML_MAPPING_START_EVENT:
        check(line, event.data.mapping_start.tag, event.data.mapping_start.anchor);
        return open(YamlNode::Kind::map, line);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return close();
      default:
        return;
    }
  }

 private:
  struct Level {
    YamlNode node;
    std::optional<YamlKey> key;                          ///< map: read, but its value is not.
    std::unordered_map<std::string, std::size_t> lines;  ///< map: lines of its keys.
  };

  static void check(std::size_t line, const yaml_char_t* tag, const yaml_char_t* anchor) {
    if (anchor != nullptr) refuse(line, "anchors (&NAME) are not allowed", "write the value itself");
    if (tag != nullptr) {
      refuse(line, fmt::format("the tag {} is not allowed", text_of(tag)),
             "quote a text that begins with '!'");
    }
  }

  template <class Scalar>
  static YamlNode scalar(const Scalar& scalar, std::size_t line) {
    YamlNode node;
    node.line = line;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    node.quoted = scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (!node.quoted && says_null(text)) return node;
    node.kind = YamlNode::Kind::scalar;
    node.text = text;
    return node;
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
      // The parser detects a missing value only at the next token.
      if (node.kind == YamlNode::Kind::null) node.line = level.key->line;
      level.node.keys.push_back(*std::exchange(level.key, std::nullopt));
    }
    level.node.items.push_back(std::move(node));
  }

  static YamlKey unrepeated_key(Level& level, const YamlNode& key) {
    if (key.text == "<<" && !key.quoted) {
      refuse(key.line, "merge keys (<<) are not allowed", "write the keys themselves");
    }
    const auto [earlier, added] = level.lines.emplace(key.text, key.line);
    if (!added) {
      refuse(key.line, fmt::format("the key '{}' occurs twice", key.text),
             fmt::format("remove one; the first is on line {}", earlier->second));
    }
    return YamlKey{key.text, key.line};
  }

  [[noreturn]] static void refuse_key(std::size_t line) {
    refuse(line, "a key must be a text", "quote the key if it has special characters");
  }

  std::vector<Level> levels_;
  YamlNode root_;
};

}  // namespace

YamlNode parse_yaml(std::string_view text) {
  if (text.size() > kMaxBytes) refuse(0, "the file is larger than 1 MiB", "split the file");
  if (text.starts_with("\xEF\xBB\xBF")) refuse(1, "the file starts with a byte order mark", "remove it");
  YamlEvents events(text);
  TreeBuilder tree;
  for (std::size_t documents = 0;;) {
    const yaml_event_t& event = events.next();
    if (event.type == YAML_STREAM_END_EVENT) return tree.take();
    if (event.type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
      refuse(line_of(event.start_mark), "the file has a second YAML document", "put it into its own file");
    tree.add(event);
  }
}

namespace {

std::string start_of(const std::string& path) {
  Result<std::string> text = read_start(path, kMaxBytes);
  if (!text) throw Mistake{{"the file " + text.error().what, path, 0, ""}};
  return *std::move(text);
}

}  // namespace

YamlNode read_yaml(const std::string& path) {
  const std::string text = start_of(path);
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

// A quoted text of the file may have line ends.
void refuse(std::size_t line, std::string_view what, std::string_view hint) {
  throw Mistake{{visible(what), "", line, visible(hint)}};
}

const std::string& scalar_text(const YamlNode& node, std::string_view what) {
  if (!node.is_scalar() || node.text.empty()) {
    const std::string_view found = node.is_map() ? "a map" : node.is_list() ? "a list" : "nothing";
    refuse(node.line, fmt::format("{} must be a text, not {}", what, found));
  }
  return node.text;
}

std::vector<std::string> scalar_texts(const YamlNode& node, std::string_view what) {
  if (!node.is_list()) return {scalar_text(node, what)};
  if (node.items.empty()) refuse(node.line, fmt::format("{}: the list is empty", what), "name at least one");
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
