#include "proxy/request/twin_calls.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace splitproof::request {
namespace {

// Gives each call a unique id.
class TwinIds {
 public:
  std::string unused(const std::string& id) {
    if (used_.insert(id).second) return id;
    // Lower numbers stay taken: trying them again would take quadratic time for a repeated id.
    std::size_t& number = next_.try_emplace(id, 2).first->second;
    while (true) {
      std::string next = id + "_" + std::to_string(number++);
      if (used_.insert(next).second) return next;
    }
  }

 private:
  std::set<std::string> used_;
  std::map<std::string, std::size_t> next_;  // next number, by the client's id
};

}  // namespace

tl::expected<void, Refusal> tell_calls_apart(Asked& asked) {
  TwinIds ids;
  std::map<std::string, std::deque<std::string>> open;  // calls without a result so far, by the client's id
  for (Turn& turn : asked.turns) {
    for (Block& block : turn.blocks) {
      if (auto* call = std::get_if<Call>(&block)) {
        std::deque<std::string>& calls = open[call->id];
        call->id = ids.unused(call->id);
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
