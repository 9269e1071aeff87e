#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/translator.hpp"

namespace splitproof::server {

/// The options under which the translator answers as a profile of contracts/profiles says, as the harness's reference
/// does under `--profile`; what the profile does not speak of stays as in `options`. The upstream is the first of those that
/// it is made for.
///
/// `name_or_file` is a file where it contains '/' or ends in ".yaml", and else a name. A profile that it extends stands
/// beside a file, or goes by its name. Knobs that only ask something of a stream, and configure no translator, are
/// passed over. An error: there is no such profile (it lists those that there are), a file of them cannot be read, or
/// has a knob or an answer that nobody declared, or one asks for what the translator does not do.
tl::expected<TranslatorOptions, std::string> play_profile(const std::string& name_or_file,
                                                          TranslatorOptions options);

}  // namespace splitproof::server
