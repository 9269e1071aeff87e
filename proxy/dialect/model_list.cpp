#include "proxy/dialect/model_list.hpp"

#include <algorithm>
#include <cstdint>

#include "proxy/dialect/table.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

enum class ListForm : std::uint8_t { openai, anthropic, gemini };

constexpr std::string_view kModels = "/v1/models";
constexpr std::string_view kGeminiModels = "/v1beta/models";

// Returns the path of a list at the beginning of `path`; empty without it.
std::string_view list_in(std::string_view path) {
  for (const std::string_view list : {kModels, kGeminiModels}) {
    if (path == list || (path.starts_with(list) && path[list.size()] == '/')) return list;
  }
  return {};
}

ListForm form_of(std::string_view list, const std::function<bool(std::string_view)>& has_header) {
  if (list == kGeminiModels) return ListForm::gemini;
  if (has_header("anthropic-version")) return ListForm::anthropic;
  return has_header(find_client("google.gemini")->key_header) ? ListForm::gemini : ListForm::openai;
}

// Uses the least allowed creation time of each API, because the real one is unknown.
std::string model_json(const std::string& name, ListForm form) {
  const std::string id = wire::quoted(name);
  if (form == ListForm::anthropic)
    return "{\"type\":\"model\",\"id\":" + id + ",\"display_name\":" + id +
           ",\"created_at\":\"1970-01-01T00:00:00Z\"}";
  if (form == ListForm::gemini)
    return "{\"name\":" + wire::quoted("models/" + name) + ",\"displayName\":" + id +
           R"(,"supportedGenerationMethods":["generateContent","streamGenerateContent"]})";
  return "{\"id\":" + id + ",\"object\":\"model\",\"created\":0,\"owned_by\":\"splitproof-proxy\"}";
}

std::string_view protocol_of(ListForm form) {
  return form == ListForm::anthropic ? "anthropic.messages"
         : form == ListForm::gemini  ? "google.gemini"
                                     : "openai.chat";
}

}  // namespace

bool is_model_list(std::string_view path) {
  const bool asks_a_model = find_client("google.gemini")->owns(path) && path.find(':') != path.npos;
  return !list_in(path).empty() && !asks_a_model;
}

Answer answer_model_list(const std::vector<std::string>& models, std::string_view path,
                         const std::function<bool(std::string_view)>& has_header) {
  const std::string_view list_path = list_in(path);
  const ListForm form = form_of(list_path, has_header);
  path.remove_prefix(list_path.size());
  if (path.size() > 1) {
    const std::string name(path.substr(1));
    if (std::find(models.begin(), models.end(), name) != models.end()) return {200, model_json(name, form)};
    return find_client(protocol_of(form))->error(turn::ErrorKind::not_found, "there is no such model here");
  }
  std::string list;
  for (const std::string& name : models) list += (list.empty() ? "" : ",") + model_json(name, form);
  if (form == ListForm::openai) return {200, "{\"object\":\"list\",\"data\":[" + list + "]}"};
  if (form == ListForm::gemini) return {200, "{\"models\":[" + list + "]}"};
  const std::string first = models.empty() ? "null" : wire::quoted(models.front());
  const std::string last = models.empty() ? "null" : wire::quoted(models.back());
  return {200,
          "{\"data\":[" + list + "],\"has_more\":false,\"first_id\":" + first + ",\"last_id\":" + last + "}"};
}

}  // namespace splitproof::proxy::dialect
