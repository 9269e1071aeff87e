#include "harness/testee/last_lines.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace splitproof::testee {
namespace {

constexpr std::streamoff kMostBytes = 16384;  // many of them may be frames of a stack

std::string tail_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  std::string bytes(static_cast<std::size_t>(std::min(size, kMostBytes)), '\0');
  file.seekg(size - static_cast<std::streamoff>(bytes.size()));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  while (!bytes.empty() && (bytes.back() == '\n' || bytes.back() == '\r')) bytes.pop_back();
  return bytes;
}

// Removes the escape sequences that set colours.
std::string without_colours(std::string_view line) {
  std::string plain;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at, 2) == "\x1b[") {
      const std::size_t end = line.find_first_not_of("0123456789;", at + 2);
      if (end == line.npos) break;
      at = end;
    } else {
      plain += line[at];
    }
  }
  return plain;
}

// Drops what JavaScript runtimes print around an error: the frames of the stack but the first that is in the
// program, the mark below the source line, and the version.
class StackFilter {
 public:
  bool keeps(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.substr(0, 3) == "at ") {
      const bool own = line.find("node:") == line.npos && line.find('/') != line.npos;
      return own && !std::exchange(has_frame_, true);
    }
    has_frame_ = false;
    const bool is_mark = !line.empty() && line.find_first_not_of("^~") == line.npos;
    return !is_mark && line.substr(0, 9) != "Node.js v";
  }

 private:
  bool has_frame_ = false;
};

}  // namespace

std::string last_lines(const std::string& path) {
  std::vector<std::string> kept;
  StackFilter filter;
  std::istringstream lines(tail_of(path));
  for (std::string line; std::getline(lines, line);)
    if (filter.keeps(line)) kept.push_back(without_colours(line));
  while (!kept.empty() && kept.back().empty()) kept.pop_back();
  std::string text;
  const std::size_t first = kept.size() - std::min<std::size_t>(kept.size(), kMostLastLines);
  for (std::size_t i = first; i < kept.size(); ++i) {
    const std::string& line = kept[i];
    text += "\n  " + line.substr(line.size() - std::min(line.size(), kMostOfLine));
  }
  return text;
}

std::string with_last_lines(const std::string& sentence, const std::string& path) {
  const std::string lines = last_lines(path);
  return lines.empty() ? sentence : sentence + std::string(kLastOutput) + lines;
}

}  // namespace splitproof::testee
