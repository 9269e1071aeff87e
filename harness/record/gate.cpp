#include "harness/record/gate.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/contract/judge.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/record/secret_check.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::record {
namespace {

std::string side_of(const recording::Recording& recording) {
  if (!recording.provenance || !recording.provenance->contains("ended_by")) return "";
  return " by the " + (*recording.provenance)["ended_by"].get<std::string>();
}

}  // namespace

GateVerdict Gate::judge(const std::string& path, const std::vector<std::string>& known) const {
  const auto recording = recording::load(path);
  if (!recording) return {false, false, "the file cannot be read: " + recording.error().what};
  if (!shapes_) return judge(*recording);
  const auto secrets = secrets_in_answer(*recording, *shapes_, known);
  if (secrets.empty()) return judge(*recording);
  return {false, false, "several events together have a secret: " + secrets.front().kind};
}

GateVerdict Gate::judge(const recording::Recording& recording) const {
  if (recording.end != recording::End::complete)
    return {
        false, true,
        fmt::format("the response is incomplete ({}{})", recording::name(recording.end), side_of(recording))};
  if (recording.status != 200) return {false, true, fmt::format("the status is {}", recording.status)};
  if (recording.body.empty()) return {false, true, "the response has no body"};
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
  if (upstream != nullptr) {
    const observe::Answer answer = dialect::read(*upstream, recording.body);
    if (answer.error) return {false, true, "the stream has an error: " + *answer.error};
    if (!answer.finish) return {false, true, "the answer has no end"};
  }
  const observe::DataKind kind = contracts_.data_kind(recording.protocol);
  if (kind.is_json) {
    observe::BodyStream any(recording.body, kind);
    const auto protocol = contracts_.recognise(any);
    if (protocol && *protocol != recording.protocol)
      return {false, true, "the stream seems to be " + *protocol};
  }
  observe::BodyStream stream(recording.body, kind);
  std::string first;
  std::size_t violated = 0;
  for (const contract::Judged& judged :
       contract::judge(contracts_, recording.protocol, profile_, stream, {})) {
    if (judged.verdict != contract::Verdict::violated || judged.obligation->level != contract::Level::must)
      continue;
    if (++violated == 1) first = judged.obligation->id + ": " + judged.message;
  }
  if (violated == 0) return {true, true, {}};
  return {false, true, first + (violated > 1 ? fmt::format(" (and {} more)", violated - 1) : "")};
}

}  // namespace splitproof::record
