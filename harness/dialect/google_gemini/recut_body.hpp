#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// A frame of an answer of Gemini: an event with its blank line, or an element of an array with the bytes before it. The
/// last frame has the bytes after it, too. Its members are views into the body.
struct GeminiFrame {
  std::string_view bytes;
  std::string_view before;  ///< Bytes before the JSON text.
  std::string_view after;   ///< Bytes after the JSON text.
  std::shared_ptr<const nlohmann::ordered_json>
      json;                   ///< null: it stays unchanged, and no text moves past it.
  bool says_nothing = false;  ///< Comments only.

  /// Returns the JSON text.
  std::string_view text() const {
    return bytes.substr(before.size(), bytes.size() - before.size() - after.size());
  }
};

/// A frame of a recut: JSON in the place of a frame of the body, or that frame unchanged.
struct GeminiElement {
  std::size_t frame;
  std::shared_ptr<const nlohmann::ordered_json> json;  ///< null: unchanged.
};

/// An answer that is taken apart. It holds views into the body.
struct GeminiBody {
  std::vector<GeminiFrame> frames;  ///< Joined, they are the body.
  bool is_array = false;

  /// Arguments of calls as the body spells them, by their compact form. A translator may pass on their bytes.
  std::map<std::string, std::string> spellings;

  /// Returns the text of a frame, with the body's spelling of arguments.
  std::string written(const nlohmann::ordered_json& frame) const;

  /// Appends the frames that replace `frame`, at least one if the body is an array.
  void append(std::size_t frame, const std::vector<nlohmann::ordered_json>& replacements,
              split::Recut& recut) const;

  /// Returns a body of these frames.
  split::Recut with(const std::vector<GeminiElement>& elements) const;
};

/// Takes apart any bytes.
GeminiBody read_gemini_body(std::string_view body);

/// Returns the only candidate of a frame if it is the first one; otherwise null.
const nlohmann::ordered_json* candidate_of(const nlohmann::ordered_json& frame);

/// Returns the parts of the only candidate, or null.
const nlohmann::ordered_json* parts_of(const nlohmann::ordered_json& frame);

/// True if the frame has a finish reason.
bool has_finish(const nlohmann::ordered_json& frame);

/// Returns the frame with these parts and without its end, its counts and its notes.
nlohmann::ordered_json head_of(const nlohmann::ordered_json& frame, const nlohmann::ordered_json& parts);

/// Returns the frame with other parts.
nlohmann::ordered_json with_parts(nlohmann::ordered_json frame, const nlohmann::ordered_json& parts);

}  // namespace splitproof::dialect
