#include "tests/harness/split/recut_pieces.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace splitproof::split {
namespace {

// Half H of a pair becomes the private character U+100000 + (H - U+D800): F4 80-9F xx xx.
constexpr unsigned kSurrogates = 0x100000;

std::string utf8_of(unsigned code) {
  return {static_cast<char>(0xF0 | (code >> 18U)), static_cast<char>(0x80 | ((code >> 12U) & 0x3FU)),
          static_cast<char>(0x80 | ((code >> 6U) & 0x3FU)), static_cast<char>(0x80 | (code & 0x3FU))};
}

/// Returns the code unit of the escape at `text[at]`, or 0.
unsigned escaped_unit(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "\\u") != 0 || at + 6 > text.size()) return 0;
  return static_cast<unsigned>(std::strtoul(text.substr(at + 2, 4).c_str(), nullptr, 16));
}

bool high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

std::string without_surrogate_escapes(const std::string& json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] != '\\') {
      text += json[at++];
      continue;
    }
    const unsigned unit = escaped_unit(json, at);
    if (high(unit) && at + 12 <= json.size() && low(escaped_unit(json, at + 6))) {
      text += json.substr(at, 12);
      at += 12;
    } else if (high(unit) || low(unit)) {
      text += utf8_of(kSurrogates + unit - 0xD800);
      at += 6;
    } else {
      text += json.substr(at, 2);
      at += 2;
    }
  }
  return text;
}

/// Returns the surrogate at `text[at]`, or 0.
unsigned surrogate_at(std::string_view text, std::size_t at) {
  if (at + 4 > text.size() || static_cast<unsigned char>(text[at]) != 0xF4) return 0;
  unsigned code = 0x100000;
  for (std::size_t i = 1; i < 4; ++i)
    code |= (static_cast<unsigned char>(text[at + i]) & 0x3FU) << (6 * (3 - i));
  return code < kSurrogates + 0x800 ? code - kSurrogates + 0xD800 : 0;
}

}  // namespace

std::vector<std::string> data_lines(std::string_view body) {
  std::vector<std::string> data;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = std::min(body.find_first_of("\r\n", at), body.size());
    const std::string_view line = body.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("data:")) continue;
    data.push_back(without_surrogate_escapes(std::string(line.substr(line.starts_with("data: ") ? 6 : 5))));
  }
  return data;
}

bool holds_surrogate(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (surrogate_at(text, at) != 0) return true;
  }
  return false;
}

std::vector<std::string> pieces(const std::string& body, const std::string& key) {
  std::vector<std::string> all;
  for (const std::string& data : data_lines(body)) {
    const nlohmann::json chunk = nlohmann::json::parse(data, nullptr, false);
    if (!chunk.is_object() || !chunk.contains("choices") || chunk["choices"].empty()) continue;
    const nlohmann::json delta = chunk["choices"][0].value("delta", nlohmann::json::object());
    if (key == "arguments") {
      for (const nlohmann::json& call : delta.value("tool_calls", nlohmann::json::array())) {
        const std::string text = call.value("function", nlohmann::json::object()).value("arguments", "");
        if (!text.empty()) all.push_back(text);
      }
    } else if (delta.contains(key) && delta[key].is_string() && delta[key] != "") {
      all.push_back(delta[key]);
    }
  }
  return all;
}

}  // namespace splitproof::split
