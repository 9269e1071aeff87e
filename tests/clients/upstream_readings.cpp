// Prints the harness's reading of streams of a protocol: `upstream_readings PROTOCOL FILE...`, one JSON object in each
// line. A file is a body, or a recording.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/registry.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/recording.hpp"

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
  return {{"block", part.text}, {"type", part.type}, {"arguments", part.arguments}};
}

const char* name(observe::FinishKind kind) {
  using observe::FinishKind;
  switch (kind) {
    case FinishKind::stop:
      return "stop";
    case FinishKind::calls:
      return "calls";
    case FinishKind::length:
      return "length";
    case FinishKind::filter:
      return "filter";
    case FinishKind::paused:
      return "paused";
    case FinishKind::breakdown:
      return "breakdown";
    case FinishKind::unknown:
      break;
  }
  return "unknown";
}

json line_of(const std::string& file, const observe::Answer& answer) {
  json line = {{"file", file},
               {"model", answer.model},
               {"done", answer.done},
               {"stop_reason", answer.finish ? json(answer.finish->word) : json()},
               {"finish", answer.finish ? json(name(answer.finish->kind)) : json()},
               {"error", answer.error ? json(*answer.error) : json()},
               {"extra", answer.extra},
               {"parts", json::array()}};
  for (const observe::Part& part : answer.parts) line["parts"].push_back(part_of(part));
  for (const auto& [name, count] : {std::pair("prompt", answer.usage.prompt),
                                    {"cached", answer.usage.cached},
                                    {"written", answer.usage.written},
                                    {"completion", answer.usage.completion},
                                    {"reasoning", answer.usage.reasoning},
                                    {"total", answer.usage.total}})
    if (count) line["usage"][name] = *count;
  return line;
}

// Returns null if the file cannot be read.
json line_of_file(const dialect::UpstreamDialect& upstream, const std::string& file) {
  if (!file.ends_with(recording::kSuffix)) {
    const auto body = read_file(file);
    return body ? line_of(file, dialect::read(upstream, *body)) : json();
  }
  const auto recording = recording::load(file);
  if (!recording) return {};
  json line = line_of(file, dialect::read(upstream, recording->body));
  line["title"] = recording->title;
  return line;
}

}  // namespace
}  // namespace splitproof

int main(int argc, char** argv) {
  using namespace splitproof;
  const dialect::UpstreamDialect* upstream = argc > 1 ? dialect::upstream_of(argv[1]) : nullptr;
  if (upstream == nullptr) return 2;
  for (int i = 2; i < argc; ++i) {
    const json line = line_of_file(*upstream, argv[i]);
    if (line.is_null()) {
      std::fprintf(stderr, "cannot read %s\n", argv[i]);
      return 1;
    }
    std::puts(line.dump().c_str());
  }
  return 0;
}
