#include "harness/shard/choose.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <string_view>

namespace splitproof::shard {
namespace {

using Shard = Result<std::optional<Chosen>>;

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

tl::unexpected<Error> wrong(std::string what, std::string hint) {
  return tl::unexpected(Error{std::move(what), {}, 0, std::move(hint)});
}

std::optional<std::string> value_of(const Variable& variable, const char* name) {
  std::optional<std::string> value = variable(name);
  return value && value->empty() ? std::nullopt : value;
}

Shard checked(std::size_t number, std::size_t count, const std::string& text, const std::string& source) {
  if (count < 1 || count > kMostShards || number < 1 || number > count) {
    return wrong(fmt::format("{} is {}, which is not a shard", source, text),
                 fmt::format("it must be one of N shards, and N is at most {}", kMostShards));
  }
  return Chosen{number, count, source, {}};
}

// "3/16"
Shard parsed(const std::string& text, const std::string& source) {
  const std::size_t slash = text.find('/');
  const auto number = number_in(std::string_view(text).substr(0, slash));
  const auto count =
      slash == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(slash + 1));
  if (!number || !count)
    return wrong(fmt::format("{} is '{}', which is not a shard", source, text),
                 "write the number of the shard, from 1, and of all shards: 3/16");
  return checked(*number, *count, text, source);
}

// A variable with the shard's number and one with the number of shards.
struct VariablePair {
  const char* index;
  const char* total;
  std::size_t first;        // number of the first shard
  const char* status_file;  // variable with the name of a file to touch; null: none
  // GitLab sets the total of every job. This value without an index means that the job has no shards.
  const char* lone_total;
};

constexpr VariablePair kPairs[] = {
    {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, "TEST_SHARD_STATUS_FILE", nullptr},
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0, "GTEST_SHARD_STATUS_FILE", nullptr},
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1, nullptr, "1"},
};

// Both take the number of shards from the user. Slurm counts only the tasks of a job, and a job that starts missing tasks
// again has fewer than the campaign.
constexpr VariablePair kKubernetes = {"JOB_COMPLETION_INDEX", "SPLITPROOF_SHARDS", 0, nullptr, nullptr};
constexpr VariablePair kSlurm = {"SLURM_ARRAY_TASK_ID", "SPLITPROOF_SHARDS", 1, nullptr, nullptr};

tl::unexpected<Error> half(const char* set, const char* missing) {
  return wrong(fmt::format("{} is set, and {} is not", set, missing),
               "set both, pass --shard I/N, or pass --no-shard to run everything");
}

Shard named_by(const VariablePair& pair, const Variable& variable) {
  const auto index = value_of(variable, pair.index);
  const auto total = value_of(variable, pair.total);
  if (!index && (!total || (pair.lone_total != nullptr && *total == pair.lone_total))) return std::nullopt;
  if (!index) return half(pair.total, pair.index);
  if (!total) return half(pair.index, pair.total);
  const auto number = number_in(*index);
  const auto count = number_in(*total);
  const std::string both = fmt::format("{} with {} {}", *index, pair.total, *total);
  if (!number || !count || *number < pair.first || *number >= kMostShards)
    return wrong(fmt::format("{} is {}, which is not a shard", pair.index, both),
                 fmt::format("{} counts shards from {}", pair.index, pair.first));
  return checked(*number - pair.first + 1, *count, both, pair.index).map([&](std::optional<Chosen> chosen) {
    if (pair.status_file != nullptr) chosen->status_file = value_of(variable, pair.status_file).value_or("");
    return chosen;
  });
}

Shard named_by_slurm(const Variable& variable) {
  constexpr const char* kId = kSlurm.index;
  constexpr const char* kOthers[] = {"SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"};
  const auto id = value_of(variable, kId);
  std::size_t values[std::size(kOthers)] = {};
  for (std::size_t i = 0; i < std::size(kOthers); ++i) {
    const auto text = value_of(variable, kOthers[i]);
    if (text && !id) return half(kOthers[i], kId);
    if (!text && id) return half(kId, kOthers[i]);
    if (!text) continue;
    const auto number = number_in(*text);
    if (!number) return wrong(fmt::format("{} is '{}', which is not a number", kOthers[i], *text), {});
    values[i] = *number;
  }
  if (!id) return std::nullopt;
  const auto [least, count] = values;
  const auto number = number_in(*id);
  const std::string all = fmt::format("{} in an array of {} from {}", *id, count, least);
  if (!number || *number < least) return wrong(fmt::format("{} is {}, which is not a shard", kId, all), {});
  constexpr const char* kSetShards =
      "number the tasks from 1, and set the number of all shards: export SPLITPROOF_SHARDS=N";
  if (least > 1) {
    return wrong(fmt::format("{} is {}, so the number of all shards is unknown", kId, all), kSetShards);
  }
  const auto most = number_in(value_of(variable, "SLURM_ARRAY_TASK_MAX").value_or(""));
  if (most && *most - least + 1 != count) {
    return wrong(fmt::format("{} is {} to {}, so the array has gaps", kId, all, *most), kSetShards);
  }
  return checked(*number - least + 1, count, all, kId);
}

}  // namespace

Result<std::optional<Chosen>> choose(const std::string& option, const Variable& variable) {
  if (!option.empty()) return parsed(option, "--shard");
  if (const auto own = value_of(variable, "SPLITPROOF_SHARD")) return parsed(*own, "SPLITPROOF_SHARD");
  for (const VariablePair& pair : kPairs)
    if (auto named = named_by(pair, variable); !named || *named) return named;
  const bool is_indexed_job = value_of(variable, kKubernetes.index).has_value();
  const bool is_array_job = value_of(variable, kSlurm.index).has_value();
  const bool has_total = value_of(variable, kKubernetes.total).has_value();
  if (is_indexed_job || (has_total && !is_array_job)) return named_by(kKubernetes, variable);
  return has_total ? named_by(kSlurm, variable) : named_by_slurm(variable);
}

}  // namespace splitproof::shard
