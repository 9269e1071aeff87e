#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/testee/in_process.hpp"

namespace splitproof::testee {

/// Wraps a stream into another one for one exchange.
using Wrap = std::function<std::unique_ptr<TranslatorStream>(std::unique_ptr<TranslatorStream>)>;

/// A translator with one fault: the reference with changed input or output. harness/mutants has faults inside a
/// translator; these are faults that no mutant has.
struct BadStream {
  std::string name;
  std::string does;       ///< the fault in one sentence, with a report from the field if there is one
  std::string caught_by;  ///< the obligation that exists to catch it
  Wrap wrap;
};

/// Returns the faults, in the order of the obligations that catch them.
const std::vector<BadStream>& bad_streams();

/// Returns the existing bad stream of that name around streams of `inner`.
StreamFactory bad_stream(const std::string& name, const StreamFactory& inner);

/// Decodes the output of `inner` and sends it unchanged, as every bad stream does apart from its fault.
StreamFactory same_events(const StreamFactory& inner);

}  // namespace splitproof::testee
