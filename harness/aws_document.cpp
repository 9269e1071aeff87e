#include "harness/aws_document.hpp"

#include <algorithm>

#include "harness/utf8.hpp"

namespace splitproof {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

void append_string(std::string& to, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  to += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      to.append("\\u00").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 0xF]);
    } else {
      if (c == '"' || c == '\\') to += '\\';
      to += c;
    }
  }
  to += '"';
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Takes a string off the beginning of a text. Returns nullopt if there is none.
std::optional<std::string> take_string(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string taken;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return taken;
    }
    if (text[i] == '\\') ++i;
    if (i < text.size()) taken += text[i];
  }
  return std::nullopt;
}

// Takes a scalar or an empty container off the beginning of a text.
std::string_view take_word(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_of(",} \t\r\n", 1), text.size());
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

}  // namespace

std::string aws_document(const std::vector<AwsHeader>& headers, std::string_view payload) {
  const std::string_view object = without_blanks(payload);
  if (!object.starts_with('{')) return decode_utf8(payload);
  std::string document = "{";
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const AwsHeader& header = headers[i];
    const bool repeats = std::any_of(headers.begin() + static_cast<std::ptrdiff_t>(i) + 1, headers.end(),
                                     [&](const AwsHeader& later) { return later.name == header.name; });
    if (repeats || !header.name.starts_with(':')) continue;
    if (document.size() > 1) document += ",";
    append_string(document, decode_utf8(header.name));
    document += ":";
    if (header.type == kAwsText) {
      append_string(document, decode_utf8(header.value));
    } else {
      document += "true";
    }
  }
  const std::string_view rest = without_blanks(object.substr(1));
  if (document.size() > 1 && !rest.starts_with('}')) document += ",";
  return document + decode_utf8(rest);
}

std::optional<std::string> frame_of_aws_document(std::string_view document) {
  if (!document.starts_with('{')) return std::nullopt;
  std::vector<AwsHeader> headers;
  std::string_view rest = without_blanks(document.substr(1));
  if (!rest.starts_with("\":")) return std::nullopt;
  while (rest.starts_with("\":")) {
    auto name = take_string(rest);
    rest = without_blanks(rest);
    if (!name || !rest.starts_with(':')) return std::nullopt;
    rest = without_blanks(rest.substr(1));
    if (auto text = take_string(rest)) {
      headers.push_back({*std::move(name), kAwsText, *std::move(text)});
    } else if (take_word(rest) != "null") {
      headers.push_back({*std::move(name), kAwsTrue, {}});
    }
    rest = without_blanks(rest);
    if (rest.starts_with(',')) rest = without_blanks(rest.substr(1));
  }
  return write_aws_frame(headers, "{" + std::string(rest));
}

bool begins_with_aws_frame(std::string_view body) {
  return body.size() >= kAwsPrelude && read_aws_prelude(body).size > 0;
}

Framing framing_of_answer(std::string_view body) {
  return begins_with_aws_frame(body) ? Framing::aws_frames : Framing::sse;
}

}  // namespace splitproof
