#pragma once

#include <string>
#include <string_view>

#include "proxy/text/redaction.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::text {

/// Redacts the arguments of one call, which come in pieces: in each string that is a value, as it reads and not as it is
/// escaped. All other bytes stay, and what is no JSON stays from there on.
class ArgumentRedaction {
 public:
  /// Takes the next piece and puts in its place what it allows to be said.
  void feed(const RedactionRules& rules, std::string& text);

  /// They are over: appends what waits.
  void finish(std::string& out);

  bool operator==(const ArgumentRedaction&) const = default;

 private:
  void take(const RedactionRules& rules, char c, std::string& out);

  turn::JsonProgress json_;
  Redaction text_;      // of the string that is open
  std::string escape_;  // as far as it has come
};

}  // namespace splitproof::text
