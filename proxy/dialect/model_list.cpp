#include "proxy/dialect/model_list.hpp"

#include <algorithm>

#include "proxy/dialect/table.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kModels = "/v1/models";

// Uses the least allowed creation time of each API, because the real one is unknown.
std::string model_json(const std::string& name, bool anthropic) {
  const std::string id = wire::quoted(name);
  if (anthropic)
    return "{\"type\":\"model\",\"id\":" + id + ",\"display_name\":" + id +
           ",\"created_at\":\"1970-01-01T00:00:00Z\"}";
  return "{\"id\":" + id + ",\"object\":\"model\",\"created\":0,\"owned_by\":\"splitproof-proxy\"}";
}

}  // namespace

bool is_model_list(std::string_view path) {
  return path == kModels || (path.starts_with(kModels) && path[kModels.size()] == '/');
}

Answer answer_model_list(const std::vector<std::string>& models, std::string_view path, bool anthropic) {
  path.remove_prefix(kModels.size());
  if (path.size() > 1) {
    const std::string name(path.substr(1));
    if (std::find(models.begin(), models.end(), name) != models.end())
      return {200, model_json(name, anthropic)};
    const std::string_view protocol = anthropic ? "anthropic.messages" : "openai.chat";
    return find_client(protocol)->error(turn::ErrorKind::not_found, "there is no such model here");
  }
  std::string list;
  for (const std::string& name : models) list += (list.empty() ? "" : ",") + model_json(name, anthropic);
  if (!anthropic) return {200, "{\"object\":\"list\",\"data\":[" + list + "]}"};
  const std::string first = models.empty() ? "null" : wire::quoted(models.front());
  const std::string last = models.empty() ? "null" : wire::quoted(models.back());
  return {200,
          "{\"data\":[" + list + "],\"has_more\":false,\"first_id\":" + first + ",\"last_id\":" + last + "}"};
}

}  // namespace splitproof::proxy::dialect
