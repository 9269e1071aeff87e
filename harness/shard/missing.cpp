#include "harness/shard/missing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace splitproof::shard {
namespace {

// "2,7-9"
std::string in_ranges(const std::vector<std::size_t>& shards) {
  std::string text;
  for (std::size_t first = 0; first < shards.size();) {
    std::size_t last = first;
    while (last + 1 < shards.size() && shards[last + 1] == shards[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(shards[first]);
    if (last > first) text += "-" + std::to_string(shards[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace

std::string restart_text(const std::vector<std::size_t>& shards, std::size_t count,
                         std::string_view scheduler) {
  if (scheduler == "slurm") return "--array=" + in_ranges(shards) + "\n";
  if (scheduler == "github") return fmt::format("[{}]\n", fmt::join(shards, ","));
  if (scheduler == "parallel") return fmt::format("{}\n", fmt::join(shards, " "));
  if (scheduler == "k8s")
    return fmt::format("completions: {}\nSHARDS_AGAIN: \"{}\"\n", shards.size(), fmt::join(shards, " "));
  std::string lines;
  for (const std::size_t shard : shards) lines += fmt::format("{}/{}\n", shard, count);
  return lines;
}

}  // namespace splitproof::shard
