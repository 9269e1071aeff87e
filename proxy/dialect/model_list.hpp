#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// True for /v1/models, /v1beta/models, and the path of one model below either.
bool is_model_list(std::string_view path);

/// Lists `models`, or describes the model in `path`. An unknown model is an error. The form is Google's below /v1beta.
/// Otherwise a header of its API gives Anthropic's or Google's form, and without both it is OpenAI's. `has_header`: of
/// the request, by its name.
Answer answer_model_list(const std::vector<std::string>& models, std::string_view path,
                         const std::function<bool(std::string_view)>& has_header);

}  // namespace splitproof::proxy::dialect
