#include "harness/selftest/passes.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <functional>
#include <system_error>

#include "harness/contract/yaml_node.hpp"

namespace splitproof::selftest {
namespace {

namespace fs = std::filesystem;
using contract::Mistake;
using contract::YamlMap;
using contract::YamlNode;

bool fits(const std::string& pattern, const std::string& text) {
  if (pattern.empty() || pattern.back() != '*') return pattern == text;
  return text.compare(0, pattern.size() - 1, pattern, 0, pattern.size() - 1) == 0;
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                         [&](const std::string& one) { return fits(one, text); });
}

void read_list(const YamlMap& map, const char* key, const std::function<void(const YamlNode& item)>& read) {
  const YamlNode* list = map.find(key);
  if (!list) return;
  if (!list->is_list()) contract::refuse(list->line, std::string(key) + " must be a list");
  for (const YamlNode& item : list->items) read(item);
}

void read_reasons(const std::string& path, Reasons& all) {
  const YamlNode node = contract::read_yaml(path);
  const YamlMap map(node, "a file of reasons", {"self-test", "passes", "silent"});
  const std::string& protocol = contract::scalar_text(map.need("self-test"), "self-test");
  read_list(map, "passes", [&](const YamlNode& item) {
    const YamlMap entry(item, "a reason", {"why", "changes", "events", "fields"});
    Pass pass;
    pass.protocol = protocol;
    pass.why = contract::scalar_text(entry.need("why"), "why");
    pass.changes = contract::scalar_texts(entry.need("changes"), "changes");
    if (const YamlNode* events = entry.find("events"))
      pass.events = contract::scalar_texts(*events, "events");
    if (const YamlNode* fields = entry.find("fields"))
      pass.fields = contract::scalar_texts(*fields, "fields");
    pass.file = path;
    pass.line = item.line;
    all.passes.push_back(std::move(pass));
  });
  read_list(map, "silent", [&](const YamlNode& item) {
    const YamlMap entry(item, "a reason", {"why", "kinds"});
    all.silences.push_back({protocol, contract::scalar_text(entry.need("why"), "why"),
                            contract::scalar_texts(entry.need("kinds"), "kinds"), path, item.line});
  });
}

}  // namespace

bool Pass::covers(const ChangePlace& place) const {
  const bool kind = std::any_of(changes.begin(), changes.end(),
                                [&](const std::string& one) { return one == "any" || one == place.kind; });
  return kind && fits_any(events, place.event_class) && fits_any(fields, place.field_class);
}

Result<Reasons> load_reasons(const std::vector<fs::path>& dirs) {
  Reasons all;
  std::string path;
  try {
    for (const fs::path& dir : dirs) {
      for (const fs::path& file : contract::yaml_files(dir / "self-test")) {
        path = file.string();
        read_reasons(path, all);
      }
    }
  } catch (Mistake& mistake) {
    if (mistake.error.file.empty()) mistake.error.file = path;
    return tl::unexpected(std::move(mistake.error));
  }
  return all;
}

std::optional<std::size_t> pass_for(const std::vector<Pass>& passes, const std::string& protocol,
                                    const ChangePlace& place) {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (passes[i].protocol == protocol && passes[i].covers(place)) return i;
  }
  return std::nullopt;
}

bool fits_kind(const std::string& pattern, const std::string& kind) {
  return fnmatch(pattern.c_str(), kind.c_str(), FNM_NOESCAPE) == 0;
}

std::optional<std::size_t> silence_for(const std::vector<SilentKinds>& silences, const std::string& protocol,
                                       const std::string& kind) {
  for (std::size_t i = 0; i < silences.size(); ++i) {
    const SilentKinds& silence = silences[i];
    const bool covers = std::any_of(silence.kinds.begin(), silence.kinds.end(),
                                    [&](const std::string& pattern) { return fits_kind(pattern, kind); });
    if (silence.protocol == protocol && covers) return i;
  }
  return std::nullopt;
}

}  // namespace splitproof::selftest
