#include "harness/testee/client_request.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/registry.hpp"

namespace splitproof::testee {
namespace {

using nlohmann::json;

constexpr const char* kToken = "sp-";
constexpr std::size_t kTokenDigits = 16;

// Adds the functions that the recording's upstream request declares.
void add_declared(const recording::Recording& recording, std::vector<dialect::WantedTool>& tools) {
  const auto* reader = dialect::request_reader_of(recording.protocol + std::string(dialect::kUpstreamSide));
  if (reader == nullptr || recording.requests == nullptr || !recording.requests->is_object()) return;
  const auto request = recording.requests->find(recording.protocol);
  if (request == recording.requests->end()) return;
  const auto has = [&](const std::string& name) {
    return std::any_of(tools.begin(), tools.end(), [&](const auto& tool) { return tool.name == name; });
  };
  for (const observe::OfferedTool& tool : reader->asked(*request).tools) {
    if (tool.kind != observe::AskedTool::object || !tool.name || tool.name->empty() || has(*tool.name))
      continue;
    const bool described = tool.description != nullptr && tool.description->is_string();
    tools.push_back({*tool.name, described ? tool.description->get<std::string>() : "",
                     tool.schema != nullptr && tool.schema->is_object() ? tool.schema->dump() : ""});
  }
}

dialect::Wants wants_of(const recording::Recording* recording) {
  dialect::Wants wants;
  const dialect::UpstreamDialect* upstream = recording ? dialect::upstream_of(recording->protocol) : nullptr;
  if (upstream == nullptr) return wants;
  add_declared(*recording, wants.tools);
  for (const observe::Part& part : dialect::read(*upstream, recording->body).parts) {
    wants.thinking = wants.thinking || part.kind == observe::PartKind::thinking;
    const bool named = part.kind == observe::PartKind::call && !part.name.empty();
    const auto is_it = [&](const dialect::WantedTool& tool) { return tool.name == part.name; };
    if (named && std::none_of(wants.tools.begin(), wants.tools.end(), is_it))
      wants.tools.push_back({part.name});
  }
  return wants;
}

// Appends the mark to the last text part of a message, or adds a part.
void add_to_content(const dialect::MessageForm& form, json& content, const std::string& mark) {
  for (auto part = content.rbegin(); part != content.rend(); ++part) {
    if (!part->is_object() || part->value("type", json("")) != form.text_type ||
        !part->value("text", json()).is_string())
      continue;
    (*part)["text"].get_ref<std::string&>() += mark;
    return;
  }
  json part = {{"text", mark}};
  if (!form.text_type.empty()) part["type"] = form.text_type;
  content.push_back(std::move(part));
}

void put_token(const dialect::Client& client, json& request, const std::string& token) {
  const std::string mark = " [" + token + "]";
  const dialect::MessageForm form = client.message_form();
  json& messages = request[std::string(form.list)];
  if (messages.is_string()) {
    messages.get_ref<std::string&>() += mark;
    return;
  }
  if (!messages.is_array()) messages = json::array();
  for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
    if (!message->is_object() || message->value("role", json()) != "user") continue;
    const auto content = message->find(form.content);
    if (content == message->end()) continue;
    if (content->is_string()) {
      content->get_ref<std::string&>() += mark;
      return;
    }
    if (!content->is_array()) continue;
    add_to_content(form, *content, mark);
    return;
  }
  messages.push_back(dialect::text_message(form, "user", {mark}));
}

}  // namespace

Headers client_headers(const std::string& client) {
  Headers headers;
  if (const dialect::Client* reader = dialect::client_of(client)) {
    for (const auto& [name, value] : reader->headers()) headers.push_back({name, value});
  }
  return headers;
}

Headers upgrade_headers(const std::string& client) {
  const dialect::Client* reader = dialect::client_of(client);
  if (reader == nullptr || reader->upgrade_headers().empty()) return {};
  Headers headers = {{"connection", "Upgrade"},
                     {"upgrade", "websocket"},
                     {"sec-websocket-version", "13"},
                     {"sec-websocket-key", "c3BsaXRwcm9vZiBhc2tzIQ=="}};
  for (const auto& [name, value] : reader->upgrade_headers()) headers.push_back({name, value});
  return headers;
}

Result<std::string> client_request(const std::string& client, const recording::Recording* recording,
                                   const std::string& model, const std::string& token) {
  json request;
  const bool has_own = recording != nullptr && recording->requests != nullptr &&
                       recording->requests->is_object() && recording->requests->contains(client);
  const dialect::Client* reader = dialect::client_of(client);
  if (reader == nullptr) {
    return tl::unexpected(Error{"splitproof cannot make requests for clients of '" + client + "'",
                                {},
                                0,
                                "use one of " + dialect::client_names()});
  }
  if (has_own) {
    request = recording->requests->at(client);
    if (!request.is_object())
      return tl::unexpected(
          Error{"the request for " + client + " is not a JSON object", recording->path, 1, {}});
  } else {
    request = reader->request(wants_of(recording));
  }
  if (!model.empty()) request["model"] = model;
  if (!token.empty()) put_token(*reader, request, token);
  return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

dialect::ClientCall client_call(const std::string& client, const std::string& path,
                                const std::string& request) {
  const dialect::Client* reader = dialect::client_of(client);
  const json document = json::parse(request, nullptr, false);
  if (reader == nullptr || document.is_discarded()) return {path, request};
  return reader->call(path, document);
}

std::string request_token(std::uint32_t salt, std::uint32_t number) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%s%08x%08x", kToken, salt, number);
  return text.data();
}

std::vector<std::string> tokens_in(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<std::string> tokens;
  for (std::size_t at = text.find(kToken); at != text.npos; at = text.find(kToken, at + 1)) {
    const std::size_t begin = at + std::string_view(kToken).size();
    const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    if (end - begin == kTokenDigits) tokens.emplace_back(text.substr(at, end - at));
  }
  return tokens;
}

std::string without_tokens(std::string text) {
  const std::string zeros = kToken + std::string(kTokenDigits, '0');
  for (const std::string& token : tokens_in(text)) text.replace(text.find(token), token.size(), zeros);
  return text;
}

std::shared_ptr<const json> request_document(const std::string& client,
                                             const recording::Recording& recording) {
  const Result<std::string> request = client_request(client, &recording, "", "");
  if (!request) return nullptr;
  json document = json::parse(*request);
  document.erase("model");
  return std::make_shared<const json>(std::move(document));
}

std::string model_asked(const std::string& client, const recording::Recording& recording) {
  const Result<std::string> request = client_request(client, &recording, "", "");
  if (!request) return {};
  const json document = json::parse(*request);
  const auto model = document.find("model");
  return model != document.end() && model->is_string() ? model->get<std::string>() : std::string();
}

}  // namespace splitproof::testee
