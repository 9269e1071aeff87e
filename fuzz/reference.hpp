#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "fuzz/input.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/result.hpp"
#include "proxy/translator.hpp"

// Shared helpers for targets that feed the reference.
namespace splitproof::fuzz {

[[noreturn]] inline void give_up(const std::string& why, const std::string& out) {
  std::cerr << why << "\n--- downstream\n" << out << "\n---\n";
  std::abort();
}

template <class T>
T loaded(Result<T> result) {
  if (!result) give_up(describe(result.error()), {});
  return std::move(*result);
}

/// Returns the folder next to the target, if it was moved away from the source.
inline std::string contracts_folder() {
  std::error_code unknown;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path() / "contracts";
  return std::filesystem::is_directory(beside, unknown) ? beside.string() : SPLITPROOF_CONTRACTS;
}

inline const contract::Contracts& contracts() {
  static const auto contracts = loaded(contract::Contracts::load({contracts_folder()}));
  return contracts;
}

inline const contract::Profile& profile() {
  static const auto profile = loaded(contract::load_profile("default", {contracts_folder()}));
  return profile;
}

/// Returns an input whose byte 4 is another choice and not part of the body. `size` is at least 5.
inline CutInput chosen_input(const std::uint8_t* data, std::size_t size) {
  CutInput input = cut_input(data, size);
  input.body.remove_prefix(1);
  input.second = std::min(input.second, input.body.size());
  input.first = std::min(input.first, input.second);
  return input;
}

/// Feeds the reference with the body, whole and in its pieces. Aborts if output or state differ, or if it is not over
/// at the end. Returns the output.
inline std::string said_of(const CutInput& input, turn::BodyEnd end, const TranslatorOptions& options) {
  Translator whole(options);
  std::string out;
  whole.feed(input.body, out);
  Translator cut(options);
  std::string cut_out;
  for (const std::string_view piece : input.pieces()) {
    with_exact_copy(piece, [&](std::string_view exact) { cut.feed(exact, cut_out); });
  }
  if (cut_out != out) give_up("the output depends on the cuts:\n" + cut_out, out);
  if (!(whole == cut)) give_up("the state depends on the cuts", out);
  whole.finish(end, out);
  cut.finish(end, cut_out);
  if (cut_out != out) give_up("the ending depends on the cuts:\n" + cut_out, out);
  if (!whole.over()) give_up("it is not over", out);
  return out;
}

}  // namespace splitproof::fuzz
