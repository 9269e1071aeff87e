#include "harness/observe/event_json.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

std::string escape_of(std::uint16_t unit) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string escape = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) escape += kDigits[unit >> shift & 0xF];
  return escape;
}

/// Converts a value to the library's type, and finds the first lone surrogate. Recursive, because the depth
/// is limited.
class Conversion {
 public:
  json convert(const WireJson& wire) {
    switch (wire.kind) {
      case WireJson::Kind::string:
        return text(wire.text);
      case WireJson::Kind::array: {
        json array = json::array();
        for (const WireJson& child : wire.children) array.push_back(convert(child));
        return array;
      }
      case WireJson::Kind::object: {
        json object = json::object();
        for (const WireJson& child : wire.children) object[text(child.key)] = convert(child);
        return object;
      }
      default: {
        json value = json::parse(wire.raw, nullptr, false);
        sound_ = sound_ && !value.is_discarded();
        return value;
      }
    }
  }

  /// True if the library can hold every number.
  bool sound() const { return sound_; }
  const std::string& lone_surrogate() const { return lone_surrogate_; }

 private:
  const std::string& text(const std::string& said) {
    if (lone_surrogate_.empty()) {
      if (const auto surrogate = first_surrogate(said)) lone_surrogate_ = escape_of(*surrogate);
    }
    return said;
  }

  bool sound_ = true;
  std::string lone_surrogate_;
};

}  // namespace

tl::expected<EventJson, JsonFault> parse_event_json(std::string_view text) {
  auto strict = parse_strict_json(text);
  if (strict) return EventJson{std::move(*strict), {}};
  if (!strict.error().lone_surrogate) return tl::unexpected(std::move(strict.error()));
  auto wire = parse_wire_json(text);
  if (!wire) return tl::unexpected(std::move(wire.error()));
  Conversion conversion;
  json value = conversion.convert(*wire);
  if (!conversion.sound()) return tl::unexpected(std::move(strict.error()));
  return EventJson{std::make_shared<const json>(std::move(value)), conversion.lone_surrogate()};
}

}  // namespace splitproof::observe
