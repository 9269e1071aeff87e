#include "harness/contract/regex.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "harness/contract/yaml_node.hpp"

namespace splitproof::contract {
namespace {

/// RE2 reads such a repetition as text.
bool has_long_number(std::string_view repetition) {
  constexpr std::size_t kDigits = 4;  // digits of RE2's limit, 1000
  std::size_t digits = 0;
  for (const char c : repetition) {
    if (c != ',' && (c < '0' || c > '9')) return false;
    digits = c == ',' ? 0 : digits + 1;
    if (digits > kDigits) return true;
  }
  return false;
}

/// ECMAScript rejects these, or gives them another meaning than RE2.
std::string_view foreign_construct(std::string_view text) {
  bool in_class = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.size() > 1 && rest[0] == '\\') {
      static constexpr std::string_view kForeign = "ACQEzpPa";
      if (kForeign.find(rest[1]) != std::string_view::npos) return rest.substr(0, 2);
      ++i;
    } else if (in_class) {
      if (rest.substr(0, 2) == "[:") return rest.substr(0, 2);
      in_class = rest[0] != ']';
    } else if (rest[0] == '[') {
      in_class = true;
      if (rest.substr(0, 3) == "[^]" || rest.substr(0, 2) == "[]") return rest.substr(0, 3);
    } else if (rest[0] == '{' && has_long_number(rest.substr(1, rest.find('}') - 1))) {
      return rest.substr(0, rest.find('}') + 1);
    } else if (rest.substr(0, 2) == "(?" && rest.substr(0, 3) != "(?:") {
      return rest.substr(0, 3);
    }
  }
  return {};
}

}  // namespace

Regex Regex::compile(const std::string& text, std::size_t line) {
  static constexpr std::string_view kMend =
      "use only literals, ., classes, \\d \\w \\s \\b, groups, (?:, |, *, +, ?, {m,n}, ^ and $";
  if (const std::string_view foreign = foreign_construct(text); !foreign.empty()) {
    refuse(line,
           fmt::format("the expression '{}' uses '{}', which splitproof does not support", text, foreign),
           std::string(kMend));
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<const re2::RE2>(text, options);
  if (!compiled->ok()) {
    refuse(line, fmt::format("'{}' is not a supported regular expression: {}", text, compiled->error()),
           std::string(kMend));
  }
  Regex regex;
  regex.compiled_ = std::move(compiled);
  return regex;
}

bool Regex::matches(std::string_view text) const {
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

std::optional<std::size_t> Regex::find_in(std::string_view text) const {
  const re2::StringPiece whole(text.data(), text.size());
  re2::StringPiece found;
  if (!compiled_->Match(whole, 0, whole.size(), re2::RE2::UNANCHORED, &found, 1)) return std::nullopt;
  return static_cast<std::size_t>(found.data() - whole.data());
}

const std::string& Regex::text() const { return compiled_->pattern(); }

}  // namespace splitproof::contract
