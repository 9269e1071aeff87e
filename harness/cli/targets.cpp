#include "harness/cli/targets.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/built_in.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/cli/mutants.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/target_values.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/coverage/agent_coverage.hpp"
#include "harness/coverage/covered_testee.hpp"
#include "harness/coverage/library_coverage.hpp"
#include "harness/coverage/tcp_coverage.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"
#include "harness/read_file.hpp"
#include "harness/testee/credentials.hpp"
#include "harness/testee/http_testee.hpp"
#include "harness/testee/in_process.hpp"
#include "harness/testee/instances.hpp"
#include "harness/testee/library_testee.hpp"
#include "harness/testee/masking_testee.hpp"
#include "harness/testee/pipe_testee.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/target_knobs.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReference = "reference";
constexpr std::string_view kReferenceOf = "reference:";
constexpr std::string_view kMutant = "mutant:";
constexpr const char* kSuffix = ".yaml";
constexpr const char* kLibrarySuffix = ".so";

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(kSuffix);
}

Result<fs::path> folder_of_targets() {
  return data_folder().map([](const std::string& data) {
    std::error_code ignored;
    const fs::path own = fs::path(data) / "targets";
    return is_built_in(data) || fs::is_directory(own, ignored) ? own : fs::path(data) / "harness" / "targets";
  });
}

// Returns the first sentence of the comment at the beginning of a file.
std::string opening_remark(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (!line.starts_with("# ")) return "";
  line = line.substr(2);
  const std::size_t stop = std::min(line.find(". "), line.ends_with('.') ? line.size() - 1 : line.size());
  return line.substr(0, stop);
}

std::string_view kind_of(const testee::TargetFile& file) {
  switch (file.kind) {
    case testee::TargetFile::Kind::in_process:
      return "in-process";
    case testee::TargetFile::Kind::pipe:
      return "pipe";
    case testee::TargetFile::Kind::http:
      break;
  }
  return "http";
}

// The first is the default.
std::vector<std::string> clients_of_the_reference(const std::string& upstream) {
  std::vector<std::string> clients = testee::reference_clients(upstream);
  std::erase_if(clients, [&](const std::string& client) { return dialect::client_of(client) == nullptr; });
  return clients;
}

// Returns the protocols of the reference: the asked ones if it has them, otherwise its own.
Protocols protocols_of_the_reference(const Protocols& asked, const Protocols& own) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Protocols served;
  served.upstream = has(testee::reference_upstreams(), asked.upstream) ? asked.upstream : own.upstream;
  const std::vector<std::string> clients = clients_of_the_reference(served.upstream);
  served.client = has(clients, asked.client) ? asked.client
                  : has(clients, own.client) ? own.client
                                             : clients.front();
  return served;
}

Result<std::unique_ptr<testee::Testee>> make_mutant(const std::string& name, const contract::Profile& profile,
                                                    const Protocols& asked) {
  const auto library = open_mutants();
  if (!library) return tl::unexpected(library.error());
  const std::string wanted = name.substr(kMutant.size());
  const std::vector<testee::Variant>& mutants = (*library)->variants();
  const auto mutant = std::find_if(mutants.begin(), mutants.end(),
                                   [&](const testee::Variant& variant) { return variant.name == wanted; });
  if (mutant == mutants.end()) {
    std::vector<std::string> names;
    for (const testee::Variant& variant : mutants) names.push_back(variant.name);
    return tl::unexpected(
        unknown_word("mutant", wanted, names, "run splitproof list mutants to see all mutants"));
  }
  const Protocols served = protocols_of_the_reference(asked, {mutant->client, mutant->upstream});
  testee::LibraryTarget target;
  target.name = name;
  target.client = served.client;
  target.upstream = served.upstream;
  target.variant = wanted;
  target.knobs = profile.knobs;
  target.deterministic = true;
  return std::make_unique<testee::LibraryTestee>(*library, std::move(target));
}

// A relative path is relative to the target file's folder.
Result<std::unique_ptr<testee::Testee>> make_library_target(const testee::TargetFile& file,
                                                            const contract::Profile& profile) {
  const auto library = testee::Library::open((fs::path(file.path).parent_path() / file.library).string());
  if (!library) return tl::unexpected(library.error());
  if (!file.variant.empty()) {
    if (const auto known = (*library)->check_variant(file.variant); !known)
      return tl::unexpected(known.error());
  }
  testee::LibraryTarget target;
  target.name = file.name;
  target.client = file.client;
  target.upstream = file.upstream;
  target.variant = file.variant;
  target.knobs = profile.knobs;
  target.max_concurrency = file.max_concurrency;
  target.cannot = file.cannot;
  if (file.coverage.agent == testee::TargetCoverage::Agent::sancov)
    target.coverage = coverage::coverage_of_library((*library)->path());
  return std::make_unique<testee::LibraryTestee>(*library, std::move(target));
}

// Makes the target of a library without a target file.
Result<std::unique_ptr<testee::Testee>> make_plain_library_target(const std::string& path,
                                                                  const contract::Profile& profile,
                                                                  const Protocols& protocols) {
  if (protocols.client.empty() || protocols.upstream.empty())
    return tl::unexpected(Error{"a library does not say what it translates", path, 0,
                                "add --client and --upstream, or write a target file"});
  testee::TargetFile file;
  file.kind = testee::TargetFile::Kind::in_process;
  file.name = fs::path(path).stem().string();
  file.client = protocols.client;
  file.upstream = protocols.upstream;
  file.library = fs::absolute(path).string();
  return make_library_target(file, profile);
}

// Makes one testee of a program, with its coverage and its masks.
Result<std::unique_ptr<testee::Testee>> make_program(testee::TargetFile file, testee::Supervisor& supervisor,
                                                     const testee::StopToken& stop) {
  std::vector<std::string> secrets = testee::credentials(file);
  std::shared_ptr<coverage::Coverage> coverage;
  if (file.coverage.agent == testee::TargetCoverage::Agent::tcp) {
    auto connecting = coverage::TcpCoverage::at(file, stop);
    if (!connecting) return tl::unexpected(connecting.error());
    coverage = *std::move(connecting);
  } else if (file.coverage.agent != testee::TargetCoverage::Agent::none) {
    auto attached = coverage::AgentCoverage::attach(file, stop);
    if (!attached) return tl::unexpected(attached.error());
    coverage = *std::move(attached);
  }
  std::unique_ptr<testee::Testee> target;
  if (file.kind == testee::TargetFile::Kind::pipe)
    target = std::make_unique<testee::PipeTestee>(std::move(file), supervisor, stop);
  else
    target = std::make_unique<testee::HttpTestee>(std::move(file), supervisor, stop);
  if (coverage != nullptr)
    target = std::make_unique<coverage::CoveredTestee>(std::move(target), std::move(coverage));
  return std::make_unique<testee::MaskingTestee>(std::move(target), std::move(secrets));
}

bool is_shape_of_an_upstream(const std::string& feature) {
  for (const dialect::Dialect& dialect : dialect::all()) {
    if (dialect.upstream == nullptr) continue;
    const auto shapes = dialect.upstream->shapes();
    if (std::find(shapes.begin(), shapes.end(), feature) != shapes.end()) return true;
  }
  return false;
}

bool is_feature(const std::string& feature, const recording::Corpus& corpus,
                const observe::Choices& choices) {
  return std::any_of(
      corpus.recordings.begin(), corpus.recordings.end(), [&](const recording::Recording& recording) {
        if (std::count(recording.features.begin(), recording.features.end(), feature) > 0) return true;
        const results::Upstream upstream{recording.body, {}, recording.end};
        return campaign::read_upstream(upstream, recording.protocol, choices).expected.shapes.count(feature) >
               0;
      });
}

// Rejects an unknown word, which would exclude nothing without notice.
Result<void> check_cannot(const testee::TargetFile& file, const contract::Profile& profile,
                          const std::vector<std::string>& corpora) {
  for (std::size_t i = 0; i < file.cannot.size(); ++i) {
    const std::string& feature = file.cannot[i];
    if (is_shape_of_an_upstream(feature)) continue;
    bool known = false;
    for (const auto& folders : {corpora, std::vector<std::string>()}) {
      const auto corpus = load_recordings(folders);
      known = known || (corpus && is_feature(feature, *corpus, observe::choices_of(profile.knobs)));
    }
    if (known) continue;
    return tl::unexpected(
        Error{"no recording has the feature '" + feature + "', which the target file lists under `cannot`",
              file.path, file.cannot_lines[i], "use a word from `features` in the head of a recording"});
  }
  return {};
}

// Puts the bundled programs first on the PATH of all children.
void add_own_folder_to_path() {
  std::error_code failed;
  const fs::path executable = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return;
  const char* path = std::getenv("PATH");
  const std::string folders =
      executable.parent_path().string() + (path != nullptr ? ":" + std::string(path) : "");
  setenv("PATH", folders.c_str(), 1);
}

// "reference" has the default upstream; the others are "reference:PROTOCOL".
std::string name_of_reference(const std::string& upstream) {
  return upstream == testee::reference_upstreams().front() ? kReference
                                                           : std::string(kReferenceOf) + upstream;
}

// Returns the upstream protocol of a target that is the reference, or nullopt.
std::optional<std::string> upstream_of_reference(const std::string& target) {
  if (target == kReference) return testee::reference_upstreams().front();
  if (target.starts_with(kReferenceOf)) return target.substr(kReferenceOf.size());
  return std::nullopt;
}

}  // namespace

Result<std::vector<TargetName>> target_names() {
  std::vector<TargetName> names;
  for (const std::string& upstream : testee::reference_upstreams()) {
    for (const std::string& client : clients_of_the_reference(upstream)) {
      names.push_back({name_of_reference(upstream), "in-process", client, upstream,
                       "The reference translator, inside splitproof"});
    }
  }
  const auto folder = folder_of_targets();
  if (!folder) return tl::unexpected(folder.error());
  std::error_code ignored;
  for (const fs::path& path : files_in(*folder, ignored)) {
    if (path.extension() != kSuffix) continue;
    const auto file = testee::load_target_file(path.string());
    if (!file) return tl::unexpected(file.error());
    const auto text = read_file(path.string());
    names.push_back({path.stem().string(), std::string(kind_of(*file)), file->client, file->upstream,
                     opening_remark(text.value_or(""))});
  }
  return names;
}

Result<testee::TargetFile> find_target(const std::string& name) {
  if (is_path(name)) return testee::load_target_file(name);
  const auto folder = folder_of_targets();
  if (!folder) return tl::unexpected(folder.error());
  const fs::path file = *folder / (name + kSuffix);
  if (is_file(file)) return testee::load_target_file(file.string());
  std::vector<std::string> names{kReference};
  std::error_code ignored;
  for (const fs::path& path : files_in(*folder, ignored))
    if (path.extension() == kSuffix) names.push_back(path.stem().string());
  return tl::unexpected(
      unknown_word("target", name, names, "run splitproof list targets, or pass the path of a target file"));
}

bool is_program(const std::string& target) {
  return !upstream_of_reference(target) && !target.starts_with(kMutant) && !target.ends_with(kLibrarySuffix);
}

Result<std::unique_ptr<testee::Supervisor>> supervisor_for(const std::vector<std::string>& targets) {
  if (std::none_of(targets.begin(), targets.end(), is_program)) return nullptr;
  // Leftover processes of a program are found in /proc. Without it, the wait for a program's end might never
  // finish.
  if (std::error_code failed; !std::filesystem::exists("/proc/self", failed))
    return tl::unexpected(
        Error{"splitproof cannot run programs, because /proc is not mounted", {}, 0, "mount /proc"});
  add_own_folder_to_path();
  // make_target reports unreadable files.
  std::size_t apart = 0;
  for (const std::string& name : targets) {
    if (!is_program(name)) continue;
    const auto file = find_target(name);
    apart += file && !file->has_network ? file->instances : 0;
  }
  return testee::Supervisor::start(apart);
}

Result<std::unique_ptr<testee::Testee>> make_target(const std::string& name, const contract::Profile& profile,
                                                    testee::Supervisor* supervisor,
                                                    const testee::StopToken& stop,
                                                    const std::vector<std::string>& corpora,
                                                    const Protocols& protocols, InstanceCount instances) {
  if (name.starts_with(kMutant)) return make_mutant(name, profile, protocols);
  if (name.ends_with(kLibrarySuffix)) return make_plain_library_target(name, profile, protocols);
  if (const auto own_upstream = upstream_of_reference(name)) {
    // The upstream of "reference" is free: the command's choice comes before the profile's.
    const bool is_open = name == kReference;
    const std::string asked = is_open ? protocols.upstream : *own_upstream;
    const std::string usual =
        is_open && !profile.upstreams.empty() ? profile.upstreams.front() : *own_upstream;
    const auto [client, upstream] = protocols_of_the_reference({protocols.client, asked}, {"", usual});
    Result<testee::StreamFactory> streams = testee::reference_streams(profile, upstream, client);
    if (!streams) return tl::unexpected(streams.error());
    return std::make_unique<testee::InProcess>(name_of_reference(upstream), std::move(*streams), upstream,
                                               client);
  }
  auto file = find_target(name);
  if (!file) return tl::unexpected(file.error());
  if (instances == InstanceCount::one) file->instances = 1;
  return make_target(*file, profile, supervisor, stop, corpora);
}

Result<std::unique_ptr<testee::Testee>> make_target(const testee::TargetFile& given,
                                                    const contract::Profile& profile,
                                                    testee::Supervisor* supervisor,
                                                    const testee::StopToken& stop,
                                                    const std::vector<std::string>& corpora) {
  const auto file = testee::with_knobs(given, profile.knobs);
  if (!file) return tl::unexpected(file.error());
  if (const auto known = check_cannot(*file, profile, corpora); !known) return tl::unexpected(known.error());
  if (file->kind == testee::TargetFile::Kind::in_process) return make_library_target(*file, profile);
  if (file->instances == 1) return make_program(*file, *supervisor, stop);
  std::vector<std::unique_ptr<testee::Testee>> instances;
  for (std::size_t i = 0; i < file->instances; ++i) {
    auto instance = make_program(*file, *supervisor, stop);
    if (!instance) return instance;
    instances.push_back(*std::move(instance));
  }
  return std::make_unique<testee::Instances>(instances.size(), [next = std::size_t{0}, &instances]() mutable {
    return std::move(instances[next++]);
  });
}

}  // namespace splitproof::cli
