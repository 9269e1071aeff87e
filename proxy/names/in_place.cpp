#include "proxy/names/in_place.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "proxy/names/arguments.hpp"
#include "proxy/names/in_force.hpp"
#include "proxy/wire/json_splice.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::names {
namespace {

using wire::Json;
using wire::JsonKind;

// Pieces of one text with their replacements, in any order.
class Replacements {
 public:
  void put(const Json& place, std::string by) { all_.emplace_back(place.raw(), std::move(by)); }

  std::string in(std::string_view text) {
    std::sort(all_.begin(), all_.end(),
              [](const auto& one, const auto& other) { return one.first.data() < other.first.data(); });
    wire::JsonSplice splice(text);
    for (const auto& [piece, by] : all_) splice.replace(piece, by);
    return std::move(splice).done();
  }

 private:
  std::vector<std::pair<std::string_view, std::string>> all_;
};

void put_arguments(const MappedTool& tool, Towards towards, const Json& arguments, std::size_t depth,
                   Replacements& replacements) {
  if (arguments.is(JsonKind::object))
    replacements.put(arguments, told_arguments(tool, towards, arguments.raw(), depth));
}

}  // namespace

NamedRequest name_in_place(const ToolMap& map, FindPlaces places, std::string_view request,
                           std::size_t depth) {
  const wire::JsonDocument document(request, depth);
  const ToolPlaces found = places(document.root());
  std::vector<DeclaredTool> declared;
  for (const ToolPlaces::Declared& tool : found.declared)
    declared.push_back({tool.name.text(), tool.function});
  const InForce in_force(map, declared);
  Replacements replacements;
  const auto name = [&](const Json& place) {
    const MappedTool* tool = in_force.of(place.text());
    if (tool != nullptr) replacements.put(place, wire::quoted(tool->upstream));
    return tool;
  };
  for (const ToolPlaces::Declared& one : found.declared) {
    const MappedTool* tool = name(one.name);
    if (tool != nullptr && one.schema.is(JsonKind::object))
      replacements.put(one.schema, told_schema(*tool, one.schema.raw(), depth));
  }
  for (const ToolPlaces::Called& call : found.called) {
    if (const MappedTool* tool = name(call.name))
      put_arguments(*tool, Towards::upstream, call.arguments, depth, replacements);
  }
  for (const Json& chosen : found.chosen) name(chosen);
  return {replacements.in(request), in_force.tools()};
}

std::string tell_in_place(const ToolMap& in_force, FindPlaces places, std::string_view answer,
                          std::size_t depth) {
  const wire::JsonDocument document(answer, depth);
  Replacements replacements;
  for (const ToolPlaces::Called& call : places(document.root()).called) {
    const MappedTool* tool = by_upstream_name(in_force, call.name.text());
    if (tool == nullptr) continue;
    replacements.put(call.name, wire::quoted(tool->client));
    put_arguments(*tool, Towards::client, call.arguments, depth, replacements);
  }
  return replacements.in(answer);
}

}  // namespace splitproof::names
