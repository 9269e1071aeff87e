#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/campaign/fault.hpp"
#include "harness/observe/frame_style.hpp"
#include "harness/result.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/split.hpp"

namespace splitproof::campaign {

/// The request of a conversation that a case sends.
enum class Turn : std::uint8_t {
  first,     ///< The recording's.
  second,    ///< Contains the answer, with a result for each of its calls.
  reversed,  ///< The second, with the results in reverse order.
  third,     ///< After a second with several results: adds the one-word answer and a question.
  whole,     ///< The recording's, but asks for an answer in one piece.
};

/// A deliberate change of the upstream's answer that changes its meaning.
enum class Alteration : std::uint8_t {
  none,    ///< The recorded meaning, perhaps in other events.
  edited,  ///< Edits of events: another answer of the provider, perhaps an irregular one.
  broken,  ///< A fault: the exchange is damaged.
};

/// One case: the upstream's behaviour and the client protocol. Edits change the recording's events, a recut puts their text
/// into others, and a fault makes the upstream misbehave, in this order. A generator cuts the resulting body, holds it back
/// (`split::Withheld`), or keeps the recorded times (`split::Timed`). In a further turn all this applies to its one-word answer (further_turn.hpp). Its
/// printed form is its id, which all commands accept.
struct Case {
  std::string recording;
  std::string client = {};  ///< Client protocol; empty: not chosen yet.
  split::Generator split = split::AsRecorded{};
  std::string edit = {};   ///< Label of edits (split/event_edit.hpp); empty: none.
  std::string recut = {};  ///< Label; empty: the recorded events.
  std::optional<Fault> fault = {};
  Turn turn = Turn::first;
  observe::FrameStyle frames =
      {};                ///< Frames of the upstream's messages, for a target that asks over WebSocket.
  std::string act = {};  ///< A connection trial (connections.hpp) instead of an exchange; empty: none.

  /// True if the upstream sends the recorded body with the recorded end.
  bool is_recorded() const {
    return edit.empty() && recut.empty() && !fault && turn == Turn::first && frames == observe::FrameStyle();
  }

  Alteration alteration() const {
    if (fault) return Alteration::broken;
    return edit.empty() ? Alteration::none : Alteration::edited;
  }

  bool withheld() const { return std::holds_alternative<split::Withheld>(split); }
  bool timed() const { return std::holds_alternative<split::Timed>(split); }

  bool operator==(const Case&) const = default;
};

/// Returns `RECORDING?client=PROTOCOL&act=NAME`, or
/// `RECORDING?client=PROTOCOL&turn=2&edit=..&recut=..&frames=..&gen=..&fault=..`. Other turns are `turn=2:reversed`, `turn=3`
/// and `turn=whole`. `gen=recorded` is omitted if there is another part.
std::string to_string(const Case& one);

/// Parses a case id: parse_case(to_string(one)) == one. Missing parts have the defaults above. The Error
/// names an unknown or useless part. Does not check that the recording exists and has such a recut, fault and
/// split.
Result<Case> parse_case(std::string_view id);

/// Returns the case with the name in reports. A few cuts of a recorded body are named by their offsets. The
/// meaning of `gen=seam:I` changes with the list of seam kinds.
Case lasting(Case one, const split::Cuts& cuts);

/// True if `--only GLOB` selects this case: the glob matches its id, or its recording's. An empty glob
/// selects every case.
bool selects(const std::string& glob, const Case& one);

/// True if it selects the case by either of its names.
bool selects(const std::string& glob, const Case& one, const split::Cuts& cuts);

/// True if it may select a case of the recording whose id begins like this. False is certain.
bool may_select(const std::string& glob, const std::string& recording, const std::string& beginning);

}  // namespace splitproof::campaign
