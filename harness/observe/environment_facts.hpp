#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// What is said of a client's machine: `cwd`, `git`, `platform`, `os`.
using EnvironmentFacts = std::map<std::string, std::string>;

/// How readily a text is taken to say such a thing.
enum class FactForms {
  agreed,  ///< in the forms that every proxy which lifts has to know
  any      ///< also in those that one may know
};

/// What the client says in its system prompt, in reminders in what the user says, and, where any form does, in all
/// that the user says: of each the first that is fit to be said again. A directory begins `/`, `~`, or with the
/// letter of a drive; nothing has a control character or a marker for what was redacted in it.
EnvironmentFacts facts_said_in(const AskedRequest& asked, FactForms forms);

/// What a request says of the machine that must not, or need not, be said again.
struct UnfitFacts {
  bool in_prose = false;  ///< a directory is spoken of, and none is named
  bool marked = false;    ///< a marker stands where a directory should
  bool several = false;   ///< more than one directory is named
};
UnfitFacts unfit_facts_in(const AskedRequest& asked);

/// What a block of a proxy's own says, a line each.
EnvironmentFacts facts_in_block(std::string_view block);

}  // namespace splitproof::observe
