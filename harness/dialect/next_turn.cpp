#include "harness/dialect/next_turn.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace splitproof::dialect {

using nlohmann::json;

std::string made_result(std::size_t place) { return "Result " + std::to_string(place + 1) + " of the test."; }

json messages_so_far(const json& given) {
  if (given.is_string()) return json::array({json{{"role", "user"}, {"content", given}}});
  return given.is_array() ? given : json();
}

void add_results(json& messages, json results, bool reversed) {
  if (reversed) std::reverse(results.begin(), results.end());
  messages.insert(messages.end(), results.begin(), results.end());
}

void go_on(json& messages, json results, bool reversed) {
  if (results.empty()) messages.push_back({{"role", "user"}, {"content", kNextQuestion}});
  add_results(messages, std::move(results), reversed);
}

}  // namespace splitproof::dialect
