#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// Clients with this header get the list in the form of Anthropic's API, other clients in the form of OpenAI's.
constexpr std::string_view kModelListHeader = "anthropic-version";

/// True for /v1/models and the path of one model below it.
bool is_model_list(std::string_view path);

/// Lists `models`, or describes the model in `path`. An unknown model is an error of that API.
Answer answer_model_list(const std::vector<std::string>& models, std::string_view path, bool anthropic);

}  // namespace splitproof::proxy::dialect
