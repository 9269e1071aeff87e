#include "proxy/dialect/google_gemini/upstream_request.hpp"

#include <cstdint>

#include "proxy/dialect/google_gemini/contents.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/path_segment.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::List;

constexpr std::size_t kMostStops = 5;

void append_system(const Asked& asked, List& members) {
  List parts;
  const auto add = [&](const std::string& text) {
    parts.next().append("{\"text\":\"").append(text).append("\"}");
  };
  for (const std::string& text : asked.system) add(text);
  for (const request::Turn& turn : asked.turns) {
    if (turn.role == request::Role::system) add(request::text_of(turn));
  }
  if (!parts.json.empty())
    members.next().append("\"systemInstruction\":{\"parts\":[").append(parts.json).append("]}");
}

// Sends the tools even if none may be called: earlier turns may have calls.
void append_tools(const Asked& asked, List& members) {
  if (asked.tools.empty()) return;
  List tools;
  for (const request::Tool& tool : asked.tools) {
    tools.next().append("{\"name\":\"").append(tool.name).append("\"");
    if (tool.description) tools.json.append(",\"description\":\"").append(*tool.description).append("\"");
    tools.json.append(",\"parametersJsonSchema\":").append(tool.schema).append("}");
  }
  members.next().append("\"tools\":[{\"functionDeclarations\":[").append(tools.json).append("]}]");
  std::string mode;
  switch (asked.choice) {
    case request::Choice::automatic:
      return;
    case request::Choice::none:
      mode = "\"NONE\"";
      break;
    case request::Choice::any:
      mode = "\"ANY\"";
      break;
    case request::Choice::one:
      mode = "\"ANY\",\"allowedFunctionNames\":[\"" + asked.chosen + "\"]";
      break;
  }
  members.next().append("\"toolConfig\":{\"functionCallingConfig\":{\"mode\":").append(mode).append("}}");
}

// Returns the budget that Google gives to an effort in OpenAI's words.
std::uint64_t budget_of(std::string_view effort) {
  if (effort == "minimal" || effort == "low") return 1024;
  return effort == "medium" ? 8192 : 24'576;
}

std::string thinking_of(const std::string& effort) {
  if (effort == "none") return "{\"thinkingBudget\":0}";
  return "{\"includeThoughts\":true,\"thinkingBudget\":" + std::to_string(budget_of(effort)) + "}";
}

void append_generation(const Asked& asked, List& members) {
  List config;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) config.next().append("\"").append(name).append("\":").append(value);
  };
  add("maxOutputTokens", asked.max_tokens);
  add("temperature", asked.temperature);
  add("topP", asked.top_p);
  List stop;
  for (const std::string& text : asked.stop) stop.next().append("\"").append(text).append("\"");
  if (!stop.json.empty()) add("stopSequences", "[" + stop.json + "]");
  if (asked.format.json) add("responseMimeType", "\"application/json\"");
  if (asked.format.json && !asked.format.name.empty()) add("responseJsonSchema", asked.format.schema);
  if (!asked.effort.empty()) add("thinkingConfig", thinking_of(asked.effort));
  if (!config.json.empty()) members.next().append("\"generationConfig\":{").append(config.json).append("}");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True if the last segment of a URL's path is a version, such as `v1beta`, or Vertex's publisher.
bool has_version(std::string_view base) {
  while (base.ends_with('/')) base.remove_suffix(1);
  const std::string_view last = base.substr(base.rfind('/') + 1);
  const bool version = last.size() > 1 && last.front() == 'v' && is_digit(last[1]) &&
                       last.find_first_of(".:") == std::string_view::npos;
  return version || base.ends_with("/publishers/google");
}

}  // namespace

tl::expected<std::string, request::Refusal> write_gemini_request(const Asked& asked) {
  if (asked.stop.size() > kMostStops) {
    return tl::make_unexpected(
        request::Refusal{"texts that end the answer: the upstream's protocol has five at most"});
  }
  List members;
  members.next().append("\"contents\":[").append(gemini_contents(asked)).append("]");
  append_system(asked, members);
  append_tools(asked, members);
  append_generation(asked, members);
  return "{" + members.json + "}";
}

std::string gemini_path(std::string_view base, std::string_view model, bool stream) {
  constexpr std::string_view kModels = "models/";
  if (model.starts_with(kModels)) model.remove_prefix(kModels.size());
  return std::string(has_version(base) ? "/models/" : "/v1beta/models/") + wire::path_segment(model, "@") +
         (stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
}

std::string gemini_tool_name(std::string_view name) {
  std::string fitted;
  for (const char c : name) {
    const bool fits =
        wire::is_letter(c) || is_digit(c) || std::string_view("_.:-").find(c) != std::string_view::npos;
    fitted += fits ? c : '_';
  }
  if (fitted.empty() || !(wire::is_letter(fitted.front()) || fitted.front() == '_')) fitted.insert(0, "_");
  return fitted.substr(0, kMostGeminiToolName);
}

}  // namespace splitproof::proxy::dialect
