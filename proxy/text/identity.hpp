#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/code_spans.hpp"
#include "proxy/text/identity_phrases.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::text {

/// Has an upstream that says who it is say that it is the model which the client asked for, in one text that comes in
/// pieces:
///
///   I am Cascade. Let me look.    I am model-x. Let me look.
///
/// Code and JSON stay. What may wait is the beginning of a phrase, and a whole one until the byte behind it has come.
/// docs/cleaning.md is what it keeps to.
class Identity {
 public:
  /// Takes the next piece and puts in its place what it allows to be said. `model`: its name.
  void feed(std::string_view model, std::string& text);

  /// The text is over: appends what waits. The next piece begins another.
  void finish(std::string_view model, std::string& out);

  /// Something was replaced, in the text at hand.
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
  std::optional<turn::JsonProgress> json_;  // is being read
  std::string held_;                        // begins a phrase
  std::string before_;                      // the last bytes that were read
  bool changed_ = false;
};

}  // namespace splitproof::text
