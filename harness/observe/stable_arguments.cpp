#include "harness/observe/stable_arguments.hpp"

#include <cstddef>
#include <utility>

namespace splitproof::observe {
namespace {

constexpr std::size_t kUnicodeEscape = 6;  // bytes of \uXXXX

bool is_whole_escape(std::string_view escape) {
  return escape.size() == (escape.size() > 1 && escape[1] == 'u' ? kUnicodeEscape : 2);
}

// Returns the character of an escape if it is ASCII. Paths have no other characters, and no control
// characters.
char said_by(std::string_view escape) {
  constexpr char kForeign = '\x80';
  constexpr unsigned kAscii = 0x80;
  if (escape[1] == '"' || escape[1] == '\\' || escape[1] == '/') return escape[1];
  if (escape[1] != 'u') return kForeign;
  unsigned code = 0;
  for (const char c : escape.substr(2))
    code = code * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  return code < kAscii ? static_cast<char>(code) : kForeign;
}

}  // namespace

void StableArguments::take(std::string_view piece, std::string_view marker, std::string& told) {
  for (std::size_t at = 0; at < piece.size(); ++at) {
    if (!foreign_) progress_.take(piece.substr(at, 1));
    if (!progress_.possible()) {
      if (!foreign_) paths_.end(told);
      foreign_ = true;
      told.append(escape_).append(piece.substr(at));
      return escape_.clear();
    }
    if (!in_string_) {
      outside_strings(piece[at], told);
    } else {
      in_string(piece[at], marker, told);
    }
  }
}

void StableArguments::outside_strings(char c, std::string& told) {
  if (c == '{' || c == '[') objects_.push_back(c == '{');
  if ((c == '}' || c == ']') && !objects_.empty()) objects_.pop_back();
  if (c == '{' || c == ',') key_ = !objects_.empty() && objects_.back();
  if (c == ':' || c == '[') key_ = false;
  in_string_ = c == '"';
  told += c;
}

/// Reads a byte inside a string, as itself or as part of an escape.
void StableArguments::in_string(char c, std::string_view marker, std::string& told) {
  const bool escapes = !escape_.empty() || c == '\\';
  if (!escapes && c == '"') {
    paths_.end(told);
    told += c;
    in_string_ = false;
    return;
  }
  escape_ += c;
  if (escapes && !is_whole_escape(escape_)) return;
  const std::string written = std::exchange(escape_, {});
  if (key_) {
    told += written;
  } else {
    paths_.take(escapes ? said_by(written) : c, written, marker, told);
  }
}

}  // namespace splitproof::observe
