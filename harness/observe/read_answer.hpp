#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"

namespace splitproof::observe {

/// The protocol of a testee that reads a provider's stream and reports the answer, such as an SDK.
inline constexpr std::string_view kAnswerReader = "answer";

/// Members of an answer that a testee may be unable to report.
inline constexpr std::string_view kReportable[] = {"text", "thinking", "calls", "ids",
                                                   "stop", "usage",    "error"};

/// A call as a client reports it.
struct ReadCall {
  std::string id;  ///< "" without an id.
  std::string name;
  std::string arguments;  ///< JSON, or the text of a custom tool.

  bool operator==(const ReadCall&) const = default;
};

/// An answer as a client reports it.
struct ReadAnswer {
  std::string text;
  std::string thinking;
  std::vector<ReadCall> calls;
  std::string stop;                     ///< The protocol's word for the end; "": none.
  std::optional<std::uint64_t> input;   ///< All input tokens, with cached ones; nullopt: not reported.
  std::optional<std::uint64_t> output;  ///< All output tokens, with thinking; nullopt: not reported.
  std::optional<std::string> error;     ///< The error that it reported; nullopt: none.
  std::set<std::string> unreported;     ///< Members that it cannot report (kReportable).

  /// True if it can report this member.
  bool has(const std::string& member) const { return !unreported.contains(member); }

  bool operator==(const ReadAnswer&) const = default;
};

/// Reads the value of `answer` of a client: an object with the members of an answer. A member may be absent or
/// null. Lone surrogates become U+FFFD. The error is one clause on the first wrong member.
tl::expected<ReadAnswer, std::string> read_answer(std::string_view text);

/// Reads the value of `told` in the same way, and returns the size of its text in bytes.
tl::expected<std::size_t, std::string> read_told(std::string_view text);

/// Return the line of a report for an answer, or for this many bytes of text so far. Each has a line end.
std::string line_of(const ReadAnswer& answer);
std::string line_of_told(std::size_t text);

/// Returns the answer in a report, or nullopt without one.
std::optional<ReadAnswer> reported_answer(std::string_view lines);

/// Returns the number of bytes of text that the client reported in `told` lines, or nullopt without such a line.
std::optional<std::size_t> told_in(std::string_view lines);

/// Returns the last line of a report with its line end: the answer. Clients may report it in any number of pieces.
std::string_view answer_line(std::string_view lines);

/// The report that a stream demands from a client.
struct DemandedAnswer {
  /// The demanded report of the end.
  enum class Outcome : std::uint8_t {
    success,     ///< No error.
    open,        ///< The protocol leaves it open.
    incomplete,  ///< An error, or no word for the end: the stream ended properly, but its answer did not.
    broken_off,  ///< An error: the connection broke before the end.
    failed       ///< An error: the provider reported one.
  };

  ReadAnswer answer;  ///< Ids, stop and counts are empty if the stream has none.
  std::string prose;  ///< Text and thinking in their order.
  std::string said;   ///< Text and refusals in their order: a client may report refusals as text.
  /// For each call: its arguments should be a JSON value, and are not one. Clients differ in what they make of them.
  std::vector<bool> has_open_arguments;
  std::string unjudged;  ///< Why the content is not judged; "": it is.
  Outcome outcome = Outcome::open;
  /// Places in the stream, and the bytes of text that a client has by then. Both increase.
  std::vector<std::pair<std::size_t, std::size_t>> text_after;
};

/// Returns the content of an answer as a client must report it. The other members are not set.
DemandedAnswer demanded_answer(const Answer& meaning);

/// True if both are the same arguments: equal texts or equal JSON values. No arguments are an empty object. Numbers are
/// equal if they are the same double (RFC 8259, 6), and half a surrogate pair equals U+FFFD.
bool are_equal_arguments(const std::string& a, const std::string& b);

}  // namespace splitproof::observe
