#include "harness/campaign/case_id.hpp"

#include <fnmatch.h>

namespace splitproof::campaign {

std::string to_string(const CaseId& id) { return id.recording + "?client=" + id.client + "&" + id.split; }

Result<CaseId> parse_case_id(std::string_view text) {
  CaseId id;
  const std::size_t query = text.find('?');
  id.recording = text.substr(0, query);
  const auto broken = [&](const std::string& what) {
    return tl::unexpected(Error{"case id '" + std::string(text) + "' " + what,
                                {},
                                0,
                                "it is RECORDING?client=PROTOCOL&cuts=12,340 or ..&gen=seam:17"});
  };
  if (id.recording.empty()) return broken("names no recording");
  bool has_client = false;
  bool has_split = false;
  for (std::size_t at = query; at != std::string_view::npos;) {
    const std::size_t next = text.find('&', at + 1);
    const std::string_view part = text.substr(at + 1, next == std::string_view::npos ? next : next - at - 1);
    at = next;
    const std::string_view key = part.substr(0, part.find('='));
    bool& seen = key == "client" ? has_client : has_split;
    if (key != "client" && key != "gen" && key != "cuts")
      return broken("has a part '" + std::string(part) + "' that no case has");
    if (seen) return broken("says '" + std::string(key) + "' more than once, or both gen and cuts");
    seen = true;
    if (part.size() <= key.size() + 1) return broken("says nothing for '" + std::string(key) + "'");
    if (key == "client") {
      id.client = part.substr(key.size() + 1);
    } else {
      id.split = part;
    }
  }
  return id;
}

bool fits(const std::string& glob, const CaseId& id) {
  return glob.empty() || fnmatch(glob.c_str(), id.recording.c_str(), 0) == 0 ||
         fnmatch(glob.c_str(), to_string(id).c_str(), 0) == 0;
}

}  // namespace splitproof::campaign
