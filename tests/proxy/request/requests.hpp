#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "proxy/upstream_request.hpp"

/// Requests between two protocols, as a proxy makes them.
namespace splitproof::request::requests {

using nlohmann::json;

inline TranslatorOptions between(std::string_view client, std::string_view upstream) {
  TranslatorOptions options;
  options.client = proxy::dialect::find_client(client);
  options.upstream = proxy::dialect::find_upstream(upstream);
  return options;
}

/// Returns the upstream's request for a client's, or "refused: " and the reason.
inline std::string body_of(const TranslatorOptions& options, const std::string& body) {
  const auto written = upstream_request(options, body, [](Asked&) {});
  return written ? written->body : "refused: " + written.error().message;
}

inline json asked_of(const TranslatorOptions& options, const json& body) {
  const std::string written = body_of(options, body.dump());
  json parsed = json::parse(written, nullptr, false);
  return parsed.is_discarded() ? json(written) : parsed;
}

/// Returns a Messages request with these members and the required ones.
inline json messages(json members) {
  members["model"] = "m";
  members["max_tokens"] = 9;
  if (!members.contains("messages")) members["messages"] = json::parse(R"([{"role":"user","content":"Hi"}])");
  return members;
}

inline json tools(std::initializer_list<const char*> names) {
  json list = json::array();
  for (const char* name : names) {
    list.push_back(
        {{"name", name},
         {"description", std::string("does ") + name},
         {"input_schema", {{"type", "object"}, {"properties", {{"path", {{"type", "string"}}}}}}}});
  }
  return list;
}

}  // namespace splitproof::request::requests
