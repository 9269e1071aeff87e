#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::shard {

/// The words of `merge --missing --as`.
inline constexpr std::array<std::string_view, 5> kSchedulers = {"slurm", "k8s", "github", "parallel", "list"};

/// Returns what starts these shards, from 1, of `count` again, in the form of a scheduler:
///
/// - slurm: `--array=2,7-9`, an option of sbatch;
/// - k8s: `completions: 4` and the shards of the indexes, two lines for docs/examples/many-machines;
/// - github: `[2,7,8,9]`, a matrix;
/// - parallel: `2 7 8 9`, the arguments after `:::`;
/// - list: a line `2/16` for each shard.
std::string restart_text(const std::vector<std::size_t>& shards, std::size_t count,
                         std::string_view scheduler);

}  // namespace splitproof::shard
