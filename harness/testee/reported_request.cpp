#include "harness/testee/reported_request.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/asked_trace.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::testee {
namespace {

using nlohmann::json;

constexpr int kLeastStatus = 400;
constexpr int kMostStatus = 599;

bool has_only(const json& object, std::initializer_list<std::string_view> names) {
  for (const auto& [name, value] : object.items())
    if (std::find(names.begin(), names.end(), name) == names.end()) return false;
  return true;
}

}  // namespace

tl::expected<void, std::string> add_reported_request(std::string_view text, const std::string& upstream,
                                                     Observation& seen) {
  const auto read = parse_strict_json(text);
  if (!read || !(*read)->is_object()) return tl::unexpected(std::string("`ask` is not a JSON object"));
  const json& ask = **read;
  const json& status = member(ask, "status");
  if (status.is_number_integer() && ask.size() == 1 && status >= kLeastStatus && status <= kMostStatus) {
    seen.http.emplace().status = status.get<int>();
    return {};
  }
  const json& headers = member(ask, "headers");
  const bool has_texts = headers.is_null() || headers.is_object();
  const json& path = member(ask, "path");
  if (!member(ask, "body").is_object() || !has_only(ask, {"path", "headers", "body"}) || !has_texts ||
      !(path.is_null() || path.is_string()))
    return tl::unexpected(std::string("`ask` is neither {path, headers, body} nor {status}"));
  UpstreamCall call;
  call.method = "POST";
  call.target = text_of(path);
  for (const auto& [name, value] : headers.items()) {
    if (!value.is_string()) return tl::unexpected("the header field `" + name + "` of `ask` is not a string");
    call.headers.push_back({name, value.get<std::string>()});
  }
  call.body = ask["body"].dump();
  if (call.target.empty()) {
    const auto* reader = dialect::request_reader_of(upstream + std::string(dialect::kUpstreamSide));
    call.target = reader != nullptr ? "/v1" + std::string(reader->path) : "/";
  }
  seen.calls.push_back(std::move(call));
  return {};
}

}  // namespace splitproof::testee
