#include "proxy/dialect/kiro_eventstream/tool_name.hpp"

#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }

}  // namespace

std::string kiro_tool_name(std::string_view name) {
  std::string fitted;
  bool begins_word = false;
  for (const char c : name) {
    if (!wire::is_letter(c) && !is_digit(c)) {
      begins_word = true;
      continue;
    }
    if (fitted.empty() && is_digit(c)) fitted = "tool";
    fitted += begins_word && !fitted.empty() ? upper(c) : c;
    begins_word = false;
  }
  if (fitted.empty()) fitted = "tool";
  return fitted.substr(0, kMostKiroToolName);
}

}  // namespace splitproof::proxy::dialect
