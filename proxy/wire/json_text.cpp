#include "proxy/wire/json_text.hpp"

#include <algorithm>

namespace splitproof::wire {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::size_t skip_blanks(std::string_view json, std::size_t at) {
  return std::min(json.find_first_not_of(kBlanks, at), json.size());
}

// `at` is an opening quote; one past the closing one.
std::size_t skip_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '\\') {
      ++at;
    } else if (json[at] == '"') {
      return at + 1;
    }
  }
  return json.size();
}

// One past the value that begins at `at`.
std::size_t skip_value(std::string_view json, std::size_t at) {
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = skip_string(json, at);
      if (depth == 0) return at;
      continue;
    }
    if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    } else if (depth == 0 && (c == ',' || kBlanks.find(c) != std::string_view::npos)) {
      return at;
    }
    ++at;
  }
  return at;
}

// The value of member `name`, or of element `element`, of the container that `json` is.
std::string_view step_into(std::string_view json, const JsonStep& step) {
  if (json.empty()) return {};
  const bool object = json.front() == '{';
  if (object == step.name.empty() || (!object && json.front() != '[')) return {};
  std::string_view found;
  std::size_t at = skip_blanks(json, 1);
  for (std::size_t element = 0; at < json.size() && json[at] != '}' && json[at] != ']'; ++element) {
    std::string_view key;
    if (object) {
      const std::size_t key_end = skip_string(json, at);
      key = json.substr(at + 1, key_end - at - 2);
      at = skip_blanks(json, skip_blanks(json, key_end) + 1);  // past the colon
    }
    const std::size_t end = skip_value(json, at);
    if (object ? key == step.name : element == step.element) found = json.substr(at, end - at);
    at = skip_blanks(json, end);
    if (at < json.size() && json[at] == ',') at = skip_blanks(json, at + 1);
  }
  return found;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('"');
  std::size_t plain = 0;  // begin of the run not yet copied
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text.substr(plain, at - plain));
    plain = at + 1;
    switch (c) {
      case '"':
        out.append("\\\"");
        break;
      case '\\':
        out.append("\\\\");
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\r':
        out.append("\\r");
        break;
      case '\t':
        out.append("\\t");
        break;
      default:
        out.append("\\u00");
        out.push_back(kHex[c >> 4]);
        out.push_back(kHex[c & 15]);
    }
  }
  out.append(text.substr(plain));
  out.push_back('"');
}

std::size_t nesting(std::string_view json) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      at = skip_string(json, at) - 1;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

bool plain(std::string_view json) {
  return json.substr(0, 3) != "\xEF\xBB\xBF" && json.find('\0') == std::string_view::npos;
}

std::string_view raw_value(std::string_view json, const std::vector<JsonStep>& path) {
  const std::size_t begin = skip_blanks(json, 0);
  json = json.substr(begin, skip_value(json, begin) - begin);
  for (const JsonStep& step : path) json = step_into(json, step);
  return json;
}

RawElements::RawElements(std::string_view array) : array_(array) {
  const bool is_array = !array.empty() && array.front() == '[';
  at_ = is_array ? skip_blanks(array, 1) : array.size();
}

std::string_view RawElements::next() {
  if (at_ >= array_.size() || array_[at_] == ']') return {};
  const std::size_t end = skip_value(array_, at_);
  const std::string_view element = array_.substr(at_, end - at_);
  at_ = skip_blanks(array_, end);
  if (at_ < array_.size() && array_[at_] == ',') at_ = skip_blanks(array_, at_ + 1);
  return element;
}

}  // namespace splitproof::wire
