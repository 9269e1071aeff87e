#include "harness/campaign/deadlines.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace splitproof::campaign {
namespace {

using nlohmann::json;

std::size_t length_at(const json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get_ref<const std::string&>().size() : 0;
}

std::string string_at(const json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
}

// Adds what one downstream event says.
void count(const json& event, observe::Due& said) {
  if (!event.is_object()) return;
  const auto block = event.find("content_block");
  if (string_at(event, "type") == "content_block_start" && block != event.end() && block->is_object()) {
    said.calls += string_at(*block, "type") == "tool_use" ? 1 : 0;
    said.prose += length_at(*block, "text") + length_at(*block, "thinking");
  }
  const auto delta = event.find("delta");
  if (string_at(event, "type") == "content_block_delta" && delta != event.end() && delta->is_object()) {
    said.prose += length_at(*delta, "text") + length_at(*delta, "thinking");
    said.arguments += length_at(*delta, "partial_json");
  }
}

bool covers(const observe::Due& said, const observe::Due& due) {
  return said.prose >= due.prose && said.arguments >= due.arguments && said.calls >= due.calls;
}

}  // namespace

Deadlines::Deadlines(const std::vector<Milestone>& milestones, const observe::Trace& trace,
                     std::size_t size) {
  observe::Due said;
  std::size_t read = 0;  // events
  for (const Milestone& milestone : milestones) {
    while (!covers(said, milestone.due) && read < trace.events.size()) {
      const observe::Event& event = trace.events[read++];
      if (event.json) count(*event.json, said);
    }
    if (!covers(said, milestone.due)) return;
    const std::size_t met = read == 0 ? 0 : trace.events[read - 1].end;
    deadlines_.push_back({milestone.upstream, milestone.over ? size : met});
  }
}

std::optional<Late> Deadlines::first_late(const split::Cuts& cuts, std::size_t size,
                                          const std::vector<std::size_t>& said) const {
  std::size_t passed = 0;  // deadlines
  for (std::size_t chunk = 0; chunk < said.size(); ++chunk) {
    const std::size_t fed = chunk < cuts.size() ? cuts[chunk] : size;
    while (passed < deadlines_.size() && deadlines_[passed].upstream <= fed) ++passed;
    if (passed == 0) continue;
    const std::size_t due = deadlines_[passed - 1].downstream;
    if (said[chunk] < due) return Late{fed, said[chunk], due};
  }
  return std::nullopt;
}

}  // namespace splitproof::campaign
