#include "proxy/dialect/openai_responses/echo.hpp"

#include <array>
#include <string_view>

#include "proxy/request/json_parts.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::given;
using wire::Json;
using wire::JsonKind;

std::string compact(const Json& value) {
  std::string json;
  wire::append_compact(json, value.raw());
  return json;
}

// Returns a value in the form of a response; empty if no response has such a value.
using Repeat = std::string (*)(const Json& value);

template <JsonKind kKind>
std::string repeat(const Json& value) {
  return value.is(kKind) ? compact(value) : std::string();
}

std::string repeat_count(const Json& value) {
  return value.count() ? std::string(value.raw()) : std::string();
}

// A member of every response, with its default.
struct Member {
  std::string_view name;
  std::string_view missing;
};

template <std::size_t kMembers>
std::string repeat_with(const Json& object, const std::array<Member, kMembers>& members) {
  if (!object.is(JsonKind::object)) return {};
  request::List all;
  for (Json key = object.first_key(); key; key = key.next())
    all.next().append(key.raw()).append(":").append(compact(key.value()));
  for (const auto& [name, missing] : members) {
    if (!object[name]) all.next().append(wire::quoted(name)).append(":").append(missing);
  }
  return "{" + all.json + "}";
}

std::string repeat_format(const Json& format) {
  static constexpr std::array kSchema = {Member{"description", "null"}, Member{"strict", "false"}};
  if (format["type"].text() == "json_schema") return repeat_with(format, kSchema);
  return repeat<JsonKind::object>(format);
}

std::string repeat_text(const Json& text) {
  if (!text.is(JsonKind::object)) return {};
  std::string format = given(text["format"]) ? repeat_format(text["format"]) : std::string();
  if (format.empty()) format = R"({"type":"text"})";
  std::string repeated = R"({"format":)" + format;
  if (const Json verbosity = text["verbosity"]; verbosity.is(JsonKind::string))
    repeated.append(R"(,"verbosity":)").append(verbosity.raw());
  return repeated + "}";
}

std::string repeat_reasoning(const Json& reasoning) {
  static constexpr std::array kReasoning = {Member{"effort", "null"}, Member{"summary", "null"}};
  return repeat_with(reasoning, kReasoning);
}

std::string repeat_tools(const Json& tools) {
  static constexpr std::array kFunction = {Member{"description", "null"}, Member{"parameters", "null"},
                                           Member{"strict", "false"}};
  if (!tools.is(JsonKind::array)) return {};
  request::List all;
  for (Json tool = tools.first(); tool; tool = tool.next())
    all.next() += tool["type"].text() == "function" ? repeat_with(tool, kFunction) : compact(tool);
  return "[" + all.json + "]";
}

std::string repeat_choice(const Json& choice) {
  return choice.is(JsonKind::object) ? compact(choice) : repeat<JsonKind::string>(choice);
}

std::string repeat_tier(const Json& tier) {
  return tier.text() == "auto" ? std::string() : repeat<JsonKind::string>(tier);
}

struct Echoed {
  std::string_view name;
  std::string_view missing;
  Repeat repeat;
};

// Short members first, so that a long one does not crowd them out.
constexpr std::array kEchoed = {
    Echoed{"background", "false", repeat<JsonKind::boolean>},
    Echoed{"frequency_penalty", "0", repeat<JsonKind::number>},
    Echoed{"max_output_tokens", "null", repeat_count},
    Echoed{"max_tool_calls", "null", repeat_count},
    Echoed{"parallel_tool_calls", "true", repeat<JsonKind::boolean>},
    Echoed{"presence_penalty", "0", repeat<JsonKind::number>},
    Echoed{"previous_response_id", "null", repeat<JsonKind::string>},
    Echoed{"prompt_cache_key", "null", repeat<JsonKind::string>},
    Echoed{"reasoning", R"({"effort":null,"summary":null})", repeat_reasoning},
    Echoed{"safety_identifier", "null", repeat<JsonKind::string>},
    Echoed{"service_tier", R"("default")", repeat_tier},
    Echoed{"store", "false", repeat<JsonKind::boolean>},
    Echoed{"temperature", "1", repeat<JsonKind::number>},
    Echoed{"top_logprobs", "0", repeat_count},
    Echoed{"top_p", "1", repeat<JsonKind::number>},
    Echoed{"truncation", R"("disabled")", repeat<JsonKind::string>},
    Echoed{"user", "null", repeat<JsonKind::string>},
    Echoed{"tool_choice", R"("auto")", repeat_choice},
    Echoed{"metadata", "{}", repeat<JsonKind::object>},
    Echoed{"instructions", "null", repeat<JsonKind::string>},
    Echoed{"text", R"({"format":{"type":"text"}})", repeat_text},
    Echoed{"tools", "[]", repeat_tools},
};

}  // namespace

std::string responses_echo(const Json& request, std::size_t most) {
  request::List members;
  for (const auto& [name, missing, repeat] : kEchoed) {
    const Json value = request[name];
    std::string repeated = given(value) && value.raw().size() <= most ? repeat(value) : std::string();
    if (members.json.size() + repeated.size() > most) repeated.clear();
    members.next().append(wire::quoted(name)).append(":").append(repeated.empty() ? missing : repeated);
  }
  return members.json;
}

}  // namespace splitproof::proxy::dialect
