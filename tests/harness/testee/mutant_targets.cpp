#include "mutant_targets.hpp"

#include <cstdlib>
#include <stdexcept>

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

testee::LibraryTestee mutant_target(const std::string& name, const contract::Profile& profile) {
  testee::LibraryTarget target;
  target.name = "mutant:" + name;
  target.client = "anthropic.messages";
  target.upstream = "openai.chat";
  target.variant = name;
  target.knobs = profile.knobs;
  target.deterministic = true;
  return testee::LibraryTestee(mutants_library(), target);
}

}  // namespace splitproof::mutants
