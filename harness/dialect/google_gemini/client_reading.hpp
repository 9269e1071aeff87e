#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// A run of an answer, as a client reads it: a text, a thought, a call, or a part of another kind.
struct GeminiRun {
  observe::Part part;
  std::vector<std::string> signatures;  ///< The signatures of its parts, in their order.
};

/// Reads an answer as its clients do, frame by frame. Its result does not depend on the frames that the parts
/// came in. It shares no code with the reader of upstreams, so that each can show a bug of the other.
///
/// Consecutive texts are one run, and so are consecutive thoughts. A client stops at an error.
class GeminiClientReading {
 public:
  /// Takes the data of an event. The text must be a JSON object; other data is ignored.
  void take(std::string_view data);

  /// Returns the runs so far. The halves of a character that two frames hold are joined.
  std::vector<GeminiRun> runs() const;
  const observe::Tokens& usage() const { return usage_; }
  const std::optional<std::string>& error() const { return error_; }
  const observe::ErrorClasses& error_classes() const { return error_classes_; }
  bool in_pieces() const { return call_is_open_; }  ///< The last call may get more pieces.
  bool blocked() const { return blocked_; }         ///< A filter stopped the prompt, so there is no answer.

  /// Sources, scores and results of the server's filters, by their names.

  /// Returns the output so far.
  const observe::Due& told() const { return told_; }

  std::optional<observe::FinishReason> finish() const;

  /// Returns all of this in the form of all dialects.
  observe::Answer answer() const;

 private:
  void take_candidate(const observe::WireJson& candidate);
  void take_part(const observe::WireJson& part);
  void take_text(const observe::WireJson& part);
  void take_call(const observe::WireJson& call);
  void take_usage(const observe::WireJson& usage);
  GeminiRun& run_of(observe::PartKind kind);

  std::vector<GeminiRun> runs_;
  observe::Due told_;
  bool call_is_open_ = false;  // pieces of the last run, a call, may follow
  bool has_candidate_ = false;
  bool blocked_ = false;
  std::string model_;
  std::string finish_;  // the last word
  observe::Tokens usage_;
  std::map<std::string, std::uint64_t> counts_;
  std::optional<std::string> error_;
  observe::ErrorClasses error_classes_;
  std::map<std::string, std::string> notes_;
};

}  // namespace splitproof::dialect
