#include "proxy/request/head.hpp"

#include <utility>

#include "proxy/request/members.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json_splice.hpp"

namespace splitproof::request {

using wire::Json;

tl::expected<Asked, Refusal> read_head(std::string_view body, const Limits& limits, bool in_target) {
  return read_document(body, limits, [&](const Json& request) {
    if (!request.is(wire::JsonKind::object)) throw Refusal{"the request has to be a JSON object"};
    Asked asked;
    if (!in_target || given(request["model"])) asked.model = need_name(request["model"], "model", limits);
    asked.stream = read_flag(request, "stream", false);
    return asked;
  });
}

std::string with_model(std::string_view body, const std::string& model, std::size_t depth) {
  const wire::JsonDocument document(body, depth);
  wire::JsonSplice splice(body);
  for (Json key = document.root().first_key(); key; key = key.next()) {
    if (key.text() == "model") splice.replace(key.value().raw(), "\"" + model + "\"");
  }
  return std::move(splice).done();
}

}  // namespace splitproof::request
