#include "proxy/dialect/bedrock_converse/target.hpp"

#include <string>

#include "proxy/request/escaped.hpp"
#include "proxy/wire/url.hpp"
#include "proxy/wire/utf8.hpp"

namespace splitproof::proxy::dialect {
namespace {

constexpr std::string_view kModel = "/model/";

}  // namespace

bool is_converse_path(std::string_view path) { return path == "/model" || path.starts_with(kModel); }

std::optional<request::Target> read_converse_target(std::string_view path, std::string_view /*query*/) {
  if (!path.starts_with(kModel)) return std::nullopt;
  path.remove_prefix(kModel.size());
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  const std::string_view operation = path.substr(slash + 1);
  if (operation != "converse" && operation != "converse-stream") return std::nullopt;
  const std::string model = wire::percent_decoded(path.substr(0, slash));
  if (!wire::is_utf8(model)) return std::nullopt;
  return request::Target{request::escaped(model), operation == "converse-stream", false};
}

}  // namespace splitproof::proxy::dialect
