#include "mutant_targets.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace splitproof::mutants {

const std::shared_ptr<const testee::Library>& mutants_library() {
  static const std::shared_ptr<const testee::Library> library = [] {
    const char* path = std::getenv("SPLITPROOF_MUTANTS");
    auto opened = testee::Library::open(path != nullptr ? path : "splitproof-mutants.so");
    if (!opened) throw std::runtime_error(describe(opened.error()));
    return *std::move(opened);
  }();
  return library;
}

const testee::Variant& find_mutant(const std::string& name) {
  for (const testee::Variant& mutant : mutants_library()->variants()) {
    if (mutant.name == name) return mutant;
  }
  throw std::out_of_range(name);
}

const contract::Profile& profile_of(const testee::Variant& mutant) {
  static std::map<std::string, contract::Profile> profiles;
  static std::mutex loading;
  const std::string name = mutant.profile.empty() ? "default" : mutant.profile;
  const std::lock_guard lock(loading);
  const auto known = profiles.find(name);
  if (known != profiles.end()) return known->second;
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  auto loaded =
      contract::load_profile(name, {std::filesystem::path(root != nullptr ? root : ".") / "contracts"});
  if (!loaded) throw std::runtime_error(describe(loaded.error()));
  return profiles.emplace(name, *std::move(loaded)).first->second;
}

testee::LibraryTestee mutant_target(const testee::Variant& mutant, const contract::Profile& profile) {
  testee::LibraryTarget target;
  target.name = "mutant:" + mutant.name;
  target.client = mutant.client;
  target.upstream = mutant.upstream;
  target.variant = mutant.name;
  target.knobs = profile.knobs;
  target.deterministic = true;
  return testee::LibraryTestee(mutants_library(), target);
}

}  // namespace splitproof::mutants
