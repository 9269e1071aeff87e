#pragma once

#include <string_view>

namespace splitproof::server {

/// Returns the HTTP reason phrase of a status, such as "Not Found".
std::string_view reason_of(int status);

}  // namespace splitproof::server
