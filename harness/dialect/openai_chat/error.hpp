#pragma once

#include <optional>
#include <string>

#include "harness/observe/error_class.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// What an error says of itself: its message, or a sentence of our own, and whose fault it is.
struct ReportedError {
  std::string message;
  observe::ErrorClasses classes;
};

/// Returns the error that a chunk or a choice has in its `error` member: a text, object or array that is not empty. Without
/// one, the error is `x_groq.error` (Groq), or a `base_resp` whose `status_code` is not 0 (MiniMax).
std::optional<ReportedError> error_in(const observe::WireJson& holder);

/// The error that a chunk itself is, if it has no array of choices: `"object":"error"`, `"type":"error"`, a
/// `code` with a `message`, or an `error` that is empty and not null.
std::optional<ReportedError> error_instead_of_choices(const observe::WireJson& chunk);

/// Returns the error of a body that is one JSON document and no event stream. A document with an array of choices has one
/// only in `base_resp`.
std::optional<ReportedError> error_of_document(const observe::WireJson& document);

/// What an event named `error` says, whatever its data is.
ReportedError error_of_event(const observe::WireJson& chunk);

}  // namespace splitproof::dialect
