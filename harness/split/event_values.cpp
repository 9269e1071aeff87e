#include "harness/split/event_values.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/aws_frame.hpp"
#include "harness/line_end.hpp"
#include "harness/split/event_json.hpp"

namespace splitproof::split {
namespace {

using Json = nlohmann::ordered_json;

struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Returns the place of the data in an event that has it in one piece.
std::optional<TextRange> data_of(std::string_view event, Framing framing) {
  if (framing == Framing::aws_frames) {
    const ReadAwsFrame read = read_aws_frame(event);
    if (!read.fault.empty()) return std::nullopt;
    return TextRange{read.frame.payload_begin, event.size() - kAwsCrc};
  }
  if (framing == Framing::sse) {
    constexpr std::string_view kData = "data:";
    std::size_t line = 0;
    while (line < event.size() && !event.substr(line).starts_with(kData))
      line = std::min(event.find_first_of("\r\n", line), event.size() - 1) + 1;
    if (line >= event.size()) return std::nullopt;
    std::size_t begin = line + kData.size();
    if (begin < event.size() && event[begin] == ' ') ++begin;
    return TextRange{begin, find_line_end(event, begin)};
  }
  const std::size_t begin = event.find('{');
  const std::size_t last = event.rfind('}');
  if (begin == event.npos || last == event.npos || last < begin) return std::nullopt;
  return TextRange{begin, last + 1};
}

std::string_view text_of(std::string_view event, const TextRange& range) {
  return event.substr(range.begin, range.end - range.begin);
}

std::shared_ptr<const Json> json_of(std::string_view event, Framing framing) {
  const auto range = data_of(event, framing);
  return range ? parse_event(text_of(event, *range)) : nullptr;
}

std::optional<std::string> with_text(std::string_view event, Framing framing, std::string_view text) {
  const auto range = data_of(event, framing);
  if (!range) return std::nullopt;
  if (framing == Framing::aws_frames) return write_aws_frame(read_aws_frame(event).frame.headers, text);
  std::string changed(event.substr(0, range->begin));
  changed += text;
  changed += event.substr(range->end);
  return changed;
}

// A value, and the container that has it.
struct ValuePlace {
  Json* value = nullptr;
  Json* parent = nullptr;
  std::size_t index = 0;  // in the parent
};

// Finds value `number`; counts it down.
std::optional<ValuePlace> find_value(Json& json, std::size_t& number, ValuePlace place = {}) {
  place.value = &json;
  if (number == 0) return place;
  --number;
  std::size_t index = 0;
  if (!json.is_structured()) return std::nullopt;
  for (auto child = json.begin(); child != json.end(); ++child, ++index)
    if (auto found = find_value(*child, number, {nullptr, &json, index})) return found;
  return std::nullopt;
}

std::size_t count_in(const Json& json) {
  std::size_t count = 1;
  if (json.is_structured())
    for (const Json& child : json) count += count_in(child);
  return count;
}

// Changes a value. `change` returns false if it does not apply.
std::optional<std::string> with_change(std::string_view event, Framing framing, std::size_t value,
                                       const std::function<bool(const ValuePlace&)>& change) {
  const auto before = json_of(event, framing);
  if (before == nullptr) return std::nullopt;
  Json json = *before;
  const auto place = find_value(json, value);
  if (!place || !change(*place)) return std::nullopt;
  const std::string text = write_event(json);
  // The order of members matters here, but not to the comparison of objects.
  if (text == write_event(*before)) return std::nullopt;
  return with_text(event, framing, text);
}

Json odd_value(std::string_view word) {
  static const std::array<Json, kOddValues.size()> kValues = {
      nullptr,   "",    0, 1, -1, 1e300, true, false, Json::array(), Json::object(), "\xF0\x9F\x98\x80",
      "{\"a\":", "stop"};
  const auto found = std::find(kOddValues.begin(), kOddValues.end(), word);
  return kValues[static_cast<std::size_t>(found - kOddValues.begin())];
}

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

// Returns "someKey" for "some_key", and the other way round.
std::string other_case(const std::string& key) {
  const bool has_bars = key.find('_') != key.npos;
  std::string changed;
  for (std::size_t at = 0; at < key.size(); ++at) {
    const bool capital = key[at] >= 'A' && key[at] <= 'Z';
    if (has_bars && key[at] == '_' && at + 1 < key.size()) {
      changed += upper(key.substr(++at, 1));
    } else if (!has_bars && capital) {
      (changed += '_') += static_cast<char>(key[at] - 'A' + 'a');
    } else {
      changed += key[at];
    }
  }
  return changed;
}

auto member_of(const ValuePlace& place) {
  return std::next(place.parent->begin(), static_cast<std::ptrdiff_t>(place.index));
}

// Renames a member in its place.
bool rename_member(const ValuePlace& place) {
  if (place.parent == nullptr || !place.parent->is_object()) return false;
  Json renamed = Json::object();
  std::size_t index = 0;
  for (const auto& [key, value] : place.parent->items())
    renamed[index++ == place.index ? other_case(key) : key] = value;
  *place.parent = std::move(renamed);
  return true;
}

bool move_last(const ValuePlace& place) {
  if (place.parent == nullptr || !place.parent->is_object()) return false;
  const std::string key = member_of(place).key();
  Json value = *place.value;
  place.parent->erase(key);
  (*place.parent)[key] = std::move(value);
  return true;
}

bool change_form(const ValuePlace& place, std::string_view word) {
  Json& value = *place.value;
  if (word == "camel") return rename_member(place);
  if (word == "last") return move_last(place);
  if (word == "list") {
    value = Json::array({Json(value)});
    return true;
  }
  if (word == "text" && value.is_number()) {
    value = value.dump();
    return true;
  }
  if (word == "written" && value.is_structured()) {
    value = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return true;
  }
  if (word == "bare" && value.is_array() && value.size() == 1) {
    value = Json(value.front());
    return true;
  }
  if (!value.is_string()) return false;
  const std::string text = value.get<std::string>();
  if (word == "upper") {
    value = upper(text);
    return true;
  }
  if (word != "number" && word != "parsed") return false;
  const auto parsed = parse_event(text);
  if (parsed == nullptr || (word == "number") != parsed->is_number()) return false;
  value = *parsed;
  return true;
}

}  // namespace

std::size_t count_values(std::string_view event, Framing framing) {
  const auto json = json_of(event, framing);
  return json == nullptr ? 0 : count_in(*json);
}

std::optional<std::string> with_odd_value(std::string_view event, Framing framing, std::size_t value,
                                          std::string_view word) {
  return with_change(event, framing, value, [&](const ValuePlace& place) {
    *place.value = odd_value(word);
    return true;
  });
}

std::optional<std::string> with_value_of(std::string_view event, Framing framing, std::size_t value,
                                         std::string_view other, std::size_t value_of_other) {
  const auto json = json_of(other, framing);
  if (json == nullptr) return std::nullopt;
  Json donor = *json;
  const auto given = find_value(donor, value_of_other);
  if (!given) return std::nullopt;
  return with_change(event, framing, value, [&](const ValuePlace& place) {
    *place.value = *given->value;
    return true;
  });
}

std::optional<std::string> without_value(std::string_view event, Framing framing, std::size_t value) {
  return with_change(event, framing, value, [](const ValuePlace& place) {
    if (place.parent == nullptr) return false;
    place.parent->erase(member_of(place));
    return true;
  });
}

std::optional<std::string> with_doubled_value(std::string_view event, Framing framing, std::size_t value) {
  return with_change(event, framing, value, [](const ValuePlace& place) {
    Json& one = *place.value;
    if (one.is_number_integer()) {
      one = one.is_number_unsigned() ? Json(one.get<std::uint64_t>() + 1) : Json(one.get<std::int64_t>() + 1);
    } else if (one.is_string()) {
      one = one.get<std::string>() + one.get<std::string>();
    } else if (one.is_array() && !one.empty()) {
      one.push_back(Json(one.back()));
    } else {
      return false;
    }
    return true;
  });
}

std::optional<std::string> with_form(std::string_view event, Framing framing, std::size_t value,
                                     std::string_view word) {
  return with_change(event, framing, value,
                     [&](const ValuePlace& place) { return change_form(place, word); });
}

std::optional<std::string> with_line_end_after(std::string_view event, Framing framing, std::size_t comma) {
  const auto range = data_of(event, framing);
  if (!range || json_of(event, framing) == nullptr) return std::nullopt;
  const std::string_view text = text_of(event, *range);
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (in_string && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      in_string = !in_string;
    } else if (!in_string && text[at] == ',' && comma-- == 0) {
      std::string changed(text.substr(0, at + 1));
      changed += framing == Framing::sse ? "\ndata: " : "\n";
      changed += text.substr(at + 1);
      return with_text(event, framing, changed);
    }
  }
  return std::nullopt;
}

}  // namespace splitproof::split
