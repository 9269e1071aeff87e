#pragma once

#include <string>
#include <string_view>

#include "proxy/text/redaction.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::text {

/// Redacts the arguments of one call, in pieces: the decoded content of each string value. All other bytes stay, and so
/// does everything after invalid JSON.
class ArgumentRedaction {
 public:
  /// Takes the next piece and replaces it with the output so far.
  void feed(const RedactionRules& rules, std::string& text);

  /// The arguments are over. Appends what waits.
  void finish(std::string& out);

  bool operator==(const ArgumentRedaction&) const = default;

 private:
  void take(const RedactionRules& rules, char c, std::string& out);

  turn::JsonProgress json_;
  Redaction text_;      // in the open string
  std::string escape_;  // incomplete escape
};

}  // namespace splitproof::text
