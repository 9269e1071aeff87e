#include "proxy/server/profile_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "proxy/server/built_in_profiles.hpp"
#include "proxy/server/yaml_reading.hpp"

namespace splitproof::server {
namespace {

namespace fs = std::filesystem;

constexpr int kLevelsAbove = 4;  // a build folder may be nested below the tree's own `build`
constexpr std::string_view kBuiltInFolder = "built-in:contracts/profiles/";
constexpr const char* kYaml = ".yaml";

fs::path profiles_below(const fs::path& folder) { return folder / "contracts" / "profiles"; }

bool holds_profiles(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(profiles_below(folder) / "default.yaml", ignored);
}

const BuiltInProfile* built_in(std::string_view name) {
  const auto all = built_in_profiles();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

tl::expected<ProfileFiles, std::string> ProfileFiles::find() {
  if (const char* given = std::getenv("SPLITPROOF_DATA"); given != nullptr && *given != '\0') {
    if (holds_profiles(given)) return ProfileFiles(profiles_below(given));
    return tl::make_unexpected(std::string("SPLITPROOF_DATA names a folder that has no contracts: ") + given);
  }
  std::error_code failed;
  fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  for (int level = 0; !failed && level < kLevelsAbove; ++level, folder = folder.parent_path()) {
    if (holds_profiles(folder)) return ProfileFiles(profiles_below(folder));
  }
  return ProfileFiles({});
}

std::vector<std::string> ProfileFiles::names() const {
  std::vector<std::string> names;
  if (folder_.empty()) {
    for (const BuiltInProfile& profile : built_in_profiles()) names.emplace_back(profile.name);
  } else {
    std::error_code failed;
    for (fs::directory_iterator it(folder_, failed), end; !failed && it != end; it.increment(failed))
      if (it->path().extension() == kYaml) names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> ProfileFiles::path_of(std::string_view name) const {
  const std::string file = std::string(name) + kYaml;
  if (folder_.empty())
    return built_in(name) == nullptr ? std::nullopt : std::optional(std::string(kBuiltInFolder) + file);
  std::error_code ignored;
  const fs::path path = folder_ / file;
  return fs::is_regular_file(path, ignored) ? std::optional(path.string()) : std::nullopt;
}

tl::expected<std::string, std::string> ProfileFiles::text_of(const std::string& path) const {
  if (path.starts_with(kBuiltInFolder)) {
    const std::string_view file = std::string_view(path).substr(kBuiltInFolder.size());
    if (const BuiltInProfile* profile = built_in(file.substr(0, file.rfind(kYaml))))
      return std::string(profile->text);
  }
  return yaml_text(path);
}

std::string ProfileFiles::problem_with_maps() const {
  if (folder_.empty()) return {};
  for (const BuiltInProfile& map : built_in_maps()) {
    const std::string path = (folder_.parent_path() / "names" / (std::string(map.name) + kYaml)).string();
    const auto text = text_of(path);
    if (!text) return text.error();
    if (*text != map.text)
      return path + ": splitproof-proxy was built with a different map; build it again with this map";
  }
  return {};
}

}  // namespace splitproof::server
