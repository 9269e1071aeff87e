#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "harness/observe/asked.hpp"
#include "harness/observe/said.hpp"

namespace splitproof::observe {

// Changes that a sensible proxy may make to its client's request.

/// True if the text next to a result is only a label, such as "error" for a failed result or a note that it
/// is empty.
bool is_label(const std::string& words, bool failed);

/// Returns a system prompt without the billing lines that a client's program writes for its own server.
TextPieces without_billing(const TextPieces& system);

/// Returns the messages whose thinking may be omitted completely. They are before the last question, and
/// `got` has none of it.
std::set<std::size_t> forgotten(const Said& said, const Said& got);

/// Turns the user's text documents into texts, if the upstream got exactly these fewer parts of kind `other`.
/// Returns true if it did.
bool say_documents(AskedRequest& asked, const AskedRequest& got);

/// True if a limit was lowered to the maximum of some model. No model has a maximum below 4096.
bool is_a_maximum(const nlohmann::json& limit, const nlohmann::json& sent);

}  // namespace splitproof::observe
