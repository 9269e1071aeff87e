#include "proxy/upstream_request.hpp"

#include <utility>

#include "proxy/request/head.hpp"
#include "proxy/request/twin_calls.hpp"

namespace splitproof {

tl::expected<UpstreamRequest, request::Refusal> upstream_request(
    const TranslatorOptions& options, std::string_view body,
    const std::function<void(request::Asked&)>& choose_model) {
  const std::size_t depth = options.rules.limits.json_depth;
  auto asked = options.relays() ? request::read_head(body, depth) : options.client->read_request(body, depth);
  if (!asked) return tl::unexpected(asked.error());
  choose_model(*asked);
  if (options.relays()) {
    std::string same = request::with_model(body, asked->model, depth);
    return UpstreamRequest{*std::move(asked), std::move(same)};
  }
  request::tell_calls_apart(*asked);
  auto written = options.upstream->write_request(*asked, options.dialect);
  if (!written) return tl::unexpected(written.error());
  return UpstreamRequest{*std::move(asked), *std::move(written)};
}

}  // namespace splitproof
