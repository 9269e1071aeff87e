#include "harness/observe/chat_envelope.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace splitproof::observe {
namespace {

using Kind = WireJson::Kind;
using Keys = std::initializer_list<std::string_view>;

bool knows_all(Keys keys, const WireJson& object) {
  if (!object.is(Kind::object)) return true;
  return std::all_of(object.children.begin(), object.children.end(), [&](const WireJson& member) {
    return std::find(keys.begin(), keys.end(), member.key) != keys.end();
  });
}

bool has_null(const WireJson& object) {
  if (!object.is(Kind::object)) return false;
  return std::any_of(object.children.begin(), object.children.end(),
                     [](const WireJson& member) { return member.is(Kind::null); });
}

/// Whether `test` holds of an element of `array`.
template <class Test>
bool any_in(const WireJson& array, Test test) {
  return array.is(Kind::array) && std::any_of(array.children.begin(), array.children.end(), test);
}

}  // namespace

bool has_unknown_keys(const WireJson& chunk) {
  constexpr auto kCall = [](const WireJson& call) {
    return !knows_all({"index", "id", "type", "function"}, call) ||
           !knows_all({"name", "arguments"}, call.at("function"));
  };
  constexpr auto kChoice = [=](const WireJson& choice) {
    const WireJson& delta = choice.at("delta");
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

bool has_null_fields(const WireJson& chunk) {
  const auto in_call = [](const WireJson& call) { return has_null(call) || has_null(call.at("function")); };
  return any_in(chunk.at("choices"), [&](const WireJson& choice) {
    const WireJson& delta = choice.at("delta");
    return delta.is(Kind::null) || has_null(delta) || has_null(delta.at("function_call")) ||
           any_in(delta.at("tool_calls"), in_call);
  });
}

}  // namespace splitproof::observe
