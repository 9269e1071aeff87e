#include "harness/import/yaml_value.hpp"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepestYaml = 64;
constexpr std::size_t kMostCopies = std::size_t{1} << 16;

std::string text_of_yaml(const yaml_char_t* text) {
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

/// The size of a value, and its nesting.
struct ValueExtent {
  std::size_t values = 1;
  std::size_t bytes = 0;
  std::size_t depth = 1;
};

ValueExtent extent_of(const json& value) {
  ValueExtent extent;
  if (value.is_string()) extent.bytes += value.get_ref<const std::string&>().size();
  if (!value.is_structured()) return extent;
  for (const json& item : value) {
    const ValueExtent inner = extent_of(item);
    extent.values += inner.values;
    extent.bytes += inner.bytes;
    extent.depth = std::max(extent.depth, inner.depth + 1);
  }
  return extent;
}

/// Builds the value of a document from its events.
class ValueBuilder {
 public:
  /// Takes an event; false at a fault, which `fault` then names.
  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        return take_alias(text_of_yaml(event.data.alias.anchor));
      case YAML_SCALAR_EVENT:
        return add(scalar(event.data.scalar), text_of_yaml(event.data.scalar.anchor));
      case YAML_SEQUENCE_START_EVENT:
        return open(json::array(), text_of_yaml(event.data.sequence_start.anchor));
      case YAML_MAPPING_START_EVENT:
        return open(json::object(), text_of_yaml(event.data.mapping_start.anchor));
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: {
        Level level = std::move(levels_.back());
        levels_.pop_back();
        return add(std::move(level.value), level.anchor);
      }
      default:
        return true;
    }
  }

  json value;
  std::string fault;

 private:
  struct Level {
    json value;
    std::string anchor;
    std::optional<std::string> key;  // of a map: read, but its value is not
  };

  template <class Scalar>
  json scalar(const Scalar& scalar) {
    std::string text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    if (text_of_yaml(scalar.tag).ends_with("binary")) {
      std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
      auto bytes = recording::from_base64(text);
      if (!bytes) fault = "a value with the tag !!binary is not base64";
      return std::move(bytes).value_or("");
    }
    constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
    const bool is_plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (is_plain && std::find(kNulls.begin(), kNulls.end(), text) != kNulls.end()) return nullptr;
    return text;
  }

  bool open(json container, std::string anchor) {
    if (levels_.size() == kDeepestYaml) return fail("it is nested more than 64 levels deep");
    levels_.push_back({std::move(container), std::move(anchor), {}});
    return true;
  }

  bool take_alias(const std::string& anchor) {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) return fail("an alias has no anchor before it");
    const ValueExtent extent = extent_of(found->second);
    copied_values_ += extent.values;
    copied_bytes_ += extent.bytes;
    if (copied_values_ > kMostCopies || copied_bytes_ > kLargestInput ||
        levels_.size() + extent.depth > kDeepestYaml)
      return fail("its aliases make it too large");
    return add(found->second, "");
  }

  bool add(json item, const std::string& anchor) {
    if (!fault.empty()) return false;
    if (!anchor.empty()) anchors_[anchor] = item;
    if (levels_.empty()) {
      value = std::move(item);
      return true;
    }
    Level& level = levels_.back();
    if (level.value.is_array()) {
      level.value.push_back(std::move(item));
    } else if (level.key) {
      level.value[*std::exchange(level.key, std::nullopt)] = std::move(item);
    } else if (item.is_string()) {
      level.key = item.get<std::string>();
    } else {
      return fail("a key is not a text");
    }
    return true;
  }

  bool fail(std::string why) {
    fault = std::move(why);
    return false;
  }

  std::vector<Level> levels_;
  std::map<std::string, json> anchors_;
  std::size_t copied_values_ = 0;  // by aliases
  std::size_t copied_bytes_ = 0;
};

}  // namespace

YamlValue read_yaml_value(std::string_view text) {
  YamlValue read;
  yaml_parser_t parser{};
  if (yaml_parser_initialize(&parser) == 0) return {nullptr, "there is no memory", 0};
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  ValueBuilder builder;
  for (bool more = true; more;) {
    yaml_event_t event{};
    if (yaml_parser_parse(&parser, &event) == 0) {
      read.fault = parser.problem == nullptr ? "it is not YAML" : std::string("not YAML: ") + parser.problem;
      const std::string_view before = text.substr(0, parser.problem_offset);
      read.line = parser.error == YAML_READER_ERROR
                      ? 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'))
                      : parser.problem_mark.line + 1;
      break;
    }
    more = event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
    if (!builder.take(event)) {
      read.fault = builder.fault;
      read.line = event.start_mark.line + 1;
      more = false;
    }
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  if (read.fault.empty()) read.value = std::make_shared<const json>(std::move(builder.value));
  return read;
}

}  // namespace splitproof::imports
