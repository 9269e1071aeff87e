#include "proxy/text/explanation.hpp"

#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {
namespace {

constexpr std::string_view kWideColon = "\xEF\xBC\x9A";

// White space and emphasis do not change the state.
bool is_passed_over(char c) { return is_blank(c) || c == '*' || c == '_'; }

}  // namespace

void Explanation::take(char c) {
  wide_ = c == kWideColon[wide_] ? wide_ + 1 : c == kWideColon.front() ? 1 : 0;
  const bool wide = wide_ == kWideColon.size();
  if (wide) wide_ = 0;
  if (c == ':' || wide) {
    tag_ = line_ = true;
  } else if (c == '\r' || c == '\n') {
    tag_ = false;
  } else if (!is_passed_over(c)) {
    tag_ = false;
    line_ = c == ',' || c == '[';
  }
}

// Only the last significant character and the text after it count.
void Explanation::pass(std::string_view plain) {
  std::size_t end = plain.size();
  while (end > 0 && is_passed_over(plain[end - 1])) --end;
  if (end >= kWideColon.size()) {
    *this = {};
    plain.remove_prefix(end - kWideColon.size());
  }
  for (const char c : plain) take(c);
}

}  // namespace splitproof::text
