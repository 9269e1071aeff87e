// Prints the expected answer of a client of the protocol CLIENT for every recording below the folders: one JSON object
// in each line, from the harness's reading under the profile `default`: `expected_meanings CONTRACTS CLIENT FOLDER...`.
// It does not use the proxy. Leaves out recordings without a reader, and those with an ambiguous meaning. Returns 1 if
// a folder cannot be read.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/expect.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/corpus.hpp"

namespace splitproof {
namespace {

using nlohmann::json;
using observe::Expected;
using observe::Failure;
using observe::Part;
using observe::PartKind;

json failure_of(const Expected& expected) {
  // The reference reports an unknown end as an error, and a provider that broke off in its own words.
  if (expected.finish_unknown || expected.shapes.contains("broke_down")) return "unusable";
  if (!expected.failure) return nullptr;
  switch (*expected.failure) {
    case Failure::reported:
      return "reported";
    case Failure::cut_off:
      return "cut_off";
    case Failure::nameless:
    case Failure::arguments:
    case Failure::demanded:
    case Failure::elsewhere:
    case Failure::refused:
    case Failure::nothing:
      break;
  }
  return "unusable";
}

// `id` is null if the translator chooses it. Arguments are text, which clients parse; `input` is their content: an
// "object", "none", or "cut".
json part_of(const Part& part) {
  switch (part.kind) {
    case PartKind::text:
      return {{"kind", "text"}, {"text", part.text}};
    case PartKind::refusal:
      return {{"kind", "refusal"}, {"text", part.text}};
    case PartKind::thinking:
      return {{"kind", "thinking"}, {"text", part.text}, {"signature", part.signature}};
    case PartKind::call:
    case PartKind::other:  // no translator has to send one
      break;
  }
  const observe::Arguments kind = observe::kind_of_arguments(part.arguments);
  const char* input = kind == observe::Arguments::object ? "object"
                      : kind == observe::Arguments::none ? "none"
                                                         : "cut";
  return {{"kind", "call"},
          {"id", part.id.empty() ? json() : json(part.id)},
          {"name", part.name},
          {"arguments", part.arguments},
          {"input", input}};
}

bool ranks_ascend(const std::vector<Part>& parts) {
  std::vector<std::uint64_t> ranks;
  for (const Part& part : parts) {
    if (part.kind == PartKind::call) ranks.push_back(part.rank);
  }
  return std::is_sorted(ranks.begin(), ranks.end());
}

json usage_of(const observe::Tokens& tokens) {
  json usage = json::object();
  for (const auto& [name, count] : {std::pair("prompt", tokens.prompt),
                                    {"cached", tokens.cached},
                                    {"written", tokens.written},
                                    {"completion", tokens.completion}})
    if (count) usage[name] = *count;
  return usage;
}

// True if the upstream's own stream conforms to its protocol.
bool is_sound(const recording::Recording& recording, const contract::Contracts& contracts,
              const contract::Profile& profile) {
  const observe::Trace trace = observe::read_trace(recording.body, contracts.data_kind(recording.protocol));
  const auto all = contract::judge(contracts, recording.protocol, profile, trace, {});
  return std::none_of(all.begin(), all.end(), [](const contract::Judged& one) {
    return one.verdict == contract::Verdict::violated && one.obligation->level == contract::Level::must;
  });
}

json line_of(const recording::Recording& recording, const dialect::UpstreamDialect& upstream,
             const std::string& protocol, const contract::Contracts& contracts,
             const contract::Profile& profile) {
  const observe::Answer meaning = dialect::read(upstream, recording.body);
  observe::ClientCapabilities carries = dialect::client_of(protocol)->carries(nullptr);
  carries.losses = contracts.losses(recording.protocol, protocol);
  Expected expected = observe::expected_of(meaning, recording.end, {}, carries);
  const auto demanded = observe::apply_expect(recording, "default", expected);
  if (!demanded) return {{"id", recording.id}, {"broken", demanded.error().what}};
  json line = {{"id", recording.id},
               {"file", recording.path},
               {"upstream", recording.protocol},
               {"sound", is_sound(recording, contracts, profile)},
               {"model", meaning.model},
               {"failure", failure_of(expected)},
               {"reported", meaning.error ? json(*meaning.error) : json()},
               {"finish", observe::name(expected.finish)},
               {"usage", usage_of(expected.usage)},
               {"calls_in_order", ranks_ascend(expected.parts)},
               {"parts", json::array()},
               {"unsettled", json::array()}};
  for (const Part& part : expected.parts) line["parts"].push_back(part_of(part));
  for (const Part& part : expected.unsettled) line["unsettled"].push_back(part.name);
  return line;
}

bool is_unclear(const recording::Recording& recording, const dialect::UpstreamDialect& upstream) {
  const observe::Answer meaning = dialect::read(upstream, recording.body);
  const bool is_stray = meaning.shapes.contains("stray_piece") && meaning.shapes.contains("ambiguous");
  const bool is_unknown = meaning.shapes.contains("unknown_part");  // a translator may drop it, or fail
  return is_stray || is_unknown || meaning.shapes.contains("text_unclear") ||
         meaning.shapes.contains("thinking_unclear");
}

int print_all(const std::string& contracts_folder, const std::string& protocol,
              const std::vector<std::string>& folders) {
  if (dialect::client_of(protocol) == nullptr) return 2;
  const auto contracts = contract::Contracts::load({contracts_folder});
  const auto profile = contract::load_profile("default", {contracts_folder});
  if (!contracts || !profile) {
    std::fprintf(stderr, "%s\n", describe(contracts ? profile.error() : contracts.error()).c_str());
    return 1;
  }
  const recording::Corpus corpus = recording::load_corpus(folders);
  for (const auto& error : corpus.errors) std::fprintf(stderr, "%s\n", describe(error).c_str());
  for (const recording::Recording& recording : corpus.recordings) {
    const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
    if (upstream != nullptr && !is_unclear(recording, *upstream))
      std::puts(line_of(recording, *upstream, protocol, *contracts, *profile).dump().c_str());
  }
  return corpus.errors.empty() ? 0 : 1;
}

}  // namespace
}  // namespace splitproof

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  return splitproof::print_all(argv[1], argv[2], {argv + 3, argv + argc});
}
