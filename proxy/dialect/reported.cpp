#include "proxy/dialect/reported.hpp"

#include <cstddef>

#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {

using wire::Json;
using wire::JsonFault;
using wire::JsonKind;

std::string scalar_of(const Json& value) {
  if (value.is(JsonKind::string)) return wire::whole(value.text());
  const bool integer =
      value.is(JsonKind::number) && value.raw().find_first_of(".eE") == std::string_view::npos;
  return integer ? std::string(value.raw()) : std::string();
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 2000;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

std::string message_of(const Json& error) {
  std::string message = scalar_of(error.is(JsonKind::string) ? error : error["message"]);
  if (message.empty()) message = scalar_of(error["detail"]);
  return message.empty() ? "the upstream reported an error" : shortened(std::move(message));
}

turn::Unplaced unknown_content() { return {"content of an unknown kind", true}; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string why_unreadable(const wire::Frame& frame, const wire::JsonDocument& document,
                           const Limits& limits) {
  if (!frame.damage.empty()) return frame.damage;
  if (frame.oversized) return "is larger than " + std::to_string(limits.event_bytes) + " bytes";
  switch (document.fault()) {
    case JsonFault::too_deep:
      return "nests deeper than " + std::to_string(limits.json_depth) + " levels";
    case JsonFault::too_much:
      return "holds more than " + std::to_string(wire::JsonDocument::kMostNodes) + " values and keys";
    case JsonFault::not_json:
      return "is not JSON";
    case JsonFault::none:
      break;
  }
  return document.root().is(JsonKind::object) ? "" : "is not a JSON object";
}

}  // namespace splitproof::proxy::dialect
