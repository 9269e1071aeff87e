#pragma once

#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

using proxy::dialect::Answer;

/// Returns the client's error for an upstream answer without success. The status gives the kind, and the body gives it
/// if the status is ambiguous. The message comes from a JSON body. Other bodies are pages of servers in between and are
/// dropped. If both sides use one protocol, a well-formed error stays unchanged. `error_type` is the name of the error
/// in the head, if any: some services use one status for errors of several kinds.
Answer upstream_error(const TranslatorOptions& options, int status, std::string_view body,
                      std::string retry_after, std::string error_type = {});

}  // namespace splitproof::server
