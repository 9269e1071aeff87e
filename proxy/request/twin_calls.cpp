#include "proxy/request/twin_calls.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace splitproof::request {
namespace {

std::string unused(const std::string& id, std::set<std::string>& used) {
  if (used.insert(id).second) return id;
  for (std::size_t number = 2;; ++number) {
    std::string next = id + "_" + std::to_string(number);
    if (used.insert(next).second) return next;
  }
}

}  // namespace

tl::expected<void, Refusal> tell_calls_apart(Asked& asked) {
  std::set<std::string> used;
  std::map<std::string, std::deque<std::string>>
      open;  // by the client's id: the calls without a result so far
  for (Turn& turn : asked.turns) {
    for (Block& block : turn.blocks) {
      if (auto* call = std::get_if<Call>(&block)) {
        std::deque<std::string>& calls = open[call->id];
        call->id = unused(call->id, used);
        calls.push_back(call->id);
      } else if (auto* result = std::get_if<Result>(&block)) {
        const auto found = open.find(result->call);
        if (found == open.end()) continue;
        std::deque<std::string>& calls = found->second;
        if (calls.empty()) return tl::unexpected(Refusal{"history: a call has more than one result"});
        result->call = calls.front();
        calls.pop_front();
      }
    }
  }
  return {};
}

}  // namespace splitproof::request
