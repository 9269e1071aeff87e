#include "harness/cli/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

bool may_be_secret(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name.find("KEY") != name.npos || name.find("TOKEN") != name.npos ||
         name.find("SECRET") != name.npos || name.find("PASSWORD") != name.npos;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "API_KEY=... node server.js" from "API_KEY=sk-1 node server.js"
std::string without_secret_assignments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string name = text.substr(at, end - at);
    out += name;
    at = end;
    if (at == text.size()) break;
    out += text[at++];
    if (out.back() != '=' || name.empty() || !may_be_secret(name)) continue;
    out += "...";
    at = std::min(text.find(' ', at), text.size());
  }
  return out;
}

std::string without_header_value(const std::string& header) {
  const std::size_t colon = header.find(':');
  return colon == header.npos ? header : header.substr(0, colon) + ": ...";
}

}  // namespace

std::string shown_command(const char* const* words) {
  constexpr std::string_view kHeader = "--header";
  std::string command = "splitproof";
  bool is_header = false;
  for (++words; *words != nullptr; ++words) {
    std::string word = *words;
    if (is_header) {
      word = without_header_value(word);
    } else if (word.starts_with(std::string(kHeader) + "=")) {
      word = std::string(kHeader) + "=" + without_header_value(word.substr(kHeader.size() + 1));
    } else {
      word = without_secret_assignments(word);
    }
    is_header = !is_header && *words == kHeader;
    command += " " + report::shell_quoted(word);
  }
  return command;
}

}  // namespace splitproof::cli
