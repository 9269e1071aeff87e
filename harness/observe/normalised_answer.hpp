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

/// One side of a comparison of meanings, in one form for what was wanted and for what came; see documents.hpp. It is no
/// Answer: it has what a client runs, and leaves open what may differ.
struct NormalisedAnswer {
  enum class Kind { text, thinking, refusal, call };

  struct Item {
    Kind kind;
    std::string text;       ///< of prose
    std::string signature;  ///< of thinking
    std::size_t call = 0;   ///< index into `calls`
  };

  struct Call {
    nlohmann::json id;  ///< null where it is left open
    std::string name;   ///< empty where it is left open
    std::string arguments;
    bool custom = false;      ///< as in Part
    nlohmann::json input;     ///< what the tool is handed: an object, or the text that is none
    std::uint64_t rank = 0;   ///< as in Part; where it is not known, all are 0
    std::uint64_t begun = 0;  ///< likewise
  };

  struct Run {
    std::string name;
    nlohmann::json input;
  };

  std::vector<Item> items;  ///< adjacent ones of prose not yet joined
  std::vector<Call> calls;
  std::vector<Run> runs;
  std::vector<nlohmann::json> others;        ///< blocks of other kinds, as they started, with their input
  std::vector<std::string> places;           ///< what each of these comes after
  std::map<std::string, std::string> notes;  ///< what else it says, of an answer that is passed on
  nlohmann::json finish;                     ///< null when not said
  bool error = false;                        ///< it ends in an error, or in a connection that broke
  ErrorClasses error_classes;                ///< of an error, as it was told
  bool was_renamed = false;  ///< some of its calls were renamed, and how they are written counts
  bool any_end = false;      ///< its end was never said: whatever end the other side has is one
  nlohmann::json input, cached, written, output, reasoning, total;  ///< counts; null when not said
  nlohmann::json
      most_input;  ///< the largest sensible `input`, where the counts contradict each other; else null

  /// All of the prose of one kind, joined.
  std::string prose(Kind kind) const;

  /// Whether it says all that `begun` says, in prose and in its calls, and perhaps more behind it.
  bool begins_as(const NormalisedAnswer& begun) const;

  void add_prose(Kind kind, std::string text, std::string signature);
  void add_call(Call call);
  void add_other(nlohmann::json other);
  void remove_call(std::size_t place);

  /// Each call is run once, in place of what `runs` held.
  void run_each_call();
};

/// What must come of an answer.
NormalisedAnswer side_of(const Expected& expected);

/// What an answer means to a client of its own protocol.
NormalisedAnswer side_of(const Answer& meaning);

/// The same as a client knows the tools that are called.
NormalisedAnswer renamed(const Renaming& renaming, NormalisedAnswer side);

/// Why an answer ended, as documents say it: in the words of `Finish`; others stand for themselves.
std::string finish_word(const FinishReason& finish);

/// What a tool is handed of a call's arguments: an object, or the text that is none.
nlohmann::json input_of(std::string_view arguments);

NormalisedAnswer::Call call_of(const std::string& id, std::string name, std::string arguments,
                               bool custom = false);

}  // namespace splitproof::observe
