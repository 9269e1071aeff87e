#include "harness/hunt/log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/read_file.hpp"

namespace splitproof::hunt {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

std::string in_hex(Feature feature) { return fmt::format("{:016x}", feature); }

std::optional<Feature> from_hex(const std::string& text) {
  Feature feature = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), feature, 16);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return feature;
}

Json to_json(const LogHeading& heading) {
  return {{"splitproof_fuzz", kVersion},    {"target", heading.target}, {"client", heading.client},
          {"signal", heading.signal},       {"seed", heading.seed},     {"shard", heading.shard},
          {"selection", heading.selection}, {"guided", heading.guided}};
}

Json to_json(const KeptCase& kept) {
  Json fresh = Json::array();
  for (const Feature feature : kept.fresh) fresh.push_back(in_hex(feature));
  return {{"number", kept.number},
          {"case", campaign::to_string(kept.one)},
          {"violations", kept.violations},
          {"new", std::move(fresh)}};
}

std::optional<KeptCase> kept_case_of(const Json& line) {
  const auto number = line.find("number");
  const auto id = line.find("case");
  const auto violations = line.find("violations");
  const auto fresh = line.find("new");
  if (number == line.end() || !number->is_number_unsigned() || id == line.end() || !id->is_string() ||
      violations == line.end() || !violations->is_string() || fresh == line.end() || !fresh->is_array())
    return std::nullopt;
  auto one = campaign::parse_case(id->get<std::string>());
  if (!one) return std::nullopt;
  KeptCase kept{number->get<std::size_t>(), *std::move(one), {}, violations->get<std::string>()};
  for (const Json& feature : *fresh) {
    const auto known = feature.is_string() ? from_hex(feature.get<std::string>()) : std::nullopt;
    if (!known) return std::nullopt;
    kept.fresh.push_back(*known);
  }
  return kept;
}

// Returns the first setting that differs, or "".
std::string difference_of(const Json& logged, const Json& heading) {
  for (const auto& [key, value] : heading.items()) {
    const auto found = logged.find(key);
    if (found == logged.end() || *found != value) return key;
  }
  return {};
}

}  // namespace

Result<SearchLog> SearchLog::open(const std::string& path, const LogHeading& heading) {
  SearchLog log;
  log.path_ = path;
  if (path.empty()) return log;
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0 && status.st_size > 0;
  if (exists) {
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    const std::size_t whole = text->rfind('\n') == text->npos ? 0 : text->rfind('\n') + 1;
    if (const auto read = log.read(std::string_view(*text).substr(0, whole), heading); !read)
      return tl::unexpected(read.error());
    if (truncate(path.c_str(), static_cast<off_t>(whole)) != 0)
      return tl::unexpected(Error{std::string("cannot be shortened: ") + std::strerror(errno), path, 0, {}});
  }
  log.file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666));
  if (log.file_.get() < 0)
    return tl::unexpected(Error{std::string("cannot be written: ") + std::strerror(errno), path, 0, {}});
  if (!exists)
    if (const auto begun = log.append(to_json(heading).dump()); !begun) return tl::unexpected(begun.error());
  return log;
}

Result<void> SearchLog::read(std::string_view text, const LogHeading& heading) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const Json json = Json::parse(line, nullptr, false);
    const auto wrong = [&](const std::string& what) {
      return tl::unexpected(Error{what, path_, number, "name an empty folder to begin another search"});
    };
    if (!json.is_object()) return wrong("is no line of a search's log");
    if (number == 1) {
      const std::string differs = difference_of(json, to_json(heading));
      if (differs == "splitproof_fuzz") return wrong("is no log of a search, or of another version");
      if (!differs.empty()) return wrong("is of a search with another " + differs);
      continue;
    }
    if (const auto reached = json.find("reached"); reached != json.end() && reached->is_number_unsigned()) {
      cases_ = reached->get<std::size_t>();
      continue;
    }
    auto kept = kept_case_of(json);
    if (!kept) return wrong("is no line of a search's log");
    cases_ = kept->number;
    kept_.push_back(*std::move(kept));
  }
  return {};
}

Result<void> SearchLog::append(const std::string& line) {
  if (path_.empty()) return {};
  const std::string text = line + "\n";
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t more = write(file_.get(), text.data() + written, text.size() - written);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0)
      return tl::unexpected(Error{std::string("cannot be written: ") + std::strerror(errno), path_, 0, {}});
    written += static_cast<std::size_t>(more);
  }
  return {};
}

Result<void> SearchLog::keep(const KeptCase& kept) {
  kept_.push_back(kept);
  cases_ = kept.number;
  return append(to_json(kept).dump());
}

Result<void> SearchLog::reach(std::size_t cases) {
  if (cases == cases_) return {};
  cases_ = cases;
  return append(Json{{"reached", cases}}.dump());
}

}  // namespace splitproof::hunt
