#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace splitproof::dialect {

/// A client's next question after an answer without calls.
inline constexpr const char* kNextQuestion = "And what comes after that?";

/// Returns the invented result of the answer's call number `place`, counted from 0.
std::string made_result(std::size_t place);

/// Returns the messages of a request. A single text becomes a user's message. Returns null if they are not a
/// list.
nlohmann::json messages_so_far(const nlohmann::json& given);

/// Appends `results` to `messages`, in their order or reversed.
void add_results(nlohmann::json& messages, nlohmann::json results, bool reversed);

/// Appends `results`, or a user's question without any.
void go_on(nlohmann::json& messages, nlohmann::json results, bool reversed);

}  // namespace splitproof::dialect
