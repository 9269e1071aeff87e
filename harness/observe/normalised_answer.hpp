#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/name_map.hpp"

namespace splitproof::observe {

/// One side of a comparison of meanings, in one form for the required and the received answer
/// (documents.hpp). Unlike Answer, it has the calls that a client runs, and leaves open what may differ.
struct NormalisedAnswer {
  enum class Kind { text, thinking, refusal, call };

  struct Item {
    Kind kind;
    std::string text;       ///< Prose only.
    std::string signature;  ///< Thinking only.
    std::size_t call = 0;   ///< Index into `calls`.
  };

  struct Call {
    nlohmann::json id;  ///< Null if open.
    std::string name;   ///< Empty if open.
    std::string arguments;
    bool custom = false;      ///< As in Part.
    nlohmann::json input;     ///< The tool's input: an object, or text that is not an object.
    std::uint64_t rank = 0;   ///< As in Part; all are 0 if unknown.
    std::uint64_t begun = 0;  ///< As in Part.
  };

  struct Run {
    std::string name;
    nlohmann::json input;
  };

  std::vector<Item> items;  ///< Adjacent items of prose are not joined yet.
  std::vector<Call> calls;
  std::vector<Run> runs;
  std::vector<nlohmann::json> others;        ///< Blocks of other kinds, as they started, with their input.
  std::vector<std::string> places;           ///< For each of these, what precedes it.
  std::map<std::string, std::string> notes;  ///< Further content of an answer that is passed on.
  nlohmann::json finish;                     ///< Null if missing.
  bool error = false;                        ///< It ends in an error or a broken connection.
  ErrorClasses error_classes;                ///< Reported classes of the error.
  bool was_renamed = false;  ///< Some calls were renamed, and the spelling of arguments matters.
  bool any_end = false;      ///< Its end is missing: any end of the other side is correct.
  nlohmann::json input, cached, written, output, reasoning, total;  ///< Counts; null if missing.
  nlohmann::json
      most_input;  ///< The largest sensible `input`, if the counts contradict each other; otherwise null.

  /// Returns all prose of one kind, joined.
  std::string prose(Kind kind) const;

  /// True if its prose and calls continue those of `begun`.
  bool begins_as(const NormalisedAnswer& begun) const;

  void add_prose(Kind kind, std::string text, std::string signature);
  void add_call(Call call);
  void add_other(nlohmann::json other);
  void remove_call(std::size_t place);

  /// Replaces `runs` by one run for each call.
  void run_each_call();
};

/// Returns the required answer.
NormalisedAnswer side_of(const Expected& expected);

/// Returns the meaning of an answer for a client of its own protocol.
NormalisedAnswer side_of(const Answer& meaning);

/// Returns the side under the client's names of the tools.
NormalisedAnswer renamed(const Renaming& renaming, NormalisedAnswer side);

/// Returns the reason for an answer's end as documents have it: a word of `Finish`, or the provider's own
/// word.
std::string finish_word(const FinishReason& finish);

/// Returns a tool's input from a call's arguments: an object, or text that is not an object.
nlohmann::json input_of(std::string_view arguments);

NormalisedAnswer::Call call_of(const std::string& id, std::string name, std::string arguments,
                               bool custom = false);

}  // namespace splitproof::observe
