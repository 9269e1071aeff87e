#pragma once

#include <map>
#include <string>
#include <string_view>

#include "harness/result.hpp"
#include "harness/testee/http_message.hpp"
#include "proxy/translator.hpp"

namespace splitproof::testee {

/// Returns the reference translator's options under these knobs of a profile. An Error names a knob with a
/// value that the reference does not know.
Result<TranslatorOptions> reference_options(const std::map<std::string, std::string>& set);

/// Sets both protocols, after the knobs. An Error names an unknown protocol, or a knob that the reference
/// does not support between these two.
Result<void> set_protocols(TranslatorOptions& options, std::string_view upstream, std::string_view client);

/// True if the client's request affects the translation of the answer: its tools, its model, its stop
/// sequences.
bool reads_request(const TranslatorOptions& options);

/// Takes the client's request, which has the client's tools and their names. Returns false if it changes
/// nothing.
bool take_request(TranslatorOptions& options, std::string_view request);

/// Returns the reference's upstream request for a client's request, or the error for the client.
tl::expected<UpstreamCall, std::string> reference_request(const TranslatorOptions& options,
                                                          std::string_view request);

}  // namespace splitproof::testee
