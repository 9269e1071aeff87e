#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/server/answer.hpp"
#include "proxy/server/request_head.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/transfer.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

/// Returns the client protocol of a path, or the first protocol for an unknown path, for its errors.
const proxy::dialect::ClientRow& asker(std::string_view path);

/// True if a target is one to which clients of its protocol send requests for an answer.
bool asks_for_answer(std::string_view path, std::string_view query);

/// A client's request for the upstream, and the options for translating its answer.
struct UpstreamCall {
  UpstreamPost post;
  bool streamed = true;  ///< The client wants a stream.
  TranslatorOptions options;
};

/// Returns seconds since 1970; 0 for earlier times, which a clock that was never set may have.
std::uint64_t unix_seconds(std::chrono::system_clock::time_point time);

/// Builds the upstream's request for a request to the path of a client's protocol, or returns an error. `id`: of the
/// request, and the base of its message's ids.
tl::expected<UpstreamCall, Answer> upstream_call(const RequestHead& head, const std::string& body,
                                                 std::uint64_t id, const ServerSettings& settings);

}  // namespace splitproof::server
