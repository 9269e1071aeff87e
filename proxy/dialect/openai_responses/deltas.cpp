#include "proxy/dialect/openai_responses/deltas.hpp"

#include <utility>

namespace splitproof::proxy::dialect {

std::string Deltas::take(std::string delta) {
  std::string news = release();
  if (count_ > 1 && sent_.is(delta)) {
    waiting_ = std::move(delta);
    return news;
  }
  send(delta);
  return news.empty() ? delta : news + delta;
}

std::optional<std::string> Deltas::complete(std::string_view whole) {
  std::optional<std::string> rest = sent_.rest_of(whole);
  if (!rest) return std::nullopt;
  drop();
  send(*rest);
  return rest;
}

std::string Deltas::release() {
  send(waiting_);
  return std::exchange(waiting_, {});
}

void Deltas::send(std::string_view text) {
  if (text.empty()) return;
  sent_.add(text);
  ++count_;
}

}  // namespace splitproof::proxy::dialect
