#include "harness/observe/own_identity.hpp"

#include <cstddef>

#include "harness/observe/code_bytes.hpp"
#include "harness/observe/identity_phrases.hpp"
#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {
namespace {

// Returns the end of the JSON that begins at `at`.
std::size_t end_of_json(std::string_view text, std::size_t at) {
  JsonProgress progress;
  std::size_t depth = 0;
  bool in_string = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    progress.take(text.substr(at, 1));
    if (!progress.possible()) return at;
    if (in_string) {
      if (c == '\\' && at + 1 < text.size()) {
        progress.take(text.substr(at + 1, 1));
        if (!progress.possible()) return at + 1;
        ++at;
      }
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if ((c == '{' || c == '[') && ++depth > kMostJsonLevels) return at;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return at;
}

}  // namespace

std::string with_identity_of(std::string_view model, std::string_view text) {
  if (model.empty()) return std::string(text);
  std::string told;
  CodeBytes code;
  for (std::size_t at = 0; at < text.size();) {
    const bool bracket = text[at] == '{' || text[at] == '[';
    if (bracket && !code.in_code() && code.line_is_blank()) {
      const std::size_t end = end_of_json(text, at);
      told.append(text.substr(at, end - at));
      code.take('x');  // JSON counts as one letter
      at = end;
      continue;
    }
    const bool begins_word = at == 0 || !is_word_byte(text[at - 1]);
    const IdentityPhrase* phrase = begins_word && !code.in_code() ? phrase_at(text, at) : nullptr;
    if (phrase == nullptr) {
      told += text[at];
      code.take(text[at++]);
      continue;
    }
    told += said_instead(*phrase, text, at, model);
    for (const char c : phrase->text) code.take(c);
    at += phrase->text.size();
  }
  return told;
}

}  // namespace splitproof::observe
