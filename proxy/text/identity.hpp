#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/code_spans.hpp"
#include "proxy/text/identity_phrases.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::text {

/// Replaces the upstream's own identity with the model that the client requested, in one text, in pieces:
///
///     I am Cascade. Let me look.    I am model-x. Let me look.
///
/// Code and JSON stay. An incomplete phrase waits, and a complete one until the next byte.
/// contracts/specifications/cleaning.md has the rules.
class Identity {
 public:
  /// Takes the next piece and replaces it with the output so far. `model`: its name.
  void feed(std::string_view model, std::string& text);

  /// The text is over. Appends what waits. The next piece begins another.
  void finish(std::string_view model, std::string& out);

  /// True if anything was replaced in the current text.
  bool changed() const { return changed_; }

  bool operator==(const Identity&) const = default;

 private:
  void read(std::string_view model, std::string_view piece, bool last, std::string& out);
  void pass(char c, std::string& out);
  std::size_t pass_plain(std::string_view text, std::size_t at, CodeSpans& code) const;
  void remember(std::string_view read);
  bool in_word() const;
  bool pass_json(char c, std::string& out);
  bool article_before() const;
  void say(const Phrase& phrase, std::string_view model, std::string& out);

  CodeSpans code_;
  std::optional<turn::JsonProgress> json_;  // current JSON value
  std::string held_;                        // incomplete phrase
  std::string before_;                      // last bytes
  bool changed_ = false;
};

}  // namespace splitproof::text
