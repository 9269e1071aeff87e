#include "harness/evidence/manifest.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/fnv1a.hpp"
#include "harness/json_message.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::evidence {
namespace {

using nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr int kManifestVersion = 1;
constexpr std::size_t kMostShards = 1'000'000;

// Replaces ill-formed UTF-8, such as in a folder's name.
std::string dumped(const Ordered& value) {
  return value.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

Ordered json_of(const Manifest::File& file) {
  return {{"path", file.path},    {"target", file.target}, {"recording", file.recording},
          {"round", file.round},  {"cases", file.cases},   {"bytes", file.bytes},
          {"digest", file.digest}};
}

Manifest::File file_of(const json& value) {
  Manifest::File file;
  value.at("path").get_to(file.path);
  value.at("target").get_to(file.target);
  value.at("recording").get_to(file.recording);
  value.at("round").get_to(file.round);
  file.cases = value.at("cases").get_ref<const json::number_unsigned_t&>();
  file.bytes = value.at("bytes").get_ref<const json::number_unsigned_t&>();
  value.at("digest").get_to(file.digest);
  return file;
}

}  // namespace

std::string digest_of(std::string_view bytes) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(fnv1a(bytes)));
  return digits;
}

std::string to_text(const Manifest& manifest) {
  const std::pair<const char*, Ordered> members[] = {
      {"manifest", kManifestVersion},  {"splitproof", manifest.version},
      {"profile", manifest.profile},   {"contracts", manifest.contracts},
      {"corpora", manifest.corpora},   {"options", manifest.options},
      {"seed", manifest.seed},         {"targets", manifest.targets},
      {"untested", manifest.untested}, {"unreadable", manifest.unreadable}};
  std::string text = "{\n";
  for (const auto& [key, value] : members) text += dumped(key) + ": " + dumped(value) + ",\n";
  if (manifest.of > 0) {
    text += "\"plan\": " + dumped(manifest.plan) + ",\n\"of\": " + std::to_string(manifest.of) +
            ",\n\"shards\": " + dumped(manifest.shards) + ",\n";
  }
  text += "\"files\": [";
  for (const Manifest::File& file : manifest.files)
    text += (&file == manifest.files.data() ? "\n" : ",\n") + dumped(json_of(file));
  return text + "\n]\n}\n";
}

Result<Manifest> parse_manifest(std::string_view text, const std::string& path) {
  const auto broken = [&](const std::string& what) {
    return tl::unexpected(Error{what, path, 0, "run again, or name the evidence files one by one"});
  };
  const auto parsed = parse_strict_json(text);
  if (!parsed) return broken("the manifest is not JSON: " + parsed.error().reason);
  if (!(*parsed)->is_object()) return broken("the manifest is not a JSON object");
  Manifest manifest;
  try {
    const json& all = **parsed;
    if (all.at("manifest") != kManifestVersion)
      return broken("another version of splitproof wrote the manifest");
    all.at("splitproof").get_to(manifest.version);
    all.at("profile").get_to(manifest.profile);
    all.at("contracts").get_to(manifest.contracts);
    all.at("corpora").get_to(manifest.corpora);
    all.at("options").get_to(manifest.options);
    all.at("seed").get_to(manifest.seed);
    all.at("targets").get_to(manifest.targets);
    all.at("untested").get_to(manifest.untested);
    all.at("unreadable").get_to(manifest.unreadable);
    if (all.contains("plan")) {
      all.at("plan").get_to(manifest.plan);
      manifest.of = all.at("of").get_ref<const json::number_unsigned_t&>();
      for (const json& shard : all.at("shards"))
        manifest.shards.insert(shard.get_ref<const json::number_unsigned_t&>());
      if (manifest.of < 1 || manifest.of > kMostShards || manifest.shards.empty() ||
          *manifest.shards.begin() < 1 || *manifest.shards.rbegin() > manifest.of)
        return broken("the manifest names a shard that no run has");
    }
    for (const json& file : all.at("files")) manifest.files.push_back(file_of(file));
  } catch (const json::exception& wrong) {
    return broken("the manifest is not valid: " + std::string(json_message(wrong.what())));
  }
  return manifest;
}

}  // namespace splitproof::evidence
