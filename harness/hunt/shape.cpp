#include "harness/hunt/shape.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "harness/dialect/registry.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::hunt {
namespace {

using nlohmann::json;

// Blocks of a shape; more of them are one mark.
constexpr std::size_t kMostBlocks = 6;
constexpr std::size_t kMostTypes = 24;
constexpr int kMostDepth = 6;

// Appends the paths of all values, without the indices of lists.
void add_paths(const json& value, const std::string& path, int depth, std::set<std::string>& paths) {
  if (!value.is_structured() || value.empty() || depth == 0) {
    paths.insert(path + (value.is_null() ? "=null" : ""));
    return;
  }
  for (const auto& [key, child] : value.items())
    add_paths(child, value.is_array() ? path : path + "." + key, depth - 1, paths);
}

// Returns the type of an event: its name, or the members of its data.
std::string type_of(const observe::Event& event) {
  std::string type = event.event.value_or("");
  if (event.fault != observe::StreamFault::none) return type + "!" + std::string(name(event.fault));
  if (event.json == nullptr) return type + "text";
  if (!type.empty()) return type;
  std::set<std::string> paths;
  add_paths(*event.json, "", kMostDepth, paths);
  for (const std::string& path : paths) type += path;
  return type;
}

std::string message_shape(const observe::Answer& message) {
  std::string shape;
  for (std::size_t i = 0; i < std::min(message.parts.size(), kMostBlocks); ++i) {
    const observe::Part& part = message.parts[i];
    shape += " ";
    shape += kind_of(part);
    if (part.kind != observe::PartKind::call) continue;
    if (part.id.empty()) shape += "-id";
    if (part.name.empty()) shape += "-name";
    if (part.arguments.empty())
      shape += "-arguments";
    else if (!json::accept(part.arguments))
      shape += "-json";
  }
  if (message.parts.size() > kMostBlocks) shape += " more";
  shape += "; stop " + (message.finish ? message.finish->word : std::string("none"));
  if (message.done) shape += " done";
  if (message.error) shape += " error";
  if (message.usage == observe::Tokens{}) shape += " uncounted";
  return shape;
}

}  // namespace

std::string violations_of(const std::vector<contract::Judged>& all) {
  std::string text;
  for (const contract::Judged& judged : all) {
    if (judged.verdict != contract::Verdict::violated) continue;
    if (!text.empty()) text += " ";
    text += judged.obligation->id + "/" + std::to_string(judged.violation.clause);
  }
  return text;
}

std::string shape_of(const campaign::Judge& judge, const testee::Observation& seen,
                     const std::vector<contract::Judged>& all) {
  std::string shape(testee::name(seen.ending));
  if (seen.http) shape += " " + std::to_string(seen.http->status);
  const observe::Trace trace = judge.trace_of(seen);
  std::vector<std::string> types;
  for (const observe::Event& event : trace.events) {
    std::string type = type_of(event);
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(std::move(type));
    if (types.size() == kMostTypes) break;
  }
  shape += "; events";
  for (const std::string& type : types) shape += " " + type;
  shape += "; blocks";
  if (const dialect::Client* client = dialect::client_of(judge.testee().client))
    shape += message_shape(client->assemble(trace));
  return shape + "; violated " + violations_of(all);
}

}  // namespace splitproof::hunt
