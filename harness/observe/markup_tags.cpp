#include "harness/observe/markup_tags.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {
namespace {

constexpr std::string_view kMarkupSpace = " \t\r\n";

bool ends_name(char c) {
  constexpr unsigned char kFirstVisible = 0x21;
  return static_cast<unsigned char>(c) < kFirstVisible || c == '<' || c == '>' || c == '"';
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

/// Walks through the longest text that a call may have. `ran_out`: the text ended before a decision.
class TagCursor {
 public:
  TagCursor(std::string_view text, std::size_t begin)
      : text_(text.substr(0, std::min(text.size(), begin + kMostCallBytes))),
        is_all_(text_.size() == text.size() && text.size() - begin < kMostCallBytes),
        at_(begin) {}

  std::size_t at() const { return at_; }
  void move_to(std::size_t at) { at_ = at; }
  void skip_space() { at_ = skip_markup_space(text_, at_); }
  bool at_end() const { return at_ == text_.size(); }

  /// True if more text may complete a call.
  bool ran_out() const { return ran_out_ && is_all_; }
  void run_out() { ran_out_ = true; }

  bool take(std::string_view word) {
    if (!has_word(text_, at_, word, ran_out_)) return false;
    at_ += word.size();
    return true;
  }

  bool take_any(std::span<const std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return take(word); });
  }

  /// Takes all bytes up to the first that `ends` accepts. At the end of the text it may continue.
  template <class Ends>
  std::string_view take_until(const Ends& ends) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// Takes all bytes up to and including the first of `words`.
  std::optional<std::string_view> take_through(std::span<const std::string_view> words) {
    std::size_t end = std::string_view::npos;
    std::size_t size = 0;
    for (const std::string_view word : words) {
      const std::size_t found = text_.find(word, at_);
      if (found >= end) continue;
      end = found;
      size = word.size();
    }
    ran_out_ |= end == std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + size;
    return value;
  }

  bool has_ahead(std::span<const std::string_view> words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return text_.find(word, at_) != std::string_view::npos;
    });
  }

  bool is_within() const { return at_ <= text_.size(); }
  bool is_all() const { return is_all_; }

 private:
  std::string_view text_;
  bool is_all_;
  std::size_t at_;
  bool ran_out_ = false;
};

/// Result of a grammar's reader: the arguments, or nullopt.
struct TagReading {
  std::string name;
  bool declared = false;
  bool begun = false;  ///< The opening tag is complete, and its name, if any, is declared.
  std::optional<std::string> arguments;
};

/// True if a declared name begins with `begun`.
bool begins_declared(const DeclaredFunctions& functions, std::string_view begun) {
  const auto first = functions.lower_bound(std::string(begun));
  return first != functions.end() && first->first.starts_with(begun);
}

bool is_declared(const DeclaredFunctions& functions, std::string_view name) {
  return can_stand_in_markup(name) && functions.contains(std::string(name));
}

std::string quoted(std::string_view value) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::array<std::pair<char, char>, 7> kShort = {
      {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}}};
  std::string text = "\"";
  for (const char c : value) {
    const auto* brief =
        std::find_if(kShort.begin(), kShort.end(), [&](const auto& each) { return each.first == c; });
    if (brief != kShort.end()) {
      text.append(1, '\\').append(1, brief->second);
    } else if (is_control(c)) {
      text.append("\\u00").append(1, kHex[static_cast<unsigned char>(c) / 16]).append(1, kHex[c % 16]);
    } else {
      text += c;
    }
  }
  return text + '"';
}

/// True if `value` is a JSON value of this type.
bool is_of_type(std::string_view value, std::string_view type) {
  if (value.empty() || !is_one_json_value(value)) return false;
  switch (value.front()) {
    case '{':
    case '[':
      return type == (value.front() == '{' ? "object" : "array") &&
             JsonSpans(value).at(0).state == JsonSpan::State::whole;
    case '"':
      return false;
    case 't':
    case 'f':
      return type == "boolean";
    case 'n':
      return type == "null";
    default:
      return type == "number" || (type == "integer" && value.find_first_of(".eE") == std::string_view::npos);
  }
}

std::string argument_of(std::string_view value, std::string_view key, const DeclaredFunction& function) {
  const auto type = function.types.find(std::string(key));
  const std::string_view trimmed = trim_json(value);
  const bool stands = type != function.types.end() && is_of_type(trimmed, type->second);
  return stands ? std::string(trimmed) : quoted(value);
}

std::string_view without_line_feeds(std::string_view value) {
  if (value.starts_with('\n')) value.remove_prefix(1);
  if (value.ends_with('\n')) value.remove_suffix(1);
  return value;
}

bool ends_key(char c) { return is_control(c) || c == '<' || c == '>' || c == '"'; }

/// Reads keys and values up to the closing tag, as one object.
std::optional<std::string> read_arguments(TagCursor& cursor, const ByKeyWords& words,
                                          const DeclaredFunction& function) {
  std::string object = "{";
  std::set<std::string_view> keys;
  while (true) {
    cursor.skip_space();
    if (cursor.take_any(words.close)) return object + "}";
    if (!cursor.take_any(words.key_open)) return std::nullopt;
    const std::string_view key = cursor.take_until(ends_key);
    if (cursor.at_end()) cursor.run_out();
    if (key.empty() || !cursor.take(words.key_end) || !keys.insert(key).second) return std::nullopt;
    if (!words.value_open.empty()) {
      cursor.skip_space();
      if (!cursor.take(words.value_open)) return std::nullopt;
    }
    auto value = cursor.take_through(words.value_end);
    if (!value) return std::nullopt;
    if (words.trims_line_feeds) value = without_line_feeds(*value);
    if (object.size() > 1) object += ',';
    object += quoted(key) + ':' + argument_of(*value, key, function);
  }
}

/// Takes a name and the text that must follow it. Sets `reading.begun` if the name is declared.
bool take_name(TagCursor& cursor, std::string_view end, const DeclaredFunctions& functions,
               TagReading& reading) {
  const std::string_view name = cursor.take_until(ends_name);
  if (cursor.at_end() && begins_declared(functions, name)) cursor.run_out();
  if (cursor.at_end()) return false;
  reading.declared = is_declared(functions, name);
  reading.name = name;
  if (!can_stand_in_markup(name) || !cursor.take(end)) return false;
  reading.begun = reading.declared;
  return true;
}

const DeclaredFunction& function_called(const DeclaredFunctions& functions, const std::string& name) {
  static const DeclaredFunction kUnknown;
  const auto found = functions.find(name);
  return found == functions.end() ? kUnknown : found->second;
}

TagReading read_by_key(TagCursor& cursor, const ByKeyWords& words, const DeclaredFunctions& functions) {
  TagReading reading;
  if (!cursor.take_any(words.open) || !take_name(cursor, words.name_end, functions, reading)) return reading;
  reading.arguments = read_arguments(cursor, words, function_called(functions, reading.name));
  return reading;
}

/// Reads the next object, which `close` must follow.
std::optional<std::string> read_object(TagCursor& cursor, JsonSpans& spans,
                                       std::span<const std::string_view> close) {
  cursor.skip_space();
  if (cursor.at_end()) cursor.run_out();
  if (cursor.at_end() || spans.text()[cursor.at()] != '{') return std::nullopt;
  const std::size_t begin = cursor.at();
  const JsonSpan span = spans.at(begin);
  if (span.state == JsonSpan::State::open) cursor.run_out();
  if (span.state != JsonSpan::State::whole) return std::nullopt;
  cursor.move_to(span.end);
  if (!cursor.is_within() || members_at(spans, begin).has_twice) return std::nullopt;
  cursor.skip_space();
  if (!cursor.take_any(close)) return std::nullopt;
  return std::string(spans.text().substr(begin, span.end - begin));
}

TagReading read_function_json(TagCursor& cursor, JsonSpans& spans, const DeclaredFunctions& functions) {
  TagReading reading;
  if (!cursor.take_any(kFunctionOpen) || !take_name(cursor, kFunction.name_end, functions, reading))
    return reading;
  reading.arguments = read_object(cursor, spans, kFunctionClose);
  return reading;
}

TagReading read_tag_json(TagCursor& cursor, JsonSpans& spans, const DeclaredFunctions& functions) {
  TagReading reading;
  if (!cursor.take_any(kCallOpen)) return reading;
  cursor.skip_space();
  const std::size_t begin = cursor.at();
  if (cursor.at_end()) cursor.run_out();
  if (cursor.at_end() || spans.text()[begin] != '{') return reading;
  reading.begun = true;
  std::optional<JsonCall> call = json_call_at(spans, begin);
  if (!call && !may_become_json_call(spans, begin)) return reading;
  if (call) {
    reading.declared = is_declared(functions, call->name);
    reading.name = std::move(call->name);
  }
  if (read_object(cursor, spans, kCallClose)) reading.arguments = std::move(call->arguments);
  return reading;
}

/// Reads NAME:DIGITS.
TagReading read_special_tokens(TagCursor& cursor, JsonSpans& spans, const DeclaredFunctions& functions) {
  TagReading reading;
  if (!cursor.take(kTokenOpen)) return reading;
  const std::string_view token = cursor.take_until(ends_name);
  const std::size_t colon = std::min(token.rfind(':'), token.size());
  const std::string_view number = token.substr(std::min(colon + 1, token.size()));
  const bool counts = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::string_view name = token.substr(0, colon);
  reading.declared = is_declared(functions, name);
  reading.begun = reading.declared && colon < token.size();
  if (cursor.at_end()) {
    if (begins_declared(functions, token) || (reading.begun && counts)) cursor.run_out();
    return reading;
  }
  reading.name = name;
  if (!can_stand_in_markup(name) || number.empty() || !counts || !cursor.take(kTokenArguments))
    return reading;
  reading.arguments = read_object(cursor, spans, kTokenClose);
  return reading;
}

TagReading read_tags(TagCursor& cursor, JsonSpans& spans, TagGrammar grammar,
                     const DeclaredFunctions& functions) {
  switch (grammar) {
    case TagGrammar::invoke:
      return read_by_key(cursor, kInvoke, functions);
    case TagGrammar::tool:
      return read_by_key(cursor, kTool, functions);
    case TagGrammar::function:
      return read_by_key(cursor, kFunction, functions);
    case TagGrammar::function_json:
      return read_function_json(cursor, spans, functions);
    case TagGrammar::arg_pairs:
      return read_by_key(cursor, kArgPairs, functions);
    case TagGrammar::tag_json:
      return read_tag_json(cursor, spans, functions);
    case TagGrammar::special_tokens:
      return read_special_tokens(cursor, spans, functions);
  }
  return {};
}

std::span<const std::string_view> close_of(TagGrammar grammar) {
  switch (grammar) {
    case TagGrammar::invoke:
      return kInvokeClose;
    case TagGrammar::tool:
      return kToolClose;
    case TagGrammar::function:
    case TagGrammar::function_json:
      return kFunctionClose;
    case TagGrammar::arg_pairs:
    case TagGrammar::tag_json:
      return kCallClose;
    case TagGrammar::special_tokens:
      return kTokenClose;
  }
  return {};
}

}  // namespace

bool has_word(std::string_view text, std::size_t begin, std::string_view word, bool& may_yet) {
  const std::string_view rest = text.substr(std::min(begin, text.size()), word.size());
  may_yet |= rest.size() < word.size() && word.starts_with(rest);
  return rest == word;
}

std::size_t skip_markup_space(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of(kMarkupSpace, begin), text.size());
}

bool can_stand_in_markup(std::string_view name) {
  return !name.empty() && name.front() != '{' && std::none_of(name.begin(), name.end(), ends_name);
}

MarkupAttempt tag_call_at(JsonSpans& spans, std::size_t begin, TagGrammar grammar,
                          const DeclaredFunctions& functions) {
  TagCursor cursor(spans.text(), begin);
  TagReading reading = read_tags(cursor, spans, grammar, functions);
  MarkupAttempt attempt;
  if (reading.arguments && cursor.is_within()) {
    attempt.named = true;
    attempt.state = reading.declared ? MarkupAttempt::State::call : MarkupAttempt::State::none;
    attempt.end = cursor.at();
    attempt.name = std::move(reading.name);
    attempt.arguments = *std::move(reading.arguments);
    return attempt;
  }
  // A complete and undeclared name excludes a call.
  const bool possible = reading.declared || reading.name.empty();
  if (possible && cursor.ran_out()) attempt.state = MarkupAttempt::State::open;
  // Tags in a value before the place of the failure close nothing.
  attempt.unclosed = reading.begun && cursor.is_all() && !cursor.has_ahead(close_of(grammar));
  return attempt;
}

}  // namespace splitproof::observe
