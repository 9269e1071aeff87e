#include "proxy/server/model_list.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "proxy/dialect/table.hpp"

namespace splitproof::server {
namespace {

constexpr std::string_view kModels = "/v1/models";

std::vector<std::string> names_of(const Models& models) {
  if (!models.only.empty()) return {models.only};
  std::vector<std::string> names;
  for (const auto& [asked, upstream] : models.mapped) names.push_back(asked);
  return names;
}

// When a model was made is not known: these are the least that each API allows.
std::string model_json(const std::string& name, bool anthropic) {
  const std::string id = wire::quoted(name);
  if (anthropic)
    return "{\"type\":\"model\",\"id\":" + id + ",\"display_name\":" + id +
           ",\"created_at\":\"1970-01-01T00:00:00Z\"}";
  return "{\"id\":" + id + ",\"object\":\"model\",\"created\":0,\"owned_by\":\"splitproof-proxy\"}";
}

}  // namespace

bool is_models(std::string_view path) {
  return path == kModels || (path.starts_with(kModels) && path[kModels.size()] == '/');
}

proxy::dialect::Answer answer_models(const Models& models, std::string_view path, bool anthropic) {
  const std::vector<std::string> names = names_of(models);
  path.remove_prefix(kModels.size());
  if (path.size() > 1) {
    const std::string name(path.substr(1));
    if (std::find(names.begin(), names.end(), name) != names.end()) return {200, model_json(name, anthropic)};
    const std::string_view protocol = anthropic ? "anthropic.messages" : "openai.chat";
    return proxy::dialect::find_client(protocol)->error(turn::ErrorKind::not_found,
                                                        "there is no such model here");
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + model_json(name, anthropic);
  if (!anthropic) return {200, "{\"object\":\"list\",\"data\":[" + list + "]}"};
  const std::string first = names.empty() ? "null" : wire::quoted(names.front());
  const std::string last = names.empty() ? "null" : wire::quoted(names.back());
  return {200,
          "{\"data\":[" + list + "],\"has_more\":false,\"first_id\":" + first + ",\"last_id\":" + last + "}"};
}

}  // namespace splitproof::server
