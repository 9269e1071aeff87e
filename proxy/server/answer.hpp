#pragma once

#include <string>
#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

using proxy::dialect::Answer;

/// The client's error for an upstream that answered with another status than success. The kind follows the status, and
/// the body where the status leaves it open; the message is the body's, where it is JSON that has one. Other bodies are
/// not passed on: they are pages of servers in between. Where both speak one protocol, an error of its form stays as it
/// came.
Answer upstream_error(const TranslatorOptions& options, int status, std::string_view body,
                      std::string retry_after);

}  // namespace splitproof::server
