#include "harness/observe/wire_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/observe/surrogates.hpp"

namespace splitproof::observe {
namespace {

using Kind = WireJson::Kind;

void append_code_point(std::uint32_t code, std::string& to) {
  const auto put = [&](std::uint32_t byte) { to += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Recursive, because the depth is limited.
class WireJsonReader {
 public:
  explicit WireJsonReader(std::string_view text) : text_(text) {}

  tl::expected<WireJson, JsonFault> read() {
    WireJson value;
    skip_space();
    if (!read_value(value)) return tl::unexpected(std::move(fault_));
    skip_space();
    if (at_ != text_.size()) {
      fail("something follows the value");
      return tl::unexpected(std::move(fault_));
    }
    return value;
  }

 private:
  bool fail(const char* reason) {
    fault_ = {at_, reason};
    return false;
  }

  bool more() const { return at_ < text_.size(); }
  bool next_is(char c) const { return more() && text_[at_] == c; }
  bool next_is_digit() const { return more() && text_[at_] >= '0' && text_[at_] <= '9'; }

  bool skip(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (next_is(' ') || next_is('\t') || next_is('\n') || next_is('\r')) ++at_;
  }

  bool read_value(WireJson& value) {
    if (!more()) return fail("ends where a value should stand");
    const std::size_t begin = at_;
    bool sound = false;
    switch (text_[at_]) {
      case '{':
      case '[':
        sound = read_container(value);
        break;
      case '"':
        value.kind = Kind::string;
        sound = read_string(value.text);
        break;
      case 'n':
        sound = read_literal("null", Kind::null, value);
        break;
      case 't':
        sound = read_literal("true", Kind::boolean, value);
        break;
      case 'f':
        sound = read_literal("false", Kind::boolean, value);
        break;
      default:
        value.kind = Kind::number;
        sound = read_number();
    }
    value.raw = text_.substr(begin, at_ - begin);
    return sound;
  }

  bool read_literal(std::string_view word, Kind kind, WireJson& value) {
    if (text_.substr(at_, word.size()) != word) return fail("no JSON value");
    value.kind = kind;
    at_ += word.size();
    return true;
  }

  bool read_container(WireJson& value) {
    const bool object = text_[at_] == '{';
    const char end = object ? '}' : ']';
    if (++depth_ > kMaxWireDepth) return fail("nested too deep");
    value.kind = object ? Kind::object : Kind::array;
    ++at_;
    skip_space();
    bool last = skip(end);
    while (!last) {
      WireJson& child = value.children.emplace_back();
      if (object && !read_key(child.key)) return false;
      if (!read_value(child)) return false;
      skip_space();
      last = skip(end);
      if (last) break;
      if (!skip(',')) return fail("no comma between two values");
      skip_space();
    }
    --depth_;
    return true;
  }

  bool read_key(std::string& key) {
    if (!next_is('"')) return fail("no name before a member's value");
    if (!read_string(key)) return false;
    skip_space();
    if (!skip(':')) return fail("no colon behind a member's name");
    skip_space();
    return true;
  }

  bool read_string(std::string& text) {
    ++at_;
    while (true) {
      const std::size_t begin = at_;
      while (more() && text_[at_] != '"' && text_[at_] != '\\' &&
             static_cast<unsigned char>(text_[at_]) >= 0x20)
        ++at_;
      text.append(text_, begin, at_ - begin);
      if (!more()) return fail("ends inside a string");
      if (skip('"')) return true;
      if (!next_is('\\')) return fail("a control character inside a string");
      ++at_;
      if (!read_escape(text)) return false;
    }
  }

  bool read_escape(std::string& text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (!more()) return fail("ends inside a string");
    const std::size_t letter = kLetters.find(text_[at_]);
    if (letter != kLetters.npos) {
      text += kMeanings[letter];
      ++at_;
      return true;
    }
    std::uint32_t unit = 0;
    if (!read_unit(unit)) return fail("no escape of JSON's");
    const std::size_t behind = at_;
    std::uint32_t low = 0;
    if (is_high_surrogate(unit) && skip('\\') && read_unit(low) && is_low_surrogate(low)) {
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at_ = behind;
    }
    append_code_point(unit, text);
    return true;
  }

  /// Reads `uXXXX`.
  bool read_unit(std::uint32_t& unit) {
    constexpr std::string_view kDigits = "0123456789abcdef0123456789ABCDEF";
    if (!next_is('u') || text_.size() - at_ < 5) return false;
    unit = 0;
    for (std::size_t i = at_ + 1; i < at_ + 5; ++i) {
      const std::size_t digit = kDigits.find(text_[i]);
      if (digit == kDigits.npos) return false;
      unit = unit << 4 | static_cast<std::uint32_t>(digit % 16);
    }
    at_ += 5;
    return true;
  }

  bool skip_digits() {
    if (!next_is_digit()) return false;
    while (next_is_digit()) ++at_;
    return true;
  }

  bool read_number() {
    skip('-');
    if (!skip('0') && !skip_digits()) return fail("no JSON value");
    if (skip('.') && !skip_digits()) return fail("no digit behind a point");
    if (skip('e') || skip('E')) {
      if (!skip('+')) skip('-');
      if (!skip_digits()) return fail("no digit in an exponent");
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  JsonFault fault_;
};

}  // namespace

const WireJson& WireJson::at(std::string_view name) const {
  static const WireJson kAbsent;
  if (kind != Kind::object) return kAbsent;
  for (auto child = children.rbegin(); child != children.rend(); ++child) {
    if (child->key == name) return *child;
  }
  return kAbsent;
}

tl::expected<WireJson, JsonFault> parse_wire_json(std::string_view text) {
  return WireJsonReader(text).read();
}

std::string json_string(std::string_view text) { return nlohmann::json(replace_surrogates(text)).dump(); }

std::string compact(const WireJson& value) {
  if (value.is(Kind::string)) return json_string(value.text);
  if (!value.is(Kind::object) && !value.is(Kind::array)) return std::string(value.raw);
  const bool is_object = value.is(Kind::object);
  std::string text = is_object ? "{" : "[";
  for (const WireJson& child : value.children) {
    if (text.size() > 1) text += ',';
    if (is_object) text += json_string(child.key) + ":";
    text += compact(child);
  }
  return text + (is_object ? "}" : "]");
}

}  // namespace splitproof::observe
