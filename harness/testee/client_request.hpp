#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/client.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/http_header.hpp"

namespace splitproof::testee {

/// Returns the headers that a client of this protocol sends with every request, except content-type and keys.
Headers client_headers(const std::string& client);

/// Returns the headers of the WebSocket handshake that a client of this protocol tries before its first
/// request. Returns none if it tries none.
Headers upgrade_headers(const std::string& client);

/// Returns the body of the request for this recording's answer. This is the recording's own request for that
/// protocol, if it has one. Otherwise it is a short user turn that requests a stream. It offers the functions
/// in the recording's upstream request, and a tool with an open schema for every other tool that the answer
/// calls. It requests thinking if the answer has thinking. Answers of unknown protocols are not read. A null
/// recording means an answer of plain text.
///
/// `model` replaces the request's model. The token follows the text of the last user message, in brackets,
/// because every translator keeps that text. Each is ignored if empty.
///
/// Returns an Error if the harness has no such client, or if the recording's own request is not an object.
Result<std::string> client_request(const std::string& client, const recording::Recording* recording,
                                   const std::string& model, const std::string& token);

/// Returns the HTTP request for such a body to the path in a target file (dialect::Client::call).
dialect::ClientCall client_call(const std::string& client, const std::string& path,
                                const std::string& request);

/// Returns a token: "sp-" and sixteen digits. Tokens with different arguments differ.
std::string request_token(std::uint32_t salt, std::uint32_t number);

/// Returns the tokens in a text.
std::vector<std::string> tokens_in(std::string_view text);

/// Returns the text with zeros as the digits of each token, so that requests of two exchanges can be equal.
std::string without_tokens(std::string text);

/// Returns the request as rules read it, without `model`, which is specific to a target. Returns null without
/// a request.
std::shared_ptr<const nlohmann::json> request_document(const std::string& client,
                                                       const recording::Recording& recording);

/// Returns the model that it requests, for targets without a model of their own, or "".
std::string model_asked(const std::string& client, const recording::Recording& recording);

}  // namespace splitproof::testee
