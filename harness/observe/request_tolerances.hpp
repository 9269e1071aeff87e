#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "harness/observe/asked.hpp"
#include "harness/observe/said.hpp"

namespace splitproof::observe {

// What a sensible proxy may ask otherwise than its client did.

/// Whether what is said beside a result is no more than a label: that it failed, where it did, or that it is empty.
bool is_label(const std::string& words, bool failed);

/// A system prompt without the lines on billing that a client's program writes for its own server.
TextPieces without_billing(const TextPieces& system);

/// The messages whose thinking may be left out, all of it: those before the last question, of which nothing is in `got`.
std::set<std::size_t> forgotten(const Said& said, const Said& got);

/// Makes texts of the user's documents that are some, where the upstream is sent as many parts less that are neither. Whether
/// it did.
bool say_documents(AskedRequest& asked, const AskedRequest& got);

/// Whether a limit was lowered to what some model can say at most; none says less than 4096.
bool is_a_maximum(const nlohmann::json& limit, const nlohmann::json& sent);

}  // namespace splitproof::observe
