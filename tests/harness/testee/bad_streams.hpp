#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/testee/in_process.hpp"

namespace splitproof::testee {

/// Puts a stream of its own around another: what one exchange goes through.
using Wrap = std::function<std::unique_ptr<TranslatorStream>(std::unique_ptr<TranslatorStream>)>;

/// A translator that is wrong in one way: the reference, with what goes in or what comes out of it tampered
/// with. What goes wrong inside a translator is a mutant of its sources (harness/mutants); these do what none of them does.
struct BadStream {
  std::string name;
  std::string does;       ///< the fault, one sentence, with a report of it from the field where there is one
  std::string caught_by;  ///< the obligation that exists to catch it
  Wrap wrap;
};

/// The faults, in the order of the obligations that catch them.
const std::vector<BadStream>& bad_streams();

/// The bad stream of that name, which must exist, around streams of `inner`.
StreamFactory bad_stream(const std::string& name, const StreamFactory& inner);

/// Decodes what `inner` sends and sends it on as it came: what every bad stream does beside its fault.
StreamFactory same_events(const StreamFactory& inner);

}  // namespace splitproof::testee
