#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace splitproof::imports {

/// A stream with characters of several bytes, and with a chunk boundary inside of one.
inline const std::string kStream =
    "data: {\"a\":\"h\u00e9 \u2713 x. y\"}\n\n: note\n\nevent: ping\ndata: {\"b\":1.5}\n\ndata: [DONE]\n\n";

/// The same without characters that --trace-ascii hides.
inline const std::string kAsciiStream =
    "event: a.b\ndata: {\"a\":\"one. two\",\"n\":1.5}\n\ndata: {\"b\":[\"c\"]}\n\ndata: [DONE]\n\n";

/// Returns the entry of a HAR file for a response with this body.
std::string har_entry(const std::string& body, const std::string& url = "https://u:p@h.org/v1/x?key=secret");
std::string har_of(const std::vector<std::string>& entries);

/// Writes the trace of an exchange whose body has these reads, as `curl --trace-time --trace` does, or --trace-ascii.
std::string trace_of(const std::vector<std::string>& reads, bool is_ascii, const std::string& headers,
                     const std::string& last_info);

/// Returns `body` in chunks of HTTP/1.1, one string each, with the final chunk.
std::vector<std::string> in_chunks(const std::string& body, std::size_t size);

}  // namespace splitproof::imports
