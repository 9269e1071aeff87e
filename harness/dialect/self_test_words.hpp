#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/flaw.hpp"
#include "harness/dialect/logical_string.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect {

/// The words that fields of one name may have.
struct Vocabulary {
  std::string_view field;
  std::span<const std::string_view> words;
  bool tells_of_the_answer = false;  ///< as those for why it ended do; else of the event
};

/// Where an event stands in an answer, which decides where it cannot be moved to.
enum class EventPosition : std::uint8_t { anywhere, first, before_the_last, last };

/// A class of events, by what their data holds.
struct KnownEvent {
  std::string_view name;
  std::string_view field;  ///< JSON pointer; empty: the data is `value` itself, and no JSON
  std::string_view value;  ///< empty: any but null
  EventPosition standing = EventPosition::anywhere;
};

/// What a member has to be.
enum class MemberShape : std::uint8_t { count, index, text, word, object, list, flag };

/// Whether a member may be null or left out.
enum class Need : std::uint8_t { always, may_lack };

struct KnownMember {
  std::string_view name;
  std::string_view type;   ///< of the event, at `/type`; empty: any
  std::string_view inner;  ///< a type inside the event, at one of `inner_types`; empty: any
  std::string_view at;     ///< JSON pointer; `*` stands for each element of a list
  MemberShape shape;
  Need need = Need::always;
};

/// An event that does not belong into a stream, named `type` where events are named.
struct ForeignEvent {
  Operator what;
  std::string_view type;
  std::string_view data;
  bool in_own_too = false;  ///< it does not belong into the middle of a stream of its own dialect either
};

/// What a stream of any dialect may say in its strands that means something in this one.
struct ForeignText {
  std::string_view family;
  StringKind nature;
  TextOperator what;
};

/// A table of scenes; in a function, as each stands in a file of its own.
using SceneTable = std::span<const StreamMutation> (*)();

/// `/type` of an event's data, or nothing.
std::string type_of_event(const nlohmann::ordered_json& data);

/// `/type` of an event's data, and of those of its members that have one: "delta_event text".
std::string type_with_inner(const nlohmann::ordered_json& data, std::span<const char* const> members);

/// What the self-test knows of a dialect: its words, its kinds of flaw and its legal variations. What is right is for the
/// contracts to say. What is left out is what holds of a dialect that is not known.
struct SelfTestWords {
  // Events.
  std::span<const std::string_view> types = {};  ///< at `/type`; empty where events have none
  bool event_lines = true;                       ///< events are named on an `event:` line
  std::string_view number = {};  ///< JSON pointer to an event's number; empty where they have none

  /// What an event brings: its type, with that of what is inside, or another short label.
  std::string (*event_class)(const nlohmann::ordered_json& data) = type_of_event;

  /// The block that an event only adds to, in words that are equal for one block; empty: it is no piece.
  std::string (*piece_of)(const nlohmann::ordered_json& data) = [](const nlohmann::ordered_json&) {
    return std::string();
  };

  /// Whether the event says nothing, as a ping.
  bool (*idle)(const nlohmann::ordered_json& data) = [](const nlohmann::ordered_json&) { return false; };

  /// Whether the event is sound and brings no piece of an answer, as a chunk with an empty delta.
  bool (*silent)(const nlohmann::ordered_json& data) = [](const nlohmann::ordered_json&) { return false; };

  // Fields, by their names; `field_class` is a JSON pointer with `*` for places in arrays.
  std::span<const std::string_view> indices = {};  ///< point at a block, item or place
  std::span<const std::string_view> ids = {};      ///< name something, perhaps for other events
  std::span<const std::string_view> labels = {};   ///< hold one word of a vocabulary
  std::span<const Vocabulary> vocabularies = {};

  /// Whether a field is a provider's own and none of the protocol's.
  bool (*own)(std::string_view field_class) = [](std::string_view) { return false; };

  /// Whether a field with nothing in it means the same as none.
  bool (*may_be_absent)(std::string_view field_class) = [](std::string_view) { return false; };

  // What a stream says.
  std::span<const LogicalStringClass> (*strand_classes)() = [] {
    return std::span<const LogicalStringClass>();
  };

  /// The strands of a body, in the order in which they begin.
  std::vector<LogicalString> (*strands)(const Draft& draft) = [](const Draft&) {
    return std::vector<LogicalString>();
  };

  /// Whether the event of a strand's piece may come twice, each time with half of the piece.
  bool (*can_be_halved)(const Draft& draft, const FieldRef& piece) = [](const Draft&, const FieldRef&) {
    return true;
  };

  /// What a client assembles, as far as the upstream decides it. Left out is what a server chooses for itself, or of which
  /// no client makes anything: the model's name (docs/not-judged.md says why), the words and the type of an error, and in
  /// an answer that fails the token counts and the reason for which it would have stopped.
  observe::Answer (*decided)(const observe::Trace& trace) = [](const observe::Trace&) {
    return observe::Answer();
  };

  // Kinds of flaw.
  std::span<const KnownEvent> events = {};
  std::span<const char* const> inner_types = {};  ///< JSON pointers
  std::span<const KnownMember> (*members)() = [] { return std::span<const KnownMember>(); };
  std::span<const SceneTable> flaws = {};

  // Legal variations.
  SceneTable variations = [] { return std::span<const StreamMutation>(); };
  std::span<const char* const> objects = {};  ///< to which owners add members; JSON pointers
  std::span<const char* const> counts = {};   ///< objects of token counts, likewise

  // What of this dialect turns up in streams of others.
  std::span<const ForeignEvent> foreign_events = {};
  std::span<const ForeignText> foreign_texts = {};
};

/// A call's arguments in words that are equal where they mean the same to a tool; what is no object stays as it is.
std::string settled_arguments(const std::string& arguments);

/// What turns up in streams though its dialect has no room here.
std::span<const ForeignEvent> foreign_events();
std::span<const ForeignText> foreign_texts();

}  // namespace splitproof::dialect
