#pragma once

#include <optional>
#include <string>

#include "harness/observe/error_class.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// An error's message, or the harness's own sentence, and its classes.
struct ReportedError {
  std::string message;
  observe::ErrorClasses classes;
};

/// Returns the error in the `error` member of `holder`, a chunk or a choice: a text, object or array that is
/// not empty.
std::optional<ReportedError> error_in(const observe::WireJson& holder);

/// Returns the error in a chunk without an array of choices. Signs are `"object":"error"`, `"type":"error"`,
/// a `code` with a `message`, or an `error` that is empty and not null.
std::optional<ReportedError> error_instead_of_choices(const observe::WireJson& chunk);

/// Returns the error in a body that is not an event stream but `document`, if it has no array of choices.
std::optional<ReportedError> error_of_document(const observe::WireJson& document);

/// Returns the error of an event named `error`, with any data.
ReportedError error_of_event(const observe::WireJson& chunk);

}  // namespace splitproof::dialect
