#include "proxy/dialect/bedrock_invoke/request.hpp"

#include <algorithm>
#include <variant>

#include "proxy/wire/path_segment.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Block;
using request::Image;
using request::Result;
using request::Turn;

bool is_url(const Image* image) { return image != nullptr && !image->url.empty(); }

bool has_url(const Block& block) {
  if (const auto* result = std::get_if<Result>(&block)) {
    return std::any_of(result->content.begin(), result->content.end(),
                       [](const auto& part) { return is_url(std::get_if<Image>(&part)); });
  }
  return is_url(std::get_if<Image>(&block));
}

}  // namespace

std::optional<request::Refusal> invoke_refusal(const request::Asked& asked) {
  const bool urls = std::any_of(asked.turns.begin(), asked.turns.end(), [](const Turn& turn) {
    return std::any_of(turn.blocks.begin(), turn.blocks.end(), has_url);
  });
  if (!urls) return std::nullopt;
  return request::Refusal{"an image by its URL: has no counterpart in the upstream's protocol"};
}

std::string invoke_body(std::string_view members) {
  return R"({"anthropic_version":"bedrock-2023-05-31",)" + std::string(members) + "}";
}

std::string invoke_path(std::string_view /*base*/, std::string_view model, bool /*stream*/) {
  return "/model/" + wire::path_segment(model) + "/invoke-with-response-stream";
}

}  // namespace splitproof::proxy::dialect
