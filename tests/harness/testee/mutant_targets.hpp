#pragma once

#include <memory>
#include <string>

#include "harness/contract/profile.hpp"
#include "harness/testee/library_testee.hpp"

namespace splitproof::mutants {

/// The library of mutants that the build made, which the environment variable SPLITPROOF_MUTANTS names.
const std::shared_ptr<const testee::Library>& mutants_library();

/// The mutant of that name, which must exist.
const testee::Variant& find_mutant(const std::string& name);

/// The project's profile under which a mutant shows what it does, loaded once.
const contract::Profile& profile_of(const testee::Variant& mutant);

/// A mutant of it as a testee, between the protocols that it is made for; the translator as it is for an empty name.
testee::LibraryTestee mutant_target(const testee::Variant& mutant, const contract::Profile& profile);

}  // namespace splitproof::mutants
