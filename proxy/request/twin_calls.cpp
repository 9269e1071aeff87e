#include "proxy/request/twin_calls.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace splitproof::request {
namespace {

// What the calls of one id of the client's are called now.
struct Calls {
  std::deque<std::string> open;  // without a result so far
  std::string last;              // that got one
};

std::string unused(const std::string& id, std::set<std::string>& used) {
  if (used.insert(id).second) return id;
  for (std::size_t number = 2;; ++number) {
    std::string next = id + "_" + std::to_string(number);
    if (used.insert(next).second) return next;
  }
}

}  // namespace

void tell_calls_apart(Asked& asked) {
  std::set<std::string> used;
  std::map<std::string, Calls> known;
  for (Turn& turn : asked.turns) {
    for (Block& block : turn.blocks) {
      if (auto* call = std::get_if<Call>(&block)) {
        Calls& calls = known[call->id];
        call->id = unused(call->id, used);
        calls.open.push_back(call->id);
      } else if (auto* result = std::get_if<Result>(&block)) {
        const auto found = known.find(result->call);
        if (found == known.end()) continue;
        Calls& calls = found->second;
        if (!calls.open.empty()) {
          calls.last = calls.open.front();
          calls.open.pop_front();
        }
        result->call = calls.last;
      }
    }
  }
}

}  // namespace splitproof::request
