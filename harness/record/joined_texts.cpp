#include "harness/record/joined_texts.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "harness/aws_frame.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/framing.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::record {
namespace {

using nlohmann::json;

class TextJoiner {
 public:
  void take_data(std::string_view data) {
    if (const auto parsed = parse_strict_json(data)) {
      take("", **parsed);
    } else {
      add("", data);
    }
  }

  // A text that all events repeat, such as an id, has no pieces.
  std::vector<std::string> texts() && {
    std::vector<std::string> texts;
    for (auto& [place, joined] : texts_)
      if (joined.has_pieces) texts.push_back(std::move(joined.text));
    return texts;
  }

 private:
  struct Joined {
    std::string text;
    std::string first;
    bool has_pieces = false;
  };

  void add(const std::string& place, std::string_view piece) {
    const auto [found, is_new] = texts_.try_emplace(place);
    Joined& joined = found->second;
    if (is_new) joined.first = piece;
    joined.has_pieces = joined.has_pieces || piece != joined.first;
    joined.text += piece;
  }

  // Members that distinguish the texts of one place.
  static bool is_index(const std::string& name) {
    return name == "index" || name.ends_with("_index") || name == "item_id" || name == "type";
  }

  void take(const std::string& place, const json& value) {
    if (value.is_string()) return take_text(place, value.get_ref<const std::string&>());
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) take(place + "/" + std::to_string(i), value[i]);
    }
    if (!value.is_object()) return;
    std::string here = place;
    for (const auto& [name, member] : value.items())
      if (is_index(name) && member.is_primitive()) here += "," + member.dump();
    for (const auto& [name, member] : value.items()) take(here + "/" + name, member);
  }

  // Some frames have their JSON in base64.
  void take_text(const std::string& place, const std::string& text) {
    if (place.ends_with("/bytes")) {
      const auto decoded = recording::from_base64(text);
      if (decoded && parse_strict_json(*decoded)) return take_data(*decoded);
    }
    add(place, text);
  }

  std::map<std::string, Joined> texts_;
};

void take_frames(std::string_view body, TextJoiner& texts) {
  while (!body.empty()) {
    const AwsPrelude prelude = read_aws_prelude(body);
    if (!prelude.fault.empty() || prelude.size == 0 || prelude.size > body.size()) return;
    const std::string_view frame = body.substr(0, prelude.size);
    const ReadAwsFrame read = read_aws_frame(frame);
    if (read.fault.empty())
      texts.take_data(
          frame.substr(read.frame.payload_begin, frame.size() - kAwsCrc - read.frame.payload_begin));
    body.remove_prefix(prelude.size);
  }
}

}  // namespace

std::vector<std::string> joined_texts(std::string_view body, Framing of_protocol) {
  TextJoiner texts;
  const Framing framing = framing_of(of_protocol, body);
  if (framing == Framing::aws_frames) {
    take_frames(body, texts);
  } else if (framing == Framing::sse) {
    observe::BodyStream events(body, observe::DataKind::text);
    observe::for_each_event(events, [&](const observe::Event& event) {
      texts.take_data(event.data);
      return true;
    });
  } else if (framing == Framing::json_array) {
    observe::for_each_frame(body, framing, [&](const observe::SseEvent& element) {
      texts.take_data(element.data);
      return true;
    });
  } else {
    for (const std::string_view line : recording::lines_of(body)) texts.take_data(line);
  }
  return std::move(texts).texts();
}

}  // namespace splitproof::record
