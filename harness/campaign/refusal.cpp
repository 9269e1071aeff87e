#include "harness/campaign/refusal.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/json_member.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::campaign {
namespace {

using nlohmann::json;

constexpr int kFirstError = 400;  // of HTTP's statuses
constexpr int kLastError = 599;

bool has_socket_of_client(const testee::Observation& observation) {
  const auto is_accepted = [](const testee::SocketEvent& event) {
    const auto side = event.members.find("side");
    return event.type == "handshake" && side != event.members.end() && side->second == "client";
  };
  return !observation.http && std::any_of(observation.socket.begin(), observation.socket.end(), is_accepted);
}

// Returns the status that an error message reports in place of an answer, or 0.
int status_of_message(std::string_view message) {
  const json document = json::parse(message, nullptr, false);
  if (!document.is_object() || string_at(document, "type") != "error") return 0;
  const json& status = member(document, "status");
  const bool is_refusal = status.is_number_integer() && member(document, "error").is_object() &&
                          status >= kFirstError && status <= kLastError;
  return is_refusal ? status.get<int>() : 0;
}

}  // namespace

int refused_status(const testee::Observation& observation) {
  if (observation.http) return observation.http->status >= kFirstError ? observation.http->status : 0;
  if (!has_socket_of_client(observation)) return 0;
  observe::SseReader reader;
  reader.feed(observation.body);
  reader.finish();
  return reader.events().size() == 1 ? status_of_message(reader.events().front().data) : 0;
}

}  // namespace splitproof::campaign
