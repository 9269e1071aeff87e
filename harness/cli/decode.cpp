#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/aws_frame.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/framing.hpp"
#include "harness/observe/trace.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/capture.hpp"

namespace splitproof::cli {
namespace {

struct DecodeCommand {
  std::string file;
  std::string protocol;  ///< Empty: AWS event frames if the body begins with one, otherwise sse.
};

using Json = nlohmann::ordered_json;

/// Returns the value of a frame's header: a text, a boolean or a number; bytes of other types in base64.
Json value_of(const AwsHeader& header) {
  if (header.type == kAwsText) return header.value;
  if (header.type == kAwsTrue || header.type == kAwsFalse) return header.type == kAwsTrue;
  constexpr std::uint8_t kUuid = 9;
  if (header.type == kAwsBytes || header.type == kUuid) return recording::to_base64(header.value);
  std::uint64_t number = header.value.front() < 0 ? ~std::uint64_t{0} : 0;
  for (const char byte : header.value) number = number << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(number);
}

/// Prints a line for each frame; payloads that are not text are in base64. False: one was unreadable.
bool print_frames(std::string_view body, const std::string& file) {
  bool all = true;
  observe::for_each_frame(body, Framing::aws_frames, [&](const observe::SseEvent& frame) {
    if (!frame.broken.empty()) {
      std::cerr << "splitproof: " << file << ": bytes " << frame.begin << "-" << frame.end << ": "
                << frame.broken << "\n";
      all = false;
      return true;
    }
    Json line = {{"event", frame.event.value_or("")}, {"headers", Json::object()}};
    for (const AwsHeader& header : frame.headers) line["headers"][header.name] = value_of(header);
    if (frame.ill_formed_data) {
      const std::size_t payload = frame.data_at.front();
      line["base64"] = recording::to_base64(body.substr(payload, frame.end - kAwsCrc - payload));
    } else {
      line["data"] = frame.data;
    }
    line["bytes"] = {frame.begin, frame.end};
    print_json(line);
    return true;
  });
  return all;
}

/// Prints a line for each element of an array. False: the array is cut off, or has bytes that belong to no element.
bool print_elements(std::string_view body, const std::string& file) {
  bool all = true;
  observe::for_each_frame(body, Framing::json_array, [&](const observe::SseEvent& element) {
    if (element.broken.empty() && element.terminated) {
      print_json(Json{{"data", element.data}, {"bytes", {element.begin, element.end}}});
      return true;
    }
    std::cerr << "splitproof: " << file << ": bytes " << element.begin << "-" << element.end << ": "
              << (element.broken.empty() ? "the array is cut off" : element.broken) << "\n";
    all = false;
    return true;
  });
  return all;
}

constexpr const char* kEvents = "sse";

/// True if a body begins with a frame's prelude with a correct CRC. The rest may be damaged.
bool begins_with_frame(std::string_view body) {
  return body.size() >= kAwsPrelude && read_aws_prelude(body).fault.empty();
}

int decode(const DecodeCommand& command) {
  const std::string protocol = command.protocol.empty() ? kEvents : command.protocol;
  const dialect::Dialect* dialect = dialect::find(protocol);
  if (dialect == nullptr) {
    return complain(unknown_protocol(protocol));
  }
  Result<std::string> body = read_file(command.file);
  if (!body) return complain(body.error());
  if (auto packed = recording::refuse_packed(command.file, *body)) return complain(*packed);
  if ((command.protocol.empty() && begins_with_frame(*body)) ||
      dialect::format_of(protocol).framing == Framing::aws_frames) {
    return print_frames(*body, command.file) ? kConforms : kWrongInput;
  }
  std::string stream = *std::move(body);
  const Framing framing = framing_of(dialect::format_of(protocol).framing, stream);
  if (framing == Framing::json_array) return print_elements(stream, command.file) ? kConforms : kWrongInput;
  if (framing == Framing::sse) {
    auto found = streams_in(command.file, std::move(stream));
    if (!found) return complain(found.error());
    if (found->streams.size() > 1) {
      return complain(Error{"is " + found->wrapper + " with several event streams", command.file, 0,
                            "turn each into a recording: splitproof import " + command.file});
    }
    stream = std::move(found->streams[0].body);
  }
  observe::DataKind kind = dialect->is_format ? observe::DataKind::text : observe::DataKind::json;
  const std::string mark = dialect::format_of(protocol).closing_mark;
  if (!mark.empty()) kind.marks.push_back(mark);
  for (const observe::Event& event : observe::read_trace(stream, kind).events) {
    // The standard drops an unterminated event, so it is reported, not printed as an event.
    if (event.fault == observe::StreamFault::unterminated_event) {
      std::cerr << "splitproof: " << command.file << ": bytes " << event.begin << "-" << event.end << ": "
                << event.fault_reason << "\n";
      continue;
    }
    nlohmann::ordered_json line = {{"event", event.event && !event.event->empty() ? *event.event : "message"},
                                   {"data", event.data},
                                   {"id", event.id},
                                   {"bytes", {event.begin, event.end}}};
    if (event.retry) line["retry"] = *event.retry;
    if (event.fault != observe::StreamFault::none) line["fault"] = observe::name(event.fault);
    print_json(line);
  }
  return kConforms;
}

void add_options(Options& options, DecodeCommand& decode) {
  options.text("FILE", decode.file, "raw response body; - reads standard input").required();
  options
      .text("--as", decode.protocol,
            "sse, or a protocol (default: recognise AWS event frames by their first bytes, and read "
            "other bodies as sse)")
      .type("PROTOCOL");
}

}  // namespace

const Command kDecode = {"decode", "Print the events of a stream, one JSON object per line",
                         "splitproof decode capture.sse", adding(add_options, decode)};

}  // namespace splitproof::cli
