#include "harness/contract/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include "harness/contract/yaml_node.hpp"

namespace splitproof::contract {
namespace {

namespace fs = std::filesystem;

struct ProfileFile {
  Profile profile;
  std::string extends;  ///< empty without
  std::size_t extends_line = 0;
};

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

ProfileFile read_profile(const std::string& path) {
  const YamlNode node = read_yaml(path);
  try {
    const YamlMap map(node, "a profile", {"profile", "extends", "knobs"});
    ProfileFile file;
    file.profile.name = scalar_text(map.need("profile"), "profile");
    if (const YamlNode* extends = map.find("extends")) {
      file.extends = scalar_text(*extends, "extends");
      file.extends_line = extends->line;
    }
    if (const YamlNode* knobs = map.find("knobs")) {
      if (!knobs->is_map()) refuse(knobs->line, "knobs must be a map", "write {KNOB: VALUE}");
      for (std::size_t i = 0; i < knobs->items.size(); ++i) {
        const std::string& knob = knobs->keys[i].name;
        file.profile.knobs[knob] = scalar_text(knobs->items[i], fmt::format("the knob '{}'", knob));
      }
    }
    return file;
  } catch (Mistake& mistake) {
    mistake.error.file = path;
    throw;
  }
}

std::optional<fs::path> find_by_name(std::string_view name, const std::vector<fs::path>& dirs) {
  for (const fs::path& dir : dirs) {
    fs::path path = dir / "profiles" / (std::string(name) + ".yaml");
    if (is_file(path)) return path;
  }
  return std::nullopt;
}

/// The file that is meant, looked for in `beside` first. Throws with the place that asks for it.
fs::path locate(std::string_view wanted, const fs::path& beside, const std::vector<fs::path>& dirs,
                const Error& asks) {
  const bool names_file =
      wanted.find('/') != std::string_view::npos || fs::path(wanted).extension() == ".yaml";
  if (names_file) return beside.empty() ? fs::path(wanted) : beside / wanted;
  const fs::path neighbour = beside / (std::string(wanted) + ".yaml");
  if (!beside.empty() && is_file(neighbour)) return neighbour;
  if (const auto path = find_by_name(wanted, dirs)) return *path;
  throw Mistake{{fmt::format("there is no profile '{}'", wanted), asks.file, asks.line,
                 fmt::format("there are: {}", fmt::join(profile_names(dirs), ", "))}};
}

}  // namespace

Result<Profile> load_profile(std::string_view name_or_file, const std::vector<fs::path>& dirs) {
  try {
    fs::path path = locate(name_or_file, {}, dirs, {});
    ProfileFile file = read_profile(path.string());
    Profile profile = file.profile;
    std::set<std::string> seen = {path.lexically_normal().string()};
    while (!file.extends.empty()) {
      const Error asks{"", path.string(), file.extends_line, ""};
      const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
      path = locate(file.extends, folder, dirs, asks);
      if (!seen.insert(path.lexically_normal().string()).second) {
        throw Mistake{{fmt::format("the profile '{}' extends itself", file.extends), asks.file, asks.line,
                       "break the circle of 'extends:'"}};
      }
      file = read_profile(path.string());
      profile.knobs.insert(file.profile.knobs.begin(),
                           file.profile.knobs.end());  // keeps what is set already
    }
    return profile;
  } catch (const Mistake& mistake) {
    return tl::make_unexpected(mistake.error);
  } catch (const fs::filesystem_error& error) {
    return tl::make_unexpected(Error{error.what(), std::string(name_or_file), 0, ""});
  }
}

std::vector<std::string> profile_names(const std::vector<fs::path>& dirs) {
  std::set<std::string> names;
  for (const fs::path& dir : dirs) {
    std::error_code error;
    for (fs::directory_iterator it(dir / "profiles", error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() == ".yaml") names.insert(it->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace splitproof::contract
