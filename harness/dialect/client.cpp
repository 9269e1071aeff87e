#include "harness/dialect/client.hpp"

#include <nlohmann/json.hpp>

namespace splitproof::dialect {

using nlohmann::json;

json user_turn() { return json::array({json{{"role", "user"}, {"content", "Say what the tide does."}}}); }

json open_schema() { return {{"type", "object"}, {"additionalProperties", true}}; }

}  // namespace splitproof::dialect
