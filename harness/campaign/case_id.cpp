#include "harness/campaign/case_id.hpp"

#include <fnmatch.h>

#include <set>

namespace splitproof::campaign {

std::string to_string(const CaseId& id) {
  std::string text = id.recording + "?client=" + id.client;
  const bool varied = !id.recut.empty() || !id.fault.empty();
  if (!id.recut.empty()) text += "&recut=" + id.recut;
  if (!varied || id.split != CaseId().split) text += "&" + id.split;
  if (!id.fault.empty()) text += "&fault=" + id.fault;
  return text;
}

Result<CaseId> parse_case_id(std::string_view text) {
  CaseId id;
  const std::size_t query = text.find('?');
  id.recording = text.substr(0, query);
  const auto broken = [&](const std::string& what) {
    return tl::unexpected(Error{
        "case id '" + std::string(text) + "' " + what,
        {},
        0,
        "it is RECORDING?client=PROTOCOL&cuts=12,340, ..&gen=seam:17, ..&recut=char or ..&fault=reset@118"});
  };
  if (id.recording.empty()) return broken("names no recording");
  std::set<std::string_view> seen;
  for (std::size_t at = query; at != std::string_view::npos;) {
    const std::size_t next = text.find('&', at + 1);
    const std::string_view part = text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    at = next;
    const std::string_view key = part.substr(0, part.find('='));
    const bool is_split = key == "gen" || key == "cuts";
    if (!is_split && key != "client" && key != "recut" && key != "fault")
      return broken("has a part '" + std::string(part) + "' that no case has");
    if (!seen.insert(is_split ? "gen" : key).second)
      return broken("says '" + std::string(key) + "' more than once, or both gen and cuts");
    if (part.size() <= key.size() + 1) return broken("says nothing for '" + std::string(key) + "'");
    const std::string_view value = part.substr(key.size() + 1);
    if (key == "client") id.client = value;
    if (key == "recut") id.recut = value;
    if (key == "fault") id.fault = value;
    if (is_split) id.split = part;
  }
  return id;
}

bool fits(const std::string& glob, const CaseId& id) {
  return glob.empty() || fnmatch(glob.c_str(), id.recording.c_str(), 0) == 0 ||
         fnmatch(glob.c_str(), to_string(id).c_str(), 0) == 0;
}

}  // namespace splitproof::campaign
