#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/translator.hpp"

namespace splitproof::server {

/// Returns `options` changed as a profile of contracts/profiles requires, the same as the harness's reference under
/// `--profile`. The upstream is the first of the profile's upstreams.
///
/// `name_or_file` is a file if it contains '/' or ends in ".yaml", and a name otherwise. An extended profile is found
/// next to the file or by name. Knobs that configure no translator are skipped. Errors: an unknown profile (with a list
/// of all profiles), an unreadable file, an undeclared knob or answer, or an unsupported request.
tl::expected<TranslatorOptions, std::string> play_profile(const std::string& name_or_file,
                                                          TranslatorOptions options);

}  // namespace splitproof::server
