#include "harness/import/tnetstring.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace splitproof::imports {
namespace {

using nlohmann::json;

constexpr int kDeepestTnet = 32;

/// The payload of a value and its type.
struct TypedBytes {
  std::string_view bytes;
  char type = '\0';
};

std::optional<TypedBytes> take_typed(std::string_view& text) {
  std::size_t size = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (failed != std::errc() || digits == text.size() || text[digits] != ':') return std::nullopt;
  const std::string_view rest = text.substr(digits + 1);
  if (size >= rest.size()) return std::nullopt;
  text = rest.substr(size + 1);
  return TypedBytes{rest.substr(0, size), rest[size]};
}

std::optional<json> read_tnet_value(std::string_view& text, int depth);

std::optional<json> read_tnet_list(std::string_view bytes, int depth) {
  json list = json::array();
  while (!bytes.empty()) {
    auto item = read_tnet_value(bytes, depth + 1);
    if (!item) return std::nullopt;
    list.push_back(*std::move(item));
  }
  return list;
}

std::optional<json> read_tnet_map(std::string_view bytes, int depth) {
  json map = json::object();
  while (!bytes.empty()) {
    const auto key = read_tnet_value(bytes, depth + 1);
    auto value = key && key->is_string() ? read_tnet_value(bytes, depth + 1) : std::nullopt;
    if (!value) return std::nullopt;
    map[key->get<std::string>()] = *std::move(value);
  }
  return map;
}

std::optional<json> read_tnet_value(std::string_view& text, int depth) {
  const auto typed = take_typed(text);
  if (!typed || depth > kDeepestTnet) return std::nullopt;
  const char* begin = typed->bytes.data();
  const char* end = begin + typed->bytes.size();
  switch (typed->type) {
    case ',':
    case ';':
      return json(std::string(typed->bytes));
    case '#':
    case '^': {
      double number = 0;
      const auto [stop, failed] = std::from_chars(begin, end, number);
      return failed == std::errc() && stop == end ? std::optional(json(number)) : std::nullopt;
    }
    case '!':
      return json(typed->bytes == "true");
    case '~':
      return json(nullptr);
    case ']':
      return read_tnet_list(typed->bytes, depth);
    case '}':
      return read_tnet_map(typed->bytes, depth);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::shared_ptr<const json> take_tnetstring(std::string_view& text) {
  std::string_view rest = text;
  auto value = read_tnet_value(rest, 0);
  if (!value) return nullptr;
  text = rest;
  return std::make_shared<const json>(*std::move(value));
}

}  // namespace splitproof::imports
