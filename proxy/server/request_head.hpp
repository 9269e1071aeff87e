#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace splitproof::server {

/// The reason for refusing a request before serving it. The connection closes with the answer, because the end of the
/// request is unknown.
struct RequestFault {
  int status = 400;
  std::string message;
  std::string path = {};  ///< Path of the request, for the form of the answer; empty: unknown.

  bool operator==(const RequestFault&) const = default;
};

/// The head of a request of HTTP/1.1 or HTTP/1.0.
struct RequestHead {
  std::string method;
  std::string path;   ///< Path of the target, unchanged, without its query.
  std::string query;  ///< Query of the target, unchanged, without its `?`. May contain a key.
  std::vector<std::pair<std::string, std::string>> fields;  ///< Names in lower case.
  std::optional<std::size_t> length;                        ///< Bytes of the body.
  bool chunked = false;                                     ///< The body comes in chunks.
  bool expects_continue = false;                            ///< The client waits for "100 Continue".
  bool keep_alive = true;  ///< The client may send another request after this one.
  bool old = false;        ///< HTTP/1.0, without chunks.

  bool has_body() const { return chunked || length.value_or(0) > 0; }

  /// Returns the value of the first field of this name in lower case; empty without it.
  std::string_view field(std::string_view name) const;
};

/// Parses a head strictly by RFC 9112. Refuses what two servers could read differently, and what no real client sends.
/// Each line ends in CR LF.
tl::expected<RequestHead, RequestFault> parse_head(std::string_view text);

/// True if a line, without its end, is a field with a name and a value that RFC 9110 allows.
bool is_field(std::string_view line);

/// Returns the text without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// Collects the bytes of one head and checks each at once.
class RequestHeadReader {
 public:
  /// Takes bytes from the front of `bytes`, up to the end of the head. Returns none if the head is incomplete.
  std::optional<tl::expected<RequestHead, RequestFault>> take(std::string_view& bytes);

  /// True after the first byte of the head. Empty lines before the head do not count.
  bool begun() const { return !text_.empty(); }

 private:
  std::optional<RequestFault> look_at(char c);

  std::string text_;
  std::size_t line_ = 0;   // start of the current line
  std::size_t lines_ = 0;  // complete lines
  bool empty_before_ = false;
  bool whole_ = false;
};

}  // namespace splitproof::server
