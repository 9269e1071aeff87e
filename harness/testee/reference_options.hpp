#pragma once

#include <map>
#include <string>

#include "harness/result.hpp"
#include "proxy/translator.hpp"

namespace splitproof::testee {

/// The reference translator's options under these knobs of a profile; it has no others. An Error names a knob whose value
/// the reference does not know.
Result<TranslatorOptions> reference_options(const std::map<std::string, std::string>& set);

}  // namespace splitproof::testee
