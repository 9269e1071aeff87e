#include "proxy/wire/json.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "proxy/wire/ascii.hpp"
#include "proxy/wire/surrogates.hpp"
#include "proxy/wire/utf8.hpp"

namespace splitproof::wire {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the value of a hexadecimal digit; 16 for other characters.
unsigned hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

// Returns the value of the four hexadecimal digits at `at`, which exist.
unsigned unit_at(std::string_view text, std::size_t at) {
  unsigned unit = 0;
  for (std::size_t i = 0; i < 4; ++i) unit = unit << 4 | hex_value(text[at + i]);
  return unit;
}

// Reads from left to right. Each `take_` function steps over its token, or returns false if the grammar is broken.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool escaped() const { return escaped_; }  // in the last string or its valid part

  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
  }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_scalar() {
    if (peek() == '"') return take_string();
    for (const std::string_view word : {"null", "true", "false"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return true;
    }
    return take_number();
  }

  bool take_string() {
    if (!take('"')) return false;
    escaped_ = false;
    while (!at_end()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return take('"');
      if (c < 0x20) return false;
      if (c < 0x80 && c != '\\') {
        ++at_;
      } else if (!(c == '\\' ? take_escape() : take_character())) {
        return false;
      }
    }
    return false;
  }

 private:
  bool take_digits() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    return at_ > begin;
  }

  bool take_number() {
    take('-');
    if (!take('0') && !take_digits()) return false;
    if (take('.') && !take_digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return take_digits();
  }

  bool take_escape() {
    take('\\');
    escaped_ = true;
    if (take('u')) {
      const std::string_view digits = text_.substr(at_, 4);
      at_ += digits.size();
      return digits.size() == 4 &&
             std::all_of(digits.begin(), digits.end(), [](char c) { return hex_value(c) < 16; });
    }
    if (at_end() || std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) return false;
    ++at_;
    return true;
  }

  bool take_character() {
    const std::size_t size = character_size(text_, at_);
    at_ += size;
    return size > 0;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool escaped_ = false;
};

// Parses with a stack of its own, and writes the index if there is one.
class Parser {
 public:
  Parser(std::string_view text, std::size_t depth, std::vector<JsonDocument::Node>* nodes)
      : scanner_(text), depth_(depth), nodes_(nodes) {}

  /// True if some key has an escape.
  bool escaped_keys() const { return escaped_keys_; }

  JsonFault parse() {
    do {
      if (nodes_ != nullptr && nodes_->size() > JsonDocument::kMostNodes) return JsonFault::too_much;
      scanner_.skip_blanks();
      if (!open_.empty() && open_.back().close == '}' && !take_key()) return JsonFault::not_json;
      if (const JsonFault fault = take_value(); fault != JsonFault::none) return fault;
      scanner_.skip_blanks();
      while (!open_.empty() && scanner_.take(open_.back().close)) leave();
    } while (!open_.empty() && scanner_.take(','));
    return open_.empty() && scanner_.at_end() ? JsonFault::none : JsonFault::not_json;
  }

 private:
  struct Container {
    char close = '}';
    std::size_t node = 0;
    std::size_t last = 0;  // its latest element or key; 0 before the first
  };

  // Adds a node for a value or key.
  std::size_t add() {
    if (nodes_ == nullptr) return 0;
    nodes_->push_back({static_cast<std::uint32_t>(scanner_.at()), 0, 0});
    return nodes_->size() - 1;
  }

  void end(std::size_t node) {
    if (nodes_ != nullptr) (*nodes_)[node].end = static_cast<std::uint32_t>(scanner_.at());
  }

  // Makes `node` the latest element, or key, of the innermost container.
  void link(std::size_t node) {
    if (open_.empty()) return;
    Container& container = open_.back();
    if (nodes_ != nullptr && container.last != 0)
      (*nodes_)[container.last].next = static_cast<std::uint32_t>(node);
    container.last = node;
  }

  bool take_key() {
    const std::size_t node = add();
    link(node);
    if (!scanner_.take_string()) return false;
    escaped_keys_ |= scanner_.escaped();
    end(node);
    scanner_.skip_blanks();
    if (!scanner_.take(':')) return false;
    scanner_.skip_blanks();
    return true;
  }

  // Takes a scalar or an empty container, or the beginning of another container and its first value.
  JsonFault take_value() {
    while (true) {
      const char first = scanner_.peek();
      const std::size_t node = add();
      if (open_.empty() || open_.back().close == ']') link(node);
      if (first != '{' && first != '[') {
        if (!scanner_.take_scalar()) return JsonFault::not_json;
        end(node);
        return JsonFault::none;
      }
      if (open_.size() == depth_) return JsonFault::too_deep;
      scanner_.take(first);
      open_.push_back({first == '{' ? '}' : ']', node, 0});
      scanner_.skip_blanks();
      if (scanner_.take(open_.back().close)) {
        leave();
        return JsonFault::none;
      }
      if (first == '{' && !take_key()) return JsonFault::not_json;
    }
  }

  // Handles the end of a container.
  void leave() {
    end(open_.back().node);
    open_.pop_back();
    scanner_.skip_blanks();
  }

  Scanner scanner_;
  std::size_t depth_;
  std::vector<JsonDocument::Node>* nodes_;
  std::vector<Container> open_;
  bool escaped_keys_ = false;
};

// Decodes the valid string literal `raw`.
std::string decoded(std::string_view raw) {
  raw = raw.substr(1, raw.size() - 2);
  std::string text;
  while (true) {
    const std::size_t escape = raw.find('\\');
    text.append(raw.substr(0, escape));
    if (escape == std::string_view::npos) return text;
    const char kind = raw[escape + 1];
    raw.remove_prefix(escape + 2);
    if (kind != 'u') {
      static constexpr std::string_view kEscapes = "bfnrt";
      const std::size_t known = kEscapes.find(kind);
      text.push_back(known == std::string_view::npos ? kind : "\b\f\n\r\t"[known]);
      continue;
    }
    const unsigned unit = unit_at(raw, 0);
    raw.remove_prefix(4);
    const bool pair =
        is_high_surrogate(unit) && raw.substr(0, 2) == "\\u" && is_low_surrogate(unit_at(raw, 2));
    append_code_point(text, pair ? joined(unit, unit_at(raw, 2)) : unit);
    if (pair) raw.remove_prefix(6);
  }
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, std::size_t depth) : text_(text) {
  nodes_.reserve(32);  // more than most events need
  const bool fits = text.size() <= std::numeric_limits<std::uint32_t>::max();
  Parser parser(text, depth, &nodes_);
  fault_ = fits ? parser.parse() : JsonFault::too_much;
  escaped_keys_ = parser.escaped_keys();
  if (fault_ != JsonFault::none) nodes_ = {};
}

JsonFault check_json(std::string_view text, std::size_t depth) {
  return Parser(text, depth, nullptr).parse();
}

JsonKind Json::kind() const {
  if (document_ == nullptr) return JsonKind::nothing;
  switch (document_->text_[document_->nodes_[node_].begin]) {
    case '{':
      return JsonKind::object;
    case '[':
      return JsonKind::array;
    case '"':
      return JsonKind::string;
    case 'n':
      return JsonKind::null;
    case 't':
    case 'f':
      return JsonKind::boolean;
    default:
      return JsonKind::number;
  }
}

std::string_view Json::raw() const {
  if (document_ == nullptr) return {};
  const JsonDocument::Node& node = document_->nodes_[node_];
  return document_->text_.substr(node.begin, node.end - node.begin);
}

std::string Json::text() const { return is(JsonKind::string) ? decoded(raw()) : std::string(); }

std::optional<std::uint64_t> Json::count() const {
  if (!is(JsonKind::number)) return std::nullopt;
  const std::string_view digits = raw();
  std::uint64_t count = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  return whole ? std::optional(count) : std::nullopt;
}

// Returns the first key of an object, or element of an array; 0 if there is none.
std::size_t Json::child() const {
  if (document_ == nullptr) return 0;
  const std::vector<JsonDocument::Node>& nodes = document_->nodes_;
  return node_ + 1 < nodes.size() && nodes[node_ + 1].begin < nodes[node_].end ? node_ + 1 : 0;
}

// An escape is longer than its character, so only a longer literal with a backslash needs decoding.
bool Json::says(std::size_t node, std::string_view key) const {
  const JsonDocument::Node& string = document_->nodes_[node];
  const std::string_view written(document_->text_.data() + string.begin + 1, string.end - string.begin - 2);
  if (written.size() <= key.size()) return written == key;
  return document_->escaped_keys_ && written.find('\\') != std::string_view::npos &&
         decoded(Json(document_, node).raw()) == key;
}

Json Json::operator[](std::string_view key) const {
  Json found;
  if (!is(JsonKind::object)) return found;
  for (std::size_t at = child(); at != 0; at = document_->nodes_[at].next) {
    if (says(at, key)) found = Json(document_, at + 1);
  }
  return found;
}

Json Json::first_key() const {
  const std::size_t at = is(JsonKind::object) ? child() : 0;
  return at == 0 ? Json() : Json(document_, at);
}

Json Json::first() const {
  const std::size_t at = is(JsonKind::array) ? child() : 0;
  return at == 0 ? Json() : Json(document_, at);
}

Json Json::next() const {
  const std::size_t at = document_ == nullptr ? 0 : document_->nodes_[node_].next;
  return at == 0 ? Json() : Json(document_, at);
}

}  // namespace splitproof::wire
