#include "proxy/dialect/google_gemini/target.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "proxy/request/escaped.hpp"
#include "proxy/wire/url.hpp"
#include "proxy/wire/utf8.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kStreamMethod = "streamGenerateContent";
constexpr std::string_view kWholeMethod = "generateContent";
constexpr std::string_view kCountMethod = "countTokens";

// The model and the method in a path.
struct ModelMethod {
  std::string_view model;
  std::string_view method;
};

std::optional<ModelMethod> method_of(std::string_view path) {
  constexpr std::array<std::string_view, 3> kVersions = {"/v1beta/", "/v1beta1/", "/v1/"};
  constexpr std::string_view kModels = "models/";
  constexpr std::string_view kVertex = "projects/";
  for (const std::string_view version : kVersions) {
    if (!path.starts_with(version)) continue;
    path.remove_prefix(version.size());
    if (path.starts_with(kVertex)) {
      const std::size_t models = path.find("/models/");
      if (models == std::string_view::npos) return std::nullopt;
      path.remove_prefix(models + 1);
    }
    const std::size_t colon = path.rfind(':');
    if (!path.starts_with(kModels) || colon == std::string_view::npos || colon <= kModels.size())
      return std::nullopt;
    const std::string_view method = path.substr(colon + 1);
    if (method != kStreamMethod && method != kWholeMethod && method != kCountMethod) return std::nullopt;
    return ModelMethod{path.substr(kModels.size(), colon - kModels.size()), method};
  }
  return std::nullopt;
}

}  // namespace

bool is_gemini_path(std::string_view path) {
  return path == "/v1beta" || path.starts_with("/v1beta/") || path.starts_with("/v1beta1/") ||
         method_of(path).has_value();
}

std::optional<request::Target> read_gemini_target(std::string_view path, std::string_view query) {
  const auto found = method_of(path);
  if (!found || found->method == kCountMethod) return std::nullopt;
  const std::string model = wire::percent_decoded(found->model);
  if (!wire::is_utf8(model)) return std::nullopt;
  const bool stream = found->method == kStreamMethod;
  return request::Target{request::escaped(model), stream,
                         stream && wire::query_member(query, "alt") != "sse"};
}

}  // namespace splitproof::proxy::dialect
