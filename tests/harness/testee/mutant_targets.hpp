#pragma once

#include <memory>
#include <string>

#include "harness/contract/profile.hpp"
#include "harness/testee/library_testee.hpp"

namespace splitproof::mutants {

/// Returns the built library of mutants. The environment variable SPLITPROOF_MUTANTS names it.
const std::shared_ptr<const testee::Library>& mutants_library();

/// Returns the existing mutant of that name.
const testee::Variant& find_mutant(const std::string& name);

/// Returns the project's profile that exposes a mutant. Loaded once.
const contract::Profile& profile_of(const testee::Variant& mutant);

/// Returns a mutant as a testee between its protocols; the unchanged translator for an empty name.
testee::LibraryTestee mutant_target(const testee::Variant& mutant, const contract::Profile& profile);

}  // namespace splitproof::mutants
