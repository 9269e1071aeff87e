#include "harness/results/fields.hpp"

namespace splitproof::results {
namespace {

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Step step = utf8_step(bytes);
    if (step.kind != Utf8Step::Kind::well_formed) return false;
    bytes.remove_prefix(step.length);
  }
  return true;
}

}  // namespace

nlohmann::ordered_json bytes_json(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  return {{"base64", recording::to_base64(bytes)}};
}

std::optional<std::string> bytes_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  const nlohmann::json& base64 = member(value, "base64");
  return base64.is_string() ? recording::from_base64(base64.get<std::string>()) : std::nullopt;
}

}  // namespace splitproof::results
