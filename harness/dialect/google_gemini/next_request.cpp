// The next request of a client that sends the model's parts back as it got them, with their signatures, as
// Google's SDK and gemini-cli do. Texts without a signature are joined, as gemini-cli joins them.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "harness/dialect/google_gemini/client.hpp"
#include "harness/dialect/next_turn.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

bool is_unsigned_text(const json& part) {
  return member(part, "text").is_string() && !part.contains("thoughtSignature") &&
         !part.contains("functionCall");
}

void add_model_part(json& parts, const json& part) {
  const bool goes_on = !parts.empty() && is_unsigned_text(parts.back()) && is_unsigned_text(part) &&
                       member(parts.back(), "thought") == member(part, "thought");
  if (goes_on) {
    parts.back()["text"].get_ref<std::string&>() += string_at(part, "text");
  } else if (!is_unsigned_text(part) || !string_at(part, "text").empty()) {
    parts.push_back(part);
  }
}

json model_parts_of(observe::EventStream& stream) {
  json parts = json::array();
  observe::for_each_event(stream, [&](const observe::Event& event) {
    const json& candidates = event.json ? member(*event.json, "candidates") : json();
    if (!event.terminated || !candidates.is_array() || candidates.empty()) return true;
    const json& more = member(member(candidates[0], "content"), "parts");
    if (more.is_array())
      for (const json& part : more) add_model_part(parts, part);
    return true;
  });
  for (json& part : parts) {
    if (member(part, "text").is_string())
      part["text"] = observe::replace_surrogates(observe::join_surrogates(string_at(part, "text")));
  }
  return parts;
}

// The results of the calls, each with the id of its call.
json function_responses_for(const json& parts) {
  json results = json::array();
  for (const json& part : parts) {
    const json& call = member(part, "functionCall");
    if (!call.is_object()) continue;
    json result = {{"name", member(call, "name")}, {"response", {{"output", made_result(results.size())}}}};
    if (!member(call, "id").is_null()) result["id"] = member(call, "id");
    results.push_back({{"functionResponse", std::move(result)}});
  }
  return results;
}

}  // namespace

json GeminiClient::next_request(const json& request, observe::EventStream& answer, bool reversed) const {
  json contents = messages_so_far(member(request, "contents"));
  const observe::NormalisedAnswer told = side(answer);
  const json parts = model_parts_of(answer);
  if (told.error || told.finish.is_null() || parts.empty() || contents.is_null()) return nullptr;
  json results = json::array();
  add_results(results, function_responses_for(parts), reversed);
  if (results.empty()) results.push_back({{"text", kNextQuestion}});
  contents.push_back({{"role", "model"}, {"parts", parts}});
  contents.push_back({{"role", "user"}, {"parts", std::move(results)}});
  json next = request;
  next["contents"] = std::move(contents);
  return next;
}

}  // namespace splitproof::dialect
