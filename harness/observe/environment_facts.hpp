#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// Facts on a client's machine: `cwd`, `git`, `platform`, `os`.
using EnvironmentFacts = std::map<std::string, std::string>;

/// Forms in which a text states a fact.
enum class FactForms {
  agreed,  ///< Forms that every proxy with this feature must know.
  any      ///< Also forms that a proxy may know.
};

/// Returns the first valid value of each fact in the client's system prompt, in reminders in the user's
/// messages and, for FactForms::any, in all of the user's messages. A directory begins with `/`, `~` or a
/// drive letter. No value has a control character or a redaction marker.
EnvironmentFacts facts_said_in(const AskedRequest& asked, FactForms forms);

/// Statements on the machine that must not or need not be repeated.
struct UnfitFacts {
  bool in_prose = false;  ///< A sentence mentions a directory without its name.
  bool marked = false;    ///< A marker replaces a directory.
  bool several = false;   ///< More than one directory is named.
};
UnfitFacts unfit_facts_in(const AskedRequest& asked);

/// Returns the facts in a proxy's own block, one per line.
EnvironmentFacts facts_in_block(std::string_view block);

}  // namespace splitproof::observe
