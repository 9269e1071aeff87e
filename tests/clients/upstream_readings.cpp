// Prints what the harness reads in streams of a protocol: `upstream_readings PROTOCOL FILE...`, one JSON object a line.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/registry.hpp"
#include "harness/read_file.hpp"

namespace splitproof {
namespace {

using nlohmann::json;

json part_of(const observe::Part& part) {
  switch (part.kind) {
    case observe::PartKind::text:
      return {{"text", part.text}};
    case observe::PartKind::refusal:
      return {{"refusal", part.text}};
    case observe::PartKind::thinking:
      return {{"thinking", part.text}, {"signature", part.signature}};
    case observe::PartKind::call: {
      json call = {{"id", part.id}, {"name", part.name}, {"arguments", part.arguments}};
      if (part.custom) call["custom"] = true;
      return call;
    }
    case observe::PartKind::other:
      break;
  }
  return {{"block", part.text}, {"arguments", part.arguments}};
}

json line_of(const std::string& file, const observe::Answer& answer) {
  json line = {{"file", file},
               {"model", answer.model},
               {"done", answer.done},
               {"stop_reason", answer.finish ? json(answer.finish->word) : json()},
               {"error", answer.error ? json(*answer.error) : json()},
               {"extra", answer.extra},
               {"parts", json::array()}};
  for (const observe::Part& part : answer.parts) line["parts"].push_back(part_of(part));
  for (const auto& [name, count] : {std::pair("prompt", answer.usage.prompt),
                                    {"cached", answer.usage.cached},
                                    {"completion", answer.usage.completion}})
    if (count) line["usage"][name] = *count;
  return line;
}

}  // namespace
}  // namespace splitproof

int main(int argc, char** argv) {
  using namespace splitproof;
  const dialect::Upstream* upstream = argc > 1 ? dialect::upstream_of(argv[1]) : nullptr;
  if (upstream == nullptr) return 2;
  for (int i = 2; i < argc; ++i) {
    const auto body = read_file(argv[i]);
    if (!body) return 1;
    std::puts(line_of(argv[i], dialect::read(*upstream, *body)).dump().c_str());
  }
  return 0;
}
