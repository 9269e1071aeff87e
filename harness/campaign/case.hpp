#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/campaign/fault.hpp"
#include "harness/result.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/split.hpp"

namespace splitproof::campaign {

/// Which request of a conversation is asked.
enum class Turn : std::uint8_t {
  first,     ///< the recording's
  second,    ///< the one that holds the answer to it, with a result for each of its calls
  reversed,  ///< likewise, with the results in the reverse order
  third,     ///< behind the second of several results: with the one word that was answered, and a question
  whole,     ///< the recording's, but for an answer in one piece
};

/// One case: what is sent upstream, and for clients of which protocol. A recut deals the recording's events out anew, a
/// fault makes the upstream misbehave, and a generator says where the body that comes of both is cut, and whether it is
/// held back (`split::Withheld`). In a further turn all this is about its answer, one word (further_turn.hpp). Its printed
/// form is its id, which every command takes that takes a case.
struct Case {
  std::string recording;
  std::string client = {};  ///< its protocol; empty: nobody said yet
  split::Generator split = split::AsRecorded{};
  std::string recut = {};  ///< its label; empty: the events as they were recorded
  std::optional<Fault> fault = {};
  Turn turn = Turn::first;
  std::string act = {};  ///< a trial of connections (connections.hpp) instead of an exchange; empty: none

  /// Whether the upstream sends the recorded body, and ends it as that did.
  bool is_recorded() const { return recut.empty() && !fault && turn == Turn::first; }

  bool withheld() const { return std::holds_alternative<split::Withheld>(split); }

  bool operator==(const Case&) const = default;
};

/// `RECORDING?client=PROTOCOL&act=NAME`, or else `RECORDING?client=PROTOCOL&turn=2&recut=..&gen=..&fault=..`, `turn=2:reversed`, `turn=3` or `turn=whole`. The split is left out where it is
/// `gen=recorded` and something else is said.
std::string to_string(const Case& one);

/// Reads a case id: parse_case(to_string(one)) == one. What is left out after the recording stands for the defaults
/// above; an Error names a part that no case has, or that says nothing. Whether the recording exists, and has such a
/// recut, fault and split, is not asked here.
Result<Case> parse_case(std::string_view id);

/// The case by the name that reports print. A few cuts of a recorded body are named by their offsets: what `gen=seam:I`
/// means changes with the list of seam kinds.
Case lasting(Case one, const split::Cuts& cuts);

/// Whether `--only GLOB` selects this case: the glob matches its id, or its recording's. An empty glob selects every case.
bool selects(const std::string& glob, const Case& one);

/// Whether it selects the case by either of its names.
bool selects(const std::string& glob, const Case& one, const split::Cuts& cuts);

/// Whether it may select any case of the recording whose id begins so. Says no only where it selects none.
bool may_select(const std::string& glob, const std::string& recording, const std::string& beginning);

}  // namespace splitproof::campaign
