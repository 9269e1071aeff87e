#include "harness/selftest/streams.hpp"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/stream_frames.hpp"
#include "harness/selftest/words_of.hpp"

namespace splitproof::selftest {

std::string shape_of(const Stream& stream) {
  const dialect::SelfTestWords& words = words_of(stream.protocol);
  std::string shape;
  std::string last;
  int run = 0;
  for (const dialect::Frame& frame : dialect::frames_of(stream.body)) {
    std::string label = frame.json ? words.event_class(*frame.json) : frame.data.substr(0, 16);
    run = label == last ? run + 1 : 1;
    if (run <= 2) shape += label + "\n";
    last = std::move(label);
  }
  return shape;
}

std::vector<Stream> one_of_each_shape(const std::vector<Stream>& streams) {
  std::map<std::pair<std::string, std::string>, std::size_t> shortest;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const auto [place, is_new] = shortest.emplace(std::pair(streams[i].protocol, shape_of(streams[i])), i);
    if (!is_new && streams[i].body.size() < streams[place->second].body.size()) place->second = i;
  }
  std::vector<bool> chosen(streams.size());
  for (const auto& entry : shortest) chosen[entry.second] = true;
  std::vector<Stream> kept;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (chosen[i]) kept.push_back(streams[i]);
  }
  return kept;
}

}  // namespace splitproof::selftest
