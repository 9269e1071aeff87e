#pragma once

#include <map>
#include <string>
#include <string_view>

#include "harness/result.hpp"
#include "harness/testee/http_message.hpp"
#include "proxy/translator.hpp"

namespace splitproof::testee {

/// The reference translator's options under these knobs of a profile; it has no others. An Error names a knob whose value
/// the reference does not know.
Result<TranslatorOptions> reference_options(const std::map<std::string, std::string>& set);

/// Sets both protocols, behind the knobs. An Error names one that the reference does not know, or says that it cannot do
/// between these two what a knob asks.
Result<void> set_protocols(TranslatorOptions& options, std::string_view upstream, std::string_view client);

/// Whether the client's request decides what the answer is translated to: its tools, its model, where it wants the answer to end.
bool reads_request(const TranslatorOptions& options);

/// Takes the client's request, which says what the client calls its tools, and what those are. False: that changes nothing.
bool take_request(TranslatorOptions& options, std::string_view request);

/// The request that the reference makes to its upstream for a client's, or the client's error in place of an answer.
tl::expected<UpstreamCall, std::string> reference_request(const TranslatorOptions& options,
                                                          std::string_view request);

}  // namespace splitproof::testee
