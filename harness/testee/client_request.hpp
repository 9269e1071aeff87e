#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"

namespace splitproof::testee {

/// What a client of that protocol sends with every request, beside content-type and keys.
Headers client_headers(const std::string& client);

/// The header fields of the WebSocket handshake that a client of that protocol tries before its first request; none where
/// it tries none.
Headers upgrade_headers(const std::string& client);

/// The body of the request that a client sends to get this recording's answer: the recording's own for that protocol where
/// it has one, else a short user turn that asks for a stream, offers the functions that the recording's request to its upstream
/// declares, if it has that, and a tool with an open schema for every other tool that the answer calls, and asks for
/// thinking where the answer thinks. (Answers of protocols that the harness cannot read are not looked into.) Null stands for an answer of plain text.
///
/// `model` replaces the request's, and the token is put behind the text of the last user message, in brackets, each unless
/// it is empty: that text reaches the upstream through every translator, whatever else it leaves out.
///
/// An Error where the harness has no such client, or where the recording's own request
/// is no object.
Result<std::string> client_request(const std::string& client, const recording::Recording* recording,
                                   const std::string& model, const std::string& token);

/// A token: "sp-" and sixteen digits. Two that differ in either number differ.
std::string request_token(std::uint32_t salt, std::uint32_t number);

/// The tokens in a text.
std::vector<std::string> tokens_in(std::string_view text);

/// The text with the digits of each token replaced by zeros, so that what was asked for two exchanges can be equal.
std::string without_tokens(std::string text);

/// That request as rules may read it: without `model`, which is each target's own. Null where there is none.
std::shared_ptr<const nlohmann::json> request_document(const std::string& client,
                                                       const recording::Recording& recording);

/// The model that it asks for, where no target has one of its own; empty: none.
std::string model_asked(const std::string& client, const recording::Recording& recording);

}  // namespace splitproof::testee
