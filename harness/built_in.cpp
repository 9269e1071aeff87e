#include "harness/built_in.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace splitproof {
namespace {

namespace fs = std::filesystem;

std::map<fs::path, std::string_view>& files() {
  static std::map<fs::path, std::string_view> all;
  return all;
}

}  // namespace

void set_built_in(std::string_view archive) {
  files().clear();
  std::string_view rows = archive.substr(0, archive.find("\n\n") + 1);
  std::string_view contents = archive.substr(rows.size() + 1);
  while (!rows.empty()) {
    const std::string_view row = rows.substr(0, rows.find('\n'));
    rows.remove_prefix(row.size() + 1);
    const std::size_t blank = row.find(' ');
    if (blank == std::string_view::npos) continue;  // a row without files
    std::size_t size = 0;
    std::from_chars(row.data(), row.data() + blank, size);
    files().emplace(fs::path(kBuiltIn) / row.substr(blank + 1), contents.substr(0, size));
    contents.remove_prefix(size);
  }
}

bool is_built_in(const fs::path& path) { return path.begin() != path.end() && *path.begin() == kBuiltIn; }

std::optional<std::string_view> built_in_file(const fs::path& path) {
  if (!is_built_in(path)) return std::nullopt;
  const auto file = files().find(path.lexically_normal());
  return file == files().end() ? std::nullopt : std::optional(file->second);
}

std::vector<fs::path> built_in_files(const fs::path& folder) {
  const fs::path normal = (folder / "").lexically_normal();
  std::vector<fs::path> below;
  for (const auto& file : files()) {
    if (std::mismatch(normal.begin(), std::prev(normal.end()), file.first.begin(), file.first.end()).first ==
        std::prev(normal.end()))
      below.push_back(file.first);
  }
  return below;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return built_in_file(path) || fs::is_regular_file(path, ignored);
}

std::vector<fs::path> files_in(const fs::path& folder, std::error_code& failed) {
  std::vector<fs::path> paths;
  if (is_built_in(folder)) {
    paths = built_in_files(folder);
    const fs::path normal = (folder / "").lexically_normal();
    std::erase_if(paths, [&](const fs::path& path) { return path.parent_path() / "" != normal; });
    return paths;
  }
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code ignored;
    if (!it->is_directory(ignored) && !fs::is_other(it->status(ignored))) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace splitproof
