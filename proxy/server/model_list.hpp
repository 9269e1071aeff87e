#pragma once

#include <string_view>

#include "proxy/dialect/answer.hpp"
#include "proxy/server/models.hpp"

namespace splitproof::server {

/// True for /v1/models and the path of one model below it.
bool is_models(std::string_view path);

/// Lists the models that a configuration names, or describes the one that the path names: in the form of Anthropic's API,
/// or of OpenAI's. A model that is not named is an error of that API.
proxy::dialect::Answer answer_models(const Models& models, std::string_view path, bool anthropic);

}  // namespace splitproof::server
