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

/// Possible words of fields with one name.
struct Vocabulary {
  std::string_view field;
  std::span<const std::string_view> words;
  bool tells_of_the_answer = false;  ///< true: about the answer, such as the reason for its end; false: about
                                     ///< the event.
};

/// Position of an event in an answer, which limits its moves.
enum class EventPosition : std::uint8_t { anywhere, first, before_the_last, last };

/// A class of events, by the content of their data.
struct KnownEvent {
  std::string_view name;
  std::string_view field;  ///< JSON pointer; empty: the data is `value` itself and not JSON.
  std::string_view value;  ///< Empty: any value except null.
  EventPosition standing = EventPosition::anywhere;
};

/// Required form of a member.
enum class MemberShape : std::uint8_t { count, index, text, word, object, list, flag };

/// Rule on null and missing members.
enum class Need : std::uint8_t { always, may_lack };

struct KnownMember {
  std::string_view name;
  std::string_view type;   ///< Type of the event, at `/type`; empty: any.
  std::string_view inner;  ///< A type inside the event, at one of `inner_types`; empty: any.
  std::string_view at;     ///< JSON pointer; `*` matches each element of a list.
  MemberShape shape;
  Need need = Need::always;
};

/// An event that does not belong in a stream, named `type` if events have names.
struct ForeignEvent {
  Operator what;
  std::string_view type;
  std::string_view data;
  bool in_own_too = false;  ///< It does not belong in the middle of its own dialect's streams either.
};

/// Text that has a meaning in this dialect, and may occur in the strands of any dialect.
struct ForeignText {
  std::string_view family;
  StringKind nature;
  TextOperator what;
};

/// A table of scenes, as a function because each is in its own file.
using SceneTable = std::span<const StreamMutation> (*)();

/// Returns `/type` of an event's data, or "".
std::string type_of_event(const nlohmann::ordered_json& data);

/// Returns `/type` of an event's data and of those members that have one: "delta_event text".
std::string type_with_inner(const nlohmann::ordered_json& data, std::span<const char* const> members);

/// The self-test's knowledge of a dialect: its words, its kinds of flaw and its legal variations. Only
/// contracts define what is right. The defaults apply to an unknown dialect.
struct SelfTestWords {
  // Events.
  std::span<const std::string_view> types = {};  ///< Types at `/type`; empty if events have none.
  bool event_lines = true;                       ///< Events have names on an `event:` line.
  std::string_view number = {};  ///< JSON pointer to an event's number; empty if they have none.

  /// Returns the class of an event: its type with inner types, or another short label.
  std::string (*event_class)(const nlohmann::ordered_json& data) = type_of_event;

  /// Returns the block that an event only adds to, as a text that is equal for one block, or "" if it is not
  /// a piece.
  std::string (*piece_of)(const nlohmann::ordered_json& data) = [](const nlohmann::ordered_json&) {
    return std::string();
  };

  /// True if the event has no meaning, such as a ping.
  bool (*idle)(const nlohmann::ordered_json& data) = [](const nlohmann::ordered_json&) { return false; };

  /// True if the event is sound without a piece of an answer, such as a chunk with an empty delta.
  bool (*silent)(const nlohmann::ordered_json& data) = [](const nlohmann::ordered_json&) { return false; };

  std::span<const std::string_view> impossible = {};  ///< Globs of the kinds that no stream of it can have.

  // Fields, by their names; `field_class` is a JSON pointer with `*` for places in arrays.
  std::span<const std::string_view> indices = {};  ///< Refer to a block, item or place.
  std::span<const std::string_view> ids = {};      ///< Identify something, perhaps for other events.
  std::span<const std::string_view> labels = {};   ///< Have one word of a vocabulary.
  std::span<const Vocabulary> vocabularies = {};

  /// True if a field is a provider's own extension.
  bool (*own)(std::string_view field_class) = [](std::string_view) { return false; };

  /// True if a field without a value means the same as a missing one.
  bool (*may_be_absent)(std::string_view field_class) = [](std::string_view) { return false; };

  // Content of a stream.
  std::span<const LogicalStringClass> (*strand_classes)() = [] {
    return std::span<const LogicalStringClass>();
  };

  /// Returns the strands of a body, in the order of their beginnings.
  std::vector<LogicalString> (*strands)(const Draft& draft) = [](const Draft&) {
    return std::vector<LogicalString>();
  };

  /// True if the event of a strand's piece may occur twice, with half of the piece each.
  bool (*can_be_halved)(const Draft& draft, const FieldRef& piece) = [](const Draft&, const FieldRef&) {
    return true;
  };

  /// Returns the answer that a client assembles, as far as the upstream decides it. Omits what a server
  /// chooses, or no client uses: the model's name (docs/data/not-judged.tsv explains why), and the words and the
  /// type of an error. For a failing answer, also omits token counts and the stop reason.
  observe::Answer (*decided)(const observe::Trace& trace) = [](const observe::Trace&) {
    return observe::Answer();
  };

  // Kinds of flaw.
  std::span<const KnownEvent> events = {};
  std::span<const char* const> inner_types = {};  ///< JSON pointers.
  std::span<const KnownMember> (*members)() = [] { return std::span<const KnownMember>(); };
  std::span<const SceneTable> flaws = {};

  // Legal variations.
  SceneTable variations = [] { return std::span<const StreamMutation>(); };
  std::span<const char* const> objects = {};  ///< Objects to which owners add members; JSON pointers.
  std::span<const char* const> counts = {};   ///< Objects of token counts; JSON pointers.

  // Content of this dialect that occurs in streams of others.
  std::span<const ForeignEvent> foreign_events = {};
  std::span<const ForeignText> foreign_texts = {};
};

/// Returns a call's arguments in a form that is equal for equal meaning. Text that is not an object is
/// unchanged.
std::string settled_arguments(const std::string& arguments);

/// Return content that occurs in streams although its dialect has no folder here.
std::span<const ForeignEvent> foreign_events();
std::span<const ForeignText> foreign_texts();

}  // namespace splitproof::dialect
