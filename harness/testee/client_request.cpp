#include "harness/testee/client_request.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/observe/chat_reading.hpp"

namespace splitproof::testee {
namespace {

using nlohmann::json;

constexpr int kMaxTokens = 4096;
constexpr int kThinkingTokens = 1024;  // the least that the API takes
constexpr const char* kToolDescription =
    "A tool that the answer may call.";  // some proxies refuse tools without one

// What an answer needs that a client has to ask for.
struct Wants {
  std::vector<std::string> tools;
  bool thinking = false;
};

Wants wants_of(const recording::Recording* recording) {
  Wants wants;
  if (recording == nullptr || recording->protocol != "openai.chat") return wants;
  for (const observe::Part& part : observe::read_chat(recording->body).parts) {
    wants.thinking = wants.thinking || part.kind == observe::PartKind::thinking;
    const bool named = part.kind == observe::PartKind::call && !part.name.empty();
    if (named && std::find(wants.tools.begin(), wants.tools.end(), part.name) == wants.tools.end())
      wants.tools.push_back(part.name);
  }
  return wants;
}

json user_turn() { return json::array({json{{"role", "user"}, {"content", "Say what the tide does."}}}); }

json chat_request(const Wants& wants) {
  json request = {{"model", "any"}, {"messages", user_turn()}, {"stream", true}};
  request["stream_options"] = {{"include_usage", true}};
  for (const std::string& tool : wants.tools) {
    const json schema = {{"type", "object"}, {"additionalProperties", true}};
    request["tools"].push_back(
        {{"type", "function"},
         {"function", {{"name", tool}, {"description", kToolDescription}, {"parameters", schema}}}});
  }
  return request;
}

json messages_request(const Wants& wants) {
  json request = {{"model", "any"}, {"max_tokens", kMaxTokens}, {"messages", user_turn()}, {"stream", true}};
  for (const std::string& tool : wants.tools) {
    const json schema = {{"type", "object"}, {"additionalProperties", true}};
    request["tools"].push_back({{"name", tool}, {"description", kToolDescription}, {"input_schema", schema}});
  }
  if (wants.thinking) request["thinking"] = {{"type", "enabled"}, {"budget_tokens", kThinkingTokens}};
  return request;
}

bool is_user_message(const json& message) {
  return message.is_object() && message.value("role", json()) == "user" && message.contains("content");
}

// Both protocols have text as a string, or as a list whose parts of type text hold it.
void put_token(json& request, const std::string& token) {
  const std::string mark = " [" + token + "]";
  json& messages = request["messages"];
  if (!messages.is_array()) messages = json::array();
  for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
    if (!is_user_message(*message)) continue;
    json& content = (*message)["content"];
    if (content.is_string()) {
      content.get_ref<std::string&>() += mark;
      return;
    }
    if (!content.is_array()) continue;
    for (auto part = content.rbegin(); part != content.rend(); ++part) {
      if (!part->is_object() || part->value("type", json()) != "text" ||
          !part->value("text", json()).is_string())
        continue;
      (*part)["text"].get_ref<std::string&>() += mark;
      return;
    }
    content.push_back({{"type", "text"}, {"text", mark}});
    return;
  }
  messages.push_back({{"role", "user"}, {"content", mark}});
}

}  // namespace

Headers client_headers(const std::string& client) {
  if (client == "anthropic.messages") return {{"anthropic-version", "2023-06-01"}};
  return {};
}

Result<std::string> client_request(const std::string& client, const recording::Recording* recording,
                                   const std::string& model, const std::string& token) {
  json request;
  const bool has_own = recording != nullptr && recording->requests != nullptr &&
                       recording->requests->is_object() && recording->requests->contains(client);
  if (client != "openai.chat" && client != "anthropic.messages") {
    return tl::unexpected(Error{"there are no requests for clients of '" + client + "'",
                                {},
                                0,
                                "it is openai.chat or anthropic.messages"});
  }
  if (has_own) {
    request = recording->requests->at(client);
    if (!request.is_object())
      return tl::unexpected(Error{"the request for " + client + " is no object", recording->path, 1, {}});
  } else {
    request =
        client == "openai.chat" ? chat_request(wants_of(recording)) : messages_request(wants_of(recording));
  }
  if (!model.empty()) request["model"] = model;
  if (!token.empty()) put_token(request, token);
  return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::shared_ptr<const json> request_document(const std::string& client,
                                             const recording::Recording& recording) {
  const Result<std::string> request = client_request(client, &recording, "", "");
  if (!request) return nullptr;
  json document = json::parse(*request);
  document.erase("model");
  return std::make_shared<const json>(std::move(document));
}

}  // namespace splitproof::testee
