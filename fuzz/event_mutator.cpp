// Mutates a stream as JSON events, so that a fuzzer gets past the first brace: it drops, doubles and swaps events, and
// changes one value of an event's JSON. One mutation in four is libFuzzer's own, of bytes.
//
// The first five bytes of an input are choices of the target, the rest is a stream.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;
using Random = std::minstd_rand;

constexpr std::size_t kChoices = 5;
constexpr std::string_view kData = "data:";

std::size_t below(Random& random, std::size_t bound) { return random() % bound; }

std::vector<std::string> events_of(std::string_view stream) {
  std::vector<std::string> events;
  while (!stream.empty()) {
    const std::size_t blank = stream.find("\n\n");
    const std::size_t end = blank == std::string_view::npos ? stream.size() : blank + 2;
    events.emplace_back(stream.substr(0, end));
    stream.remove_prefix(end);
  }
  return events;
}

// Returns the JSON of an event with one data line; discarded without any.
Json json_of(const std::string& event) {
  const std::size_t data = event.find(kData);
  if (data == std::string::npos) return Json(Json::value_t::discarded);
  const std::size_t begin = data + kData.size();
  return Json::parse(event.substr(begin, event.find('\n', begin) - begin), nullptr, false);
}

void put_json(std::string& event, const Json& json) {
  const std::size_t begin = event.find(kData) + kData.size();
  const std::size_t end = std::min(event.find('\n', begin), event.size());
  event.replace(begin, end - begin, " " + json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Returns a random value in `json`, with equal chances for each level.
Json& some_value(Json& json, Random& random) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && below(random, 4) != 0)
    at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(below(random, at->size())));
  return *at;
}

Json odd_value(Random& random) {
  static const std::vector<Json> odd = {nullptr,
                                        "",
                                        0,
                                        -1,
                                        1e300,
                                        true,
                                        Json::array(),
                                        Json::object(),
                                        "\xF0\x9F\x98\x80",
                                        "{\"a\":",
                                        "stop",
                                        18446744073709551615U};
  return odd[below(random, odd.size())];
}

void change_json(std::string& event, const std::string& other, Random& random) {
  Json json = json_of(event);
  if (json.is_discarded()) return;
  Json& value = some_value(json, random);
  switch (below(random, 5)) {
    case 0:
      value = odd_value(random);
      break;
    case 1:
      if (Json donor = json_of(other); !donor.is_discarded()) value = Json(some_value(donor, random));
      break;
    case 2:
      if (value.is_structured() && !value.empty())
        value.erase(std::next(value.begin(), static_cast<std::ptrdiff_t>(below(random, value.size()))));
      break;
    case 3:
      if (value.is_array() && !value.empty()) value.push_back(Json(value[below(random, value.size())]));
      break;
    case 4:
      if (value.is_number_integer()) value = value.get<std::int64_t>() + 1;
      if (value.is_string()) value = value.get<std::string>() + value.get<std::string>();
      break;
  }
  put_json(event, json);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  Random random(seed);
  if (size <= kChoices || below(random, 4) == 0) return LLVMFuzzerMutate(data, size, max_size);

  const std::string_view stream(reinterpret_cast<const char*>(data) + kChoices, size - kChoices);
  std::vector<std::string> events = events_of(stream);
  const std::size_t one = below(random, events.size());
  const std::size_t other = below(random, events.size());
  switch (below(random, 6)) {
    case 0:
      events.erase(events.begin() + static_cast<std::ptrdiff_t>(one));
      break;
    case 1:
      events.insert(events.begin() + static_cast<std::ptrdiff_t>(one), std::string(events[other]));
      break;
    case 2:
      std::swap(events[one], events[other]);
      break;
    default:
      change_json(events[one], events[other], random);
  }

  std::string changed;
  for (const std::string& event : events) changed += event;
  changed.resize(std::min(changed.size(), max_size - kChoices));
  std::copy(changed.begin(), changed.end(), data + kChoices);
  return kChoices + changed.size();
}
