#include "harness/import/har_messages.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json_member.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::imports {
namespace {

using nlohmann::json;

/// Writes a browser's message as the event that caused it. The browser keeps neither comments nor spaces.
std::string event_of(const json& message, std::string& last_id) {
  std::string event;
  const std::string name = string_at(message, "eventName");
  if (!name.empty() && name != "message") event += "event: " + name + "\n";
  if (const std::string id = string_at(message, "eventId"); id != last_id) {
    event += "id: " + id + "\n";
    last_id = id;
  }
  std::string_view data;
  const std::string text = string_at(message, "data");
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    data = std::string_view(text).substr(begin, end - begin);
    event.append("data: ").append(data) += '\n';
    begin = end + 1;
  }
  return event + "\n";
}

/// Returns the seconds from the request to each message. They never decrease. If the file has no time of the request, they
/// count from the first message.
std::vector<double> times_of(const json& messages, double started) {
  const double first = messages.empty() ? 0 : number_at(messages[0], "time");
  constexpr double kDay = 86400;
  const double base = first - started >= 0 && first - started < kDay ? started : first;
  std::vector<double> times;
  for (const json& message : messages)
    times.push_back(std::max(times.empty() ? 0 : times.back(), number_at(message, "time") - base));
  return times;
}

}  // namespace

double number_at(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number() ? value.get<double>() : 0.0;
}

void take_messages(const json& messages, double started, ImportedResponse& response) {
  std::string last_id;
  const std::vector<double> times = times_of(messages, started);
  for (std::size_t i = 0; i < times.size(); ++i) {
    response.body += event_of(messages[i], last_id);
    response.arrivals.push_back({times[i], response.body.size()});
    response.ended_at = times[i];
  }
  response.segments = Segments::frames;
}

void take_times_of_messages(const json& messages, double started, ImportedResponse& response) {
  if (!messages.is_array() || messages.empty()) return;
  observe::SseReader reader;  // a browser drops an event without its blank line, so nothing calls finish()
  reader.feed(response.body);
  const std::vector<observe::SseEvent>& events = reader.events();
  const auto is_message = [](const observe::SseEvent& event, const json& message) {
    return event.data == string_at(message, "data");
  };
  if (!std::equal(events.begin(), events.end(), messages.begin(), messages.end(), is_message)) return;
  const std::vector<double> times = times_of(messages, started);
  response.arrivals.clear();
  for (std::size_t i = 0; i < events.size(); ++i) response.arrivals.push_back({times[i], events[i].end});
  response.arrivals.back().end = response.body.size();  // with what follows the last event
  response.ended_at = std::max(response.ended_at, times.back());
  response.segments = Segments::frames;
}

}  // namespace splitproof::imports
