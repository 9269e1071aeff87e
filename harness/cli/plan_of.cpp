#include "harness/cli/plan_of.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "harness/campaign/recorded.hpp"
#include "harness/cli/trial_options.hpp"
#include "harness/descriptor.hpp"
#include "harness/fnv1a.hpp"
#include "harness/read_file.hpp"

namespace splitproof::cli {
namespace {

std::string digest_of(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

std::string corpus_digest(const std::vector<const recording::Recording*>& recordings) {
  std::string all;
  for (const recording::Recording* recording : recordings)
    all += recording->id + " " + campaign::recorded_of(*recording).digest + "\n";
  return fmt::format("{} recordings {}", recordings.size(), digest_of(all));
}

std::string contracts_digest(const report::Heading& heading) {
  std::string all;
  for (const auto& [name, digest] : heading.contracts) all += name + " " + digest + "\n";
  return digest_of(all);
}

std::string profile_digest(const contract::Profile& profile) {
  std::string all;
  for (const auto& [knob, value] : profile.knobs) all += knob + ": " + value + "\n";
  return profile.name + " " + digest_of(all);
}

std::string identity_of(const testee::Testee& target, const report::Heading& heading) {
  const auto file = heading.files.find(target.name());
  if (file == heading.files.end()) return "built in";
  const auto text = read_file(file->second);
  std::string identity = "file " + (text ? digest_of(*text) : std::string("unknown"));
  if (const std::string version = target.version(); !version.empty()) identity += ", version " + version;
  return identity;
}

Result<void> touch(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666));
  if (file.get() >= 0) return {};
  return tl::unexpected(
      Error{std::string("the status file of the shard cannot be written: ") + std::strerror(errno), path, 0,
            "pass --no-shard to ignore the environment"});
}

}  // namespace

Result<std::optional<shard::Chosen>> chosen_shard(const RunCommand& command) {
  if (command.no_shard) return std::nullopt;
  auto chosen = shard::choose(command.shard, [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
  if (!chosen || !*chosen || (*chosen)->status_file.empty()) return chosen;
  return touch((*chosen)->status_file).map([&] { return *chosen; });
}

results::Plan plan_of(const RunCommand& command, const report::Heading& heading,
                      const contract::Profile& profile,
                      const std::vector<const recording::Recording*>& recordings,
                      const std::vector<const testee::Testee*>& targets,
                      const std::optional<shard::Chosen>& shard) {
  RunCommand of_all = command;
  of_all.jobs = 0;
  results::Plan plan;
  plan.version = SPLITPROOF_VERSION;
  plan.corpus = corpus_digest(recordings);
  plan.contracts = contracts_digest(heading);
  plan.profile = profile_digest(profile);
  plan.options = trial_options(of_all);
  if (command.limit.count() > 0) plan.options += fmt::format(" --for {}s", command.limit.count());
  if (command.strict) plan.options += " --strict";
  if (command.fail_fast) plan.options += " --fail-fast";
  plan.seed = command.seed;
  plan.shards = shard ? shard->count : 1;
  for (const testee::Testee* target : targets) plan.targets[target->name()] = identity_of(*target, heading);
  return plan;
}

}  // namespace splitproof::cli
