#include "harness/contract/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include "harness/built_in.hpp"
#include "harness/contract/name_maps.hpp"
#include "harness/contract/yaml_node.hpp"

namespace splitproof::contract {
namespace {

namespace fs = std::filesystem;

struct Setting {
  std::string knob;
  std::string value;
  std::size_t line;
};

struct Declaration {
  std::string knob;
  std::vector<std::string> values;
  std::size_t line;
};

struct ProfileFile {
  std::string path;
  std::string name;
  std::string extends;  ///< empty without it
  std::size_t extends_line = 0;
  std::vector<std::string> upstreams;
  std::size_t upstreams_line = 0;
  std::vector<Declaration> values;
  std::vector<Setting> knobs;
};

ProfileFile read_profile(const std::string& path) {
  const YamlNode node = read_yaml(path);
  try {
    const YamlMap map(node, "a profile", {"profile", "extends", "upstreams", "values", "knobs"});
    ProfileFile file;
    file.path = path;
    file.name = scalar_text(map.need("profile"), "profile");
    if (const YamlNode* extends = map.find("extends")) {
      file.extends = scalar_text(*extends, "extends");
      file.extends_line = extends->line;
    }
    if (const YamlNode* upstreams = map.find("upstreams")) {
      file.upstreams = scalar_texts(*upstreams, "upstreams");
      file.upstreams_line = upstreams->line;
    }
    if (const YamlNode* values = map.find("values")) {
      if (!values->is_map()) refuse(values->line, "values must be a map", "write {KNOB: [VALUE, VALUE]}");
      for (std::size_t i = 0; i < values->items.size(); ++i) {
        const YamlKey& knob = values->keys[i];
        file.values.push_back({knob.name,
                               scalar_texts(values->items[i], fmt::format("the values of '{}'", knob.name)),
                               knob.line});
      }
    }
    if (const YamlNode* knobs = map.find("knobs")) {
      if (!knobs->is_map()) refuse(knobs->line, "knobs must be a map", "write {KNOB: VALUE}");
      for (std::size_t i = 0; i < knobs->items.size(); ++i) {
        const YamlKey& knob = knobs->keys[i];
        file.knobs.push_back(
            {knob.name, scalar_text(knobs->items[i], fmt::format("the knob '{}'", knob.name)), knob.line});
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

/// Returns the wanted file; searches `beside` first. Throws with the place of the reference.
fs::path locate(std::string_view wanted, const fs::path& beside, const std::vector<fs::path>& dirs,
                const Error& asks) {
  if (names_profile_file(wanted)) return beside.empty() ? fs::path(wanted) : beside / wanted;
  const fs::path neighbour = beside / (std::string(wanted) + ".yaml");
  if (!beside.empty() && is_file(neighbour)) return neighbour;
  if (const auto path = find_by_name(wanted, dirs)) return *path;
  throw Mistake{{fmt::format("there is no profile '{}'", wanted), asks.file, asks.line,
                 fmt::format("use one of: {}", fmt::join(profile_names(dirs), ", "))}};
}

/// Returns the profile's file, the file that it extends, and so on.
std::vector<ProfileFile> read_chain(std::string_view name_or_file, const std::vector<fs::path>& dirs) {
  fs::path path = locate(name_or_file, {}, dirs, {});
  std::vector<ProfileFile> chain = {read_profile(path.string())};
  std::set<std::string> seen = {path.lexically_normal().string()};
  while (!chain.back().extends.empty()) {
    const ProfileFile& file = chain.back();
    const Error asks{"", file.path, file.extends_line, ""};
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    path = locate(file.extends, folder, dirs, asks);
    if (!seen.insert(path.lexically_normal().string()).second) {
      throw Mistake{{fmt::format("the profile '{}' extends itself", file.extends), asks.file, asks.line,
                     "remove the cycle of 'extends:'"}};
    }
    chain.push_back(read_profile(path.string()));
  }
  return chain;
}

bool same_file(const fs::path& one, const fs::path& other) {
  if (is_built_in(one) || is_built_in(other)) return one.lexically_normal() == other.lexically_normal();
  return fs::equivalent(one, other);
}

bool has(const std::vector<ProfileFile>& files, const fs::path& path) {
  return std::any_of(files.begin(), files.end(),
                     [&path](const ProfileFile& file) { return same_file(file.path, path); });
}

/// Returns the declarations of the files, base files first, so that an error is reported in the extending
/// file.
KnobValues declared(const std::vector<ProfileFile>& files) {
  KnobValues known;
  std::map<std::string, const ProfileFile*> where;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    for (const Declaration& one : file->values) {
      const auto [first, added] = where.emplace(one.knob, &*file);
      if (!added) {
        throw Mistake{
            {fmt::format("the values of '{}' are already declared in {}", one.knob, first->second->path),
             file->path, one.line, "remove them here, or rename the knob"}};
      }
      known[one.knob] = one.values;
    }
  }
  return known;
}

/// Checks that the map of tools for a knob exists; without it the knob would rename nothing.
void check_map(const Setting& one, const std::vector<fs::path>& dirs) {
  if (one.knob != "names" || one.value == "same") return;
  const fs::path file = fs::path(kNamesFolder) / (one.value + ".yaml");
  if (std::none_of(dirs.begin(), dirs.end(), [&](const fs::path& dir) { return is_file(dir / file); }))
    refuse(one.line, fmt::format("there is no map of tools '{}'", one.value),
           fmt::format("put the file {} into the folder of the contracts", file.string()));
}

void check_knobs(const std::vector<ProfileFile>& files, const KnobValues& known,
                 const std::vector<fs::path>& dirs) {
  if (known.empty()) return;
  for (const ProfileFile& file : files) {
    try {
      for (const Setting& one : file.knobs) {
        check_value(known, one.knob, one.value, one.line);
        check_map(one, dirs);
      }
    } catch (Mistake& mistake) {
      mistake.error.file = file.path;
      throw;
    }
  }
}

}  // namespace

bool names_profile_file(std::string_view name_or_file) {
  return name_or_file.find('/') != std::string_view::npos || fs::path(name_or_file).extension() == ".yaml";
}

Result<Profile> load_profile(std::string_view name_or_file, const std::vector<fs::path>& dirs) {
  try {
    std::vector<ProfileFile> files = read_chain(name_or_file, dirs);
    Profile profile{files.front().name, {}, {}};
    for (const ProfileFile& file : files) {
      if (profile.upstreams.empty() && !file.upstreams.empty()) {
        profile.upstreams = file.upstreams;
        profile.upstreams_file = file.path;
        profile.upstreams_line = file.upstreams_line;
      }
      for (const Setting& one : file.knobs) profile.knobs.emplace(one.knob, one.value);  // the first wins
    }
    const auto standard = find_by_name("default", dirs);
    if (standard && !has(files, *standard)) files.push_back(read_profile(standard->string()));
    profile.values = declared(files);
    check_knobs(files, profile.values, dirs);
    return profile;
  } catch (const Mistake& mistake) {
    return tl::make_unexpected(mistake.error);
  } catch (const fs::filesystem_error& error) {
    return tl::make_unexpected(Error{error.what(), std::string(name_or_file), 0, ""});
  }
}

KnobValues default_values(const std::vector<fs::path>& dirs) {
  const auto standard = find_by_name("default", dirs);
  return standard ? declared({read_profile(standard->string())}) : KnobValues{};
}

void check_value(const KnobValues& known, const std::string& knob, const std::string& value,
                 std::size_t line) {
  const auto values = known.find(knob);
  if (values == known.end()) {
    std::vector<std::string_view> knobs;
    for (const auto& entry : known) knobs.push_back(entry.first);
    refuse(line, fmt::format("there is no knob '{}'", knob),
           fmt::format("use one of: {}; declare your own knob under 'values:'", fmt::join(knobs, ", ")));
  }
  const std::vector<std::string>& allowed = values->second;
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    refuse(line, fmt::format("the knob '{}' has no value '{}'", knob, value),
           fmt::format("use one of: {}", fmt::join(allowed, ", ")));
  }
}

std::vector<std::string> profile_names(const std::vector<fs::path>& dirs) {
  std::set<std::string> names;
  for (const fs::path& dir : dirs) {
    std::error_code ignored;
    for (const fs::path& path : files_in(dir / "profiles", ignored)) {
      if (path.extension() == ".yaml") names.insert(path.stem().string());
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace splitproof::contract
