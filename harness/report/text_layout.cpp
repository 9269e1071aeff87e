#include "harness/report/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/utf8.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kCardLabel = 12;
constexpr std::size_t kReportLabel = 15;

// Continues long text in lines below the beginning of the text.
std::string wrapped_after(const std::string& head, std::string_view text) {
  const std::string indent(head.size(), ' ');
  std::string out;
  std::string line = head;
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(' ');
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (line.size() + end > kConsoleWidth && line.size() > head.size()) {
      out += line + "\n";
      line = indent;
      text.remove_prefix(begin);
      continue;
    }
    line += text.substr(0, end);
    text.remove_prefix(end);
  }
  return out + line + "\n";
}

struct CodePoints {
  char32_t first;
  char32_t last;
};

// The blocks of the Unicode standard with wide characters, and those with characters without a width.
constexpr CodePoints kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                                {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                                {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                                {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr CodePoints kNoWidth[] = {
    {0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xE0000, 0xE0FFF}};

template <std::size_t N>
bool is_in(const CodePoints (&blocks)[N], char32_t point) {
  return std::any_of(std::begin(blocks), std::end(blocks),
                     [&](const CodePoints& block) { return point >= block.first && point <= block.last; });
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_step(text).length;
    const auto lead = static_cast<unsigned char>(text.front());
    char32_t point = length == 1   ? lead
                     : length == 2 ? lead & 0x1FU
                     : length == 3 ? lead & 0x0FU
                                   : lead & 0x07U;
    for (std::size_t i = 1; i < length; ++i)
      point = (point << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
    columns += is_in(kNoWidth, point) ? 0 : is_in(kWide, point) ? 2 : 1;
    text.remove_prefix(length);
  }
  return columns;
}

std::string card_item(std::string_view label, std::string_view text) {
  return wrapped_after(fmt::format("  {:<{}}", label, kCardLabel - 2), text);
}

std::string card_lines(std::string_view label, const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    out += fmt::format("  {:<{}}{}\n", out.empty() ? label : "", kCardLabel - 2, line);
  }
  return out;
}

std::string report_item(std::string_view label, std::string_view text) {
  return wrapped_after(fmt::format("{:<{}}", label, kReportLabel), text);
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace splitproof::report
