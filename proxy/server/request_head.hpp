#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace splitproof::server {

/// Why a request is refused before anything of it is served. The connection is closed with the answer: where one request
/// ends is no longer known.
struct RequestFault {
  int status = 400;
  std::string message;

  bool operator==(const RequestFault&) const = default;
};

/// The head of a request of HTTP/1.1 or HTTP/1.0.
struct RequestHead {
  std::string method;
  std::string path;                                         ///< of the target, without its query; as it came
  std::vector<std::pair<std::string, std::string>> fields;  ///< names in lower case
  std::optional<std::size_t> length;                        ///< of the body, in bytes
  bool chunked = false;                                     ///< the body comes in chunks
  bool expects_continue = false;                            ///< the client waits for "100 Continue"
  bool keep_alive = true;  ///< the client may send another request behind this one
  bool old = false;        ///< HTTP/1.0: it knows no chunks

  bool has_body() const { return chunked || length.value_or(0) > 0; }

  /// The value of the first field of this name, which is in lower case; empty without it.
  std::string_view field(std::string_view name) const;
};

/// Reads a head, strictly by RFC 9112: what two servers could understand in two ways is refused, and so is what nobody
/// sends in earnest. Each line ends in CR LF.
tl::expected<RequestHead, RequestFault> parse_head(std::string_view text);

/// Whether a line, without its end, is a field with a name and a value that RFC 9110 allows.
bool is_field(std::string_view line);

/// The text without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

/// Gathers the bytes of one head, each of which it looks at once.
class RequestHeadReader {
 public:
  /// Takes bytes from the front of `bytes`, up to the end of the head. None: there is more to come.
  std::optional<tl::expected<RequestHead, RequestFault>> take(std::string_view& bytes);

  /// A byte of the head has come. Empty lines before it are none of it.
  bool begun() const { return !text_.empty(); }

 private:
  std::optional<RequestFault> look_at(char c);

  std::string text_;
  std::size_t line_ = 0;   // where the current line begins
  std::size_t lines_ = 0;  // that have ended
  bool empty_before_ = false;
  bool whole_ = false;
};

}  // namespace splitproof::server
