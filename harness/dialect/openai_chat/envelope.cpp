#include "harness/dialect/openai_chat/envelope.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using Keys = std::initializer_list<std::string_view>;

bool knows_all(Keys keys, const observe::WireJson& object) {
  if (!object.is(Kind::object)) return true;
  return std::all_of(object.children.begin(), object.children.end(), [&](const observe::WireJson& member) {
    return std::find(keys.begin(), keys.end(), member.key) != keys.end();
  });
}

bool has_null(const observe::WireJson& object) {
  if (!object.is(Kind::object)) return false;
  return std::any_of(object.children.begin(), object.children.end(),
                     [](const observe::WireJson& member) { return member.is(Kind::null); });
}

/// True if `test` is true for an element of `array`.
template <class Test>
bool any_in(const observe::WireJson& array, Test test) {
  return array.is(Kind::array) && std::any_of(array.children.begin(), array.children.end(), test);
}

}  // namespace

bool has_unknown_keys(const observe::WireJson& chunk) {
  constexpr auto kCall = [](const observe::WireJson& call) {
    return !knows_all({"index", "id", "type", "function"}, call) ||
           !knows_all({"name", "arguments"}, call.at("function"));
  };
  constexpr auto kChoice = [=](const observe::WireJson& choice) {
    const observe::WireJson& delta = choice.at("delta");
    return !knows_all({"index", "delta", "finish_reason", "logprobs", "message", "usage", "error"}, choice) ||
           !knows_all({"role", "content", "refusal", "tool_calls", "function_call", "reasoning_content",
                       "reasoning", "reasoning_details", "thinking_blocks"},
                      delta) ||
           any_in(delta.at("tool_calls"), kCall);
  };
  return !knows_all({"id", "object", "created", "model", "choices", "usage", "system_fingerprint",
                     "service_tier", "obfuscation", "error"},
                    chunk) ||
         any_in(chunk.at("choices"), kChoice);
}

bool has_null_fields(const observe::WireJson& chunk) {
  const auto in_call = [](const observe::WireJson& call) {
    return has_null(call) || has_null(call.at("function"));
  };
  return any_in(chunk.at("choices"), [&](const observe::WireJson& choice) {
    const observe::WireJson& delta = choice.at("delta");
    return delta.is(Kind::null) || has_null(delta) || has_null(delta.at("function_call")) ||
           any_in(delta.at("tool_calls"), in_call);
  });
}

}  // namespace splitproof::dialect
