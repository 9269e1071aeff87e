#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace splitproof::imports {

/// Takes the first value from the front of `text`: LENGTH:BYTES and a letter for the type. Strings keep their bytes,
/// which may not be UTF-8. Returns null, and leaves `text` unchanged, if the value is incomplete or invalid.
std::shared_ptr<const nlohmann::json> take_tnetstring(std::string_view& text);

}  // namespace splitproof::imports
