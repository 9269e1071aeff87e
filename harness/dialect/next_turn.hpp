#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace splitproof::dialect {

/// What a client asks next where an answer called nothing.
inline constexpr const char* kNextQuestion = "And what comes after that?";

/// What the call came to that is the answer's number `place`, counted from 0.
std::string made_result(std::size_t place);

/// The messages of a request, in which a text alone stands for a user's; null where they are no list.
nlohmann::json messages_so_far(const nlohmann::json& given);

/// Puts `results` behind `messages`, in their order or in the reverse one.
void add_results(nlohmann::json& messages, nlohmann::json results, bool reversed);

/// The same, and where there are none, a user's question.
void go_on(nlohmann::json& messages, nlohmann::json results, bool reversed);

}  // namespace splitproof::dialect
