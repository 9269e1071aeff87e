#include "proxy/text/functions.hpp"

#include <algorithm>
#include <cstddef>

#include "proxy/wire/json.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::text {
namespace {

constexpr std::size_t kSchemaDepth = 128;

bool fits_in_markup(std::string_view name) {
  if (name.empty() || name.front() == '{') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != '<' && c != '>' && c != '"';
  });
}

}  // namespace

Functions::Functions(const std::vector<Function>& declared) {
  for (const Function& function : declared) {
    if (!fits_in_markup(function.name)) continue;
    Types& types = types_[function.name];
    const wire::JsonDocument schema(function.schema, kSchemaDepth);
    for (wire::Json key = schema.root()["properties"].first_key(); key; key = key.next())
      types[wire::whole(key.text())] = key.value()["type"].text();
  }
}

bool Functions::may_become(std::string_view begin) const {
  const auto next = types_.lower_bound(begin);
  return next != types_.end() && next->first.starts_with(begin);
}

std::string_view Functions::type_of(std::string_view name, std::string_view key) const {
  const auto function = types_.find(name);
  if (function == types_.end()) return {};
  const auto type = function->second.find(key);
  return type == function->second.end() ? std::string_view() : std::string_view(type->second);
}

}  // namespace splitproof::text
