#include "harness/testee/last_lines.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace splitproof::testee {
namespace {

constexpr std::streamoff kMostBytes = 4096;

}  // namespace

std::string last_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  std::string bytes(static_cast<std::size_t>(std::min(size, kMostBytes)), '\0');
  file.seekg(size - static_cast<std::streamoff>(bytes.size()));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));

  std::string_view rest = bytes;
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
  std::string lines;
  for (int line = 0; line < kMostLastLines && !rest.empty(); ++line) {
    const std::size_t before = rest.rfind('\n');
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    lines.insert(0, "\n  " + std::string(rest.substr(begin)));
    rest = rest.substr(0, begin == 0 ? 0 : before);
  }
  return lines;
}

std::string with_last_lines(const std::string& sentence, const std::string& path) {
  const std::string lines = last_lines(path);
  return lines.empty() ? sentence : sentence + "; its last output:" + lines;
}

}  // namespace splitproof::testee
