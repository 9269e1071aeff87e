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

/// Whose protocol a request speaks, by its path. At any other path errors are those of the first.
const proxy::dialect::ClientRow& asker(std::string_view path);

/// What is asked of the upstream for a client, and how its answer is translated.
struct UpstreamCall {
  UpstreamPost post;
  bool streamed = true;  ///< the client wants a stream
  TranslatorOptions options;
};

/// In seconds since 1970; 0 for a time before, as a clock that was never set may have it.
std::uint64_t unix_seconds(std::chrono::system_clock::time_point time);

/// What a request to the path of a client's protocol asks of the upstream, or why it cannot be asked. `id`: of the request,
/// from which those of its message are made.
tl::expected<UpstreamCall, Answer> upstream_call(const RequestHead& head, const std::string& body,
                                                 std::uint64_t id, const ServerSettings& settings);

}  // namespace splitproof::server
