#include "harness/selftest/passes.hpp"

#include <algorithm>
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

void read_passes(const std::string& path, std::vector<Pass>& all) {
  const YamlNode node = contract::read_yaml(path);
  const YamlMap map(node, "a file of reasons", {"self-test", "passes"});
  const std::string& protocol = contract::scalar_text(map.need("self-test"), "self-test");
  const YamlNode& list = map.need("passes");
  if (!list.is_list()) contract::refuse(list.line, "passes must be a list");
  for (const YamlNode& item : list.items) {
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
    all.push_back(std::move(pass));
  }
}

}  // namespace

bool Pass::covers(const Place& place) const {
  const bool kind = std::any_of(changes.begin(), changes.end(),
                                [&](const std::string& one) { return one == "any" || one == place.kind; });
  return kind && fits_any(events, place.event_class) && fits_any(fields, place.field_class);
}

Result<std::vector<Pass>> load_passes(const std::vector<fs::path>& dirs) {
  std::vector<Pass> all;
  std::string path;
  try {
    for (const fs::path& dir : dirs) {
      for (const fs::path& file : contract::yaml_files(dir / "self-test")) {
        path = file.string();
        read_passes(path, all);
      }
    }
  } catch (Mistake& mistake) {
    if (mistake.error.file.empty()) mistake.error.file = path;
    return tl::unexpected(std::move(mistake.error));
  }
  return all;
}

std::optional<std::size_t> pass_for(const std::vector<Pass>& passes, const std::string& protocol,
                                    const Place& place) {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (passes[i].protocol == protocol && passes[i].covers(place)) return i;
  }
  return std::nullopt;
}

}  // namespace splitproof::selftest
