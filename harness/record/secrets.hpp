#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/mask.hpp"
#include "harness/record/secret_shapes.hpp"
#include "harness/testee/http_header.hpp"

namespace splitproof::record {

/// All secrets of one session, and their masks. A secret that was found by its name is masked wherever it occurs
/// afterwards: an error of the provider may repeat a key. Thread-safe.
class Secrets {
 public:
  /// `enabled`: false leaves all texts unchanged.
  explicit Secrets(SecretShapes shapes, bool enabled = true)
      : shapes_(std::move(shapes)), enabled_(enabled) {}

  /// Remembers the secrets that a request has in its target and headers. Learn before you mask: a header may repeat the
  /// secret of a later one.
  void learn(const std::string& target, const testee::Headers& headers);

  /// Returns the remembered secrets.
  std::vector<std::string> known();

  /// Masks all secrets in a text of any kind: also inside escapes of JSON strings (up to four levels), escapes of
  /// URLs, and base64. The size never changes.
  void mask_text(std::string& raw);

  /// Masks header fields: values of secret names, cookies without their attributes, and secrets in other values.
  void mask_headers(testee::Headers& headers);

  /// Masks the path and query of a request.
  void mask_target(std::string& target);

 private:
  void mask_reading(std::string& raw, const EscapedText& reading, int depth);
  void mask_base64(std::string& raw, const EscapedText& reading, int depth);
  void mask_at_depth(std::string& raw, int depth);
  void mask_once(std::string& raw);

  /// `is_own`: a request has it in its target or headers.
  void remember(std::string_view secret, bool is_own = false);

  const SecretShapes shapes_;
  const bool enabled_;
  const Mask mask_;
  std::mutex mutex_;
  // Found by their names, without a shape of their own. The latest of each kind are kept, so that values of responses
  // never displace the keys of requests.
  std::deque<std::string> own_;
  std::deque<std::string> other_;
  std::size_t learned_ = 0;
};

/// Returns the part of a secret header field without the scheme of an authorization. `name` is in lower case.
std::string_view secret_value(std::string_view name, std::string_view value);

/// Returns the readings of a raw text in which a secret may be: as it is, without escapes of URLs, and without one to
/// four levels of JSON escapes.
std::vector<EscapedText> readings_of(std::string_view raw);

/// Number of times that base64 inside base64 is decoded.
inline constexpr int kBase64Depth = 2;

/// A part of a text that may be base64.
struct Base64Run {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< Without padding.
  std::string decoded;
};

/// Returns the parts of a text that are base64 of either alphabet and have at least 24 characters. They may have line
/// ends, as in MIME. Parts of the same text overlap if a text in front may have shifted the alignment.
std::vector<Base64Run> base64_runs(std::string_view text);

}  // namespace splitproof::record
