#include "harness/strict_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_message.hpp"

namespace splitproof {
namespace {

using nlohmann::json;

/// A parse that only records the place and reason of its failure.
struct FirstError : nlohmann::json_sax<json> {
  JsonFault fault;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }

  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    fault.at = position == 0 ? 0 : position - 1;
    // The library's message begins with the place, and ends with a copy of the input.
    std::string_view message = json_message(error.what());
    if (message.starts_with("parse error at ")) {
      message.remove_prefix(std::min(message.size(), message.find(": ") + 2));
    }
    message = message.substr(0, message.find("; last read: "));
    if (message.starts_with("number overflow")) message = "a number is outside the range of a double";
    fault.reason = std::string(message);
    fault.lone_surrogate = message.find("surrogate") != message.npos;
    if (fault.lone_surrogate) fault.reason += " (RFC 7493, 2.1)";
    return false;
  }
};

struct Limit {
  std::size_t at;
  const char* reason;
};

/// Returns the first fault that the parser does not detect: a NUL, at which it would end the text, or
/// excessive nesting. `at` is npos without one.
Limit find_limit(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') return {i, "a NUL character"};
    if (in_string) {
      if (c == '\\' && i + 1 < text.size() && text[i + 1] != '\0') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return {i, "nested deeper than 512 levels"};
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return {std::string_view::npos, nullptr};
}

}  // namespace

static_assert(kMaxJsonDepth == 512, "find_limit names the number");

tl::expected<std::shared_ptr<const json>, JsonFault> parse_strict_json(std::string_view text) {
  // The parser would skip it, but clients' parsers do not.
  if (text.starts_with("\xEF\xBB\xBF"))
    return tl::unexpected(JsonFault{0, "begins with a byte order mark", false});
  const Limit limit = find_limit(text);
  const std::string_view safe = text.substr(0, limit.at);
  json value = json::parse(safe, nullptr, false);
  if (!value.is_discarded() && limit.reason == nullptr) return std::make_shared<const json>(std::move(value));
  if (value.is_discarded()) {
    FirstError error;
    json::sax_parse(safe, &error);
    error.fault.at = std::min(error.fault.at, safe.size());
    if (limit.reason == nullptr || error.fault.at < safe.size())
      return tl::unexpected(std::move(error.fault));
  }
  return tl::unexpected(JsonFault{limit.at, limit.reason, false});
}

}  // namespace splitproof
