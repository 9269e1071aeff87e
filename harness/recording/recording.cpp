#include "harness/recording/recording.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"
#include "harness/write_file.hpp"

namespace splitproof::recording {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::array<End, 4> kEnds = {End::complete, End::closed, End::reset, End::stall};
constexpr const char* kEndedBy = "ended_by";  // in the provenance; in a file it is `by` on the last line
constexpr const char* kNameOfAProtocol = "use small letters, digits, '.', '-' and '_'";

bool can_name_a_protocol(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") == name.npos;
}

/// A defect of a line, without the line's number.
struct Complaint {
  std::string what;
  std::string hint;
};

using Checked = std::optional<Complaint>;

/// Returns `text`, or its first whole characters, for a message.
std::string in_ticks(std::string_view text) {
  text = text.substr(0, 80);
  return "`" + std::string(text.substr(0, find_ill_formed_utf8(text))) + "`";
}

/// Complains about the first key of `object` that is not among `known`.
Checked unknown_key(const json& object, std::initializer_list<std::string_view> known,
                    const std::string& where) {
  for (const auto& item : object.items()) {
    if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
    std::string list;
    for (const std::string_view key : known) list += (list.empty() ? "" : ", ") + std::string(key);
    return Complaint{where + " has the unknown key " + in_ticks(item.key()), "known are " + list};
  }
  return std::nullopt;
}

/// Reads `object[key]` into `text` if it exists.
Checked read_string(const json& object, const char* key, std::string& text) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!found->is_string()) return Complaint{in_ticks(key) + " is not a string", ""};
  text = found->get<std::string>();
  return std::nullopt;
}

/// Keeps a copy of `object[key]` if it exists.
Checked keep_object(const json& object, const char* key, std::shared_ptr<const json>& part) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!found->is_object()) return Complaint{in_ticks(key) + " is not an object", ""};
  part = std::make_shared<const json>(*found);
  return std::nullopt;
}

bool is_status(double status) { return status >= 100 && status <= 599; }

/// Complains about a header that would break the response head.
Checked check_header(const std::string& name, const std::string& value) {
  const auto is_control = [](char c) { return c == '\r' || c == '\n' || c == '\0'; };
  const auto is_separator = [&](char c) { return is_control(c) || c == ' ' || c == ':'; };
  if (name.empty() || std::any_of(name.begin(), name.end(), is_separator) ||
      std::any_of(value.begin(), value.end(), is_control)) {
    return Complaint{"the response header " + in_ticks(name) + " cannot be sent",
                     "a name must have no space or colon, and a value no line end"};
  }
  return std::nullopt;
}

Checked read_response(const json& head, Recording& recording) {
  const auto response = head.find("response");
  if (response == head.end()) {
    return Complaint{"the head has no `response`", "add \"response\":{\"status\":200,\"headers\":{}}"};
  }
  if (!response->is_object()) return Complaint{"`response` is not an object", ""};
  if (auto wrong = unknown_key(*response, {"status", "headers"}, "`response`")) return wrong;
  const auto status = response->find("status");
  if (status == response->end() || !status->is_number_integer() || !is_status(status->get<double>())) {
    return Complaint{"`response` has no `status` that is a whole number from 100 to 599", ""};
  }
  recording.status = status->get<int>();
  const auto headers = response->find("headers");
  if (headers == response->end()) return std::nullopt;
  if (!headers->is_object()) return Complaint{"`headers` is not an object", ""};
  for (const auto& header : headers->items()) {
    if (!header.value().is_string()) {
      return Complaint{"the value of the response header " + in_ticks(header.key()) + " is not a string", ""};
    }
    const auto value = header.value().get<std::string>();
    if (auto wrong = check_header(header.key(), value)) return wrong;
    recording.headers.emplace(header.key(), value);
  }
  return std::nullopt;
}

Checked read_head(const json& head, Recording& recording) {
  const auto version = head.find("splitproof");
  if (version == head.end()) {
    return Complaint{"the head is missing", "line 1 begins {\"splitproof\":1,\"protocol\":..."};
  }
  if (*version != kVersion || !version->is_number_integer()) {
    return Complaint{"the format version " + in_ticks(version->dump(-1, ' ', true)) + " is unknown",
                     "this build reads version 1"};
  }
  if (auto wrong = unknown_key(
          head,
          {"splitproof", "protocol", "title", "response", "requests", "expect", "provenance", "features"},
          "the head")) {
    return wrong;
  }
  if (auto wrong = read_string(head, "protocol", recording.protocol)) return wrong;
  if (recording.protocol.empty()) return Complaint{"the head has no `protocol`", kNameOfAProtocol};
  if (!can_name_a_protocol(recording.protocol)) {
    return Complaint{in_ticks(recording.protocol) + " cannot be the name of a protocol", kNameOfAProtocol};
  }
  if (auto wrong = read_string(head, "title", recording.title)) return wrong;
  if (auto wrong = read_response(head, recording)) return wrong;
  if (auto wrong = keep_object(head, "requests", recording.requests)) return wrong;
  if (recording.requests) {
    for (const auto& request : recording.requests->items()) {
      if (!request.value().is_object()) {
        return Complaint{"the request for " + in_ticks(request.key()) + " is not an object", ""};
      }
    }
  }
  if (auto wrong = keep_object(head, "expect", recording.expect)) return wrong;
  if (auto wrong = keep_object(head, "provenance", recording.provenance)) return wrong;
  const auto features = head.find("features");
  if (features == head.end()) return std::nullopt;
  if (!features->is_array()) return Complaint{"`features` is not an array", ""};
  for (const json& feature : *features) {
    if (!feature.is_string()) return Complaint{"`features` has a value that is not a string", ""};
    recording.features.push_back(feature.get<std::string>());
  }
  return std::nullopt;
}

double last_time(const Recording& recording) {
  return recording.arrivals.empty() ? 0 : recording.arrivals.back().at;
}

Checked check_time(double at, double previous) {
  if (!std::isfinite(at) || at < 0) return Complaint{"the time is not a number of seconds from 0 up", ""};
  if (at < previous)
    return Complaint{"the time goes backwards", "order the lines by `at`, so that times never decrease"};
  return std::nullopt;
}

/// Keeps the side that ended the response with the other facts about the source.
Checked read_side(const json& line, Recording& recording) {
  std::string side;
  if (!line.contains("by")) return std::nullopt;
  if (auto wrong = read_string(line, "by", side)) return wrong;
  if (side != "provider" && side != "client" && side != "recorder")
    return Complaint{"the side " + in_ticks(side) + " is unknown", "use provider, client or recorder"};
  json provenance = recording.provenance ? *recording.provenance : json::object();
  provenance[kEndedBy] = side;
  recording.provenance = std::make_shared<const json>(std::move(provenance));
  return std::nullopt;
}

/// Reads a line after the head: a chunk, or the end, which sets `ended`.
Checked read_line(const json& line, Recording& recording, bool& ended) {
  if (ended) return Complaint{"a line follows the line with `end`", "the line with `end` must be the last"};
  if (line.contains("splitproof")) {
    return Complaint{"the recording has a second head",
                     "write one recording per file; only line 1 may have `splitproof`"};
  }
  const bool is_end = line.contains("end");
  auto wrong_key = is_end ? unknown_key(line, {"at", "text", "base64", "end", "by"}, "the line")
                          : unknown_key(line, {"at", "text", "base64", "end"}, "the line");
  if (wrong_key) return wrong_key;
  if (line.contains("text") + line.contains("base64") + line.contains("end") != 1) {
    return Complaint{"the line must have exactly one of `text`, `base64` and `end`", ""};
  }
  const auto at = line.find("at");
  if (at == line.end() || !at->is_number()) return Complaint{"`at` is not a number of seconds", ""};
  const auto time = at->get<double>();
  if (auto wrong = check_time(time, last_time(recording))) return wrong;
  std::string content;
  for (const char* key : {"text", "base64", "end"}) {
    if (auto wrong = read_string(line, key, content)) return wrong;
  }
  if (is_end) {
    const auto end = std::find_if(kEnds.begin(), kEnds.end(), [&](End e) { return name(e) == content; });
    if (end == kEnds.end()) {
      return Complaint{"the end " + in_ticks(content) + " is unknown",
                       "use complete, closed, reset or stall"};
    }
    recording.end = *end;
    recording.ended_at = time;
    ended = true;
    return read_side(line, recording);
  }
  if (line.contains("base64")) {
    auto bytes = from_base64(content);
    if (!bytes) return Complaint{"`base64` is not base64", "RFC 4648 with padding and without white space"};
    content = std::move(*bytes);
  }
  if (content.empty()) return Complaint{"a chunk is empty", "remove the line"};
  recording.body += content;
  recording.arrivals.push_back({time, recording.body.size()});
  return std::nullopt;
}

/// Parses one line of the file into a JSON object.
tl::expected<std::shared_ptr<const json>, Complaint> read_object(std::string_view line) {
  const std::size_t ill_formed = find_ill_formed_utf8(line);
  if (ill_formed != line.npos) {
    return tl::unexpected(Complaint{"not UTF-8 at byte " + std::to_string(ill_formed + 1) + " of the line",
                                    "write a chunk that is not UTF-8 as `base64`"});
  }
  if (line.find_first_not_of(" \t\r") == line.npos)
    return tl::unexpected(Complaint{"the line is empty", "remove it"});
  auto parsed = parse_strict_json(line);
  if (!parsed) {
    return tl::unexpected(Complaint{"not JSON at byte " + std::to_string(parsed.error().at + 1) +
                                        " of the line: " + parsed.error().reason,
                                    ""});
  }
  if (!(*parsed)->is_object()) return tl::unexpected(Complaint{"the line is not a JSON object", ""});
  return std::move(*parsed);
}

std::string id_of(const std::string& path) {
  std::string id = std::filesystem::path(path).filename().string();
  if (id.ends_with(kSuffix)) id.resize(id.size() - kSuffix.size());
  return id;
}

bool same(const std::shared_ptr<const json>& a, const std::shared_ptr<const json>& b) {
  return a == b || (a && b && *a == *b);
}

/// Checks that parse() can read the recording back. Strings that are not UTF-8 are found when they are
/// dumped.
Checked check(const Recording& recording) {
  if (!can_name_a_protocol(recording.protocol)) {
    return Complaint{in_ticks(recording.protocol) + " cannot be the name of a protocol", kNameOfAProtocol};
  }
  if (!is_status(recording.status)) return Complaint{"the status is not from 100 to 599", ""};
  for (const auto& header : recording.headers) {
    if (auto wrong = check_header(header.first, header.second)) return wrong;
  }
  double time = 0;
  std::size_t end = 0;
  for (const Arrival& arrival : recording.arrivals) {
    if (auto wrong = check_time(arrival.at, time)) return wrong;
    if (arrival.end <= end || arrival.end > recording.body.size()) {
      return Complaint{"the arrivals do not cut the body into chunks",
                       "the ends of arrivals must increase up to the body's size"};
    }
    time = arrival.at;
    end = arrival.end;
  }
  if (end != recording.body.size()) {
    return Complaint{"the last arrival ends before the body does",
                     "the ends of arrivals must increase up to the body's size"};
  }
  return check_time(recording.ended_at, time);
}

}  // namespace

std::string_view name(End end) {
  switch (end) {
    case End::complete:
      return "complete";
    case End::closed:
      return "closed";
    case End::reset:
      return "reset";
    case End::stall:
      return "stall";
  }
  return "";
}

bool follows_real_stream(const Recording& recording) {
  if (!recording.provenance) return true;
  const nlohmann::json& provenance = *recording.provenance;
  if (provenance.contains("after") || provenance.contains("incidents")) return true;
  const auto source = provenance.find("source");
  return source == provenance.end() ||
         (*source != "written for splitproof" && *source != "made by splitproof shrink");
}

bool operator==(const Recording& a, const Recording& b) {
  return a.id == b.id && a.protocol == b.protocol && a.title == b.title && a.status == b.status &&
         a.headers == b.headers && a.body == b.body && a.arrivals == b.arrivals && a.end == b.end &&
         a.ended_at == b.ended_at && a.features == b.features && same(a.requests, b.requests) &&
         same(a.expect, b.expect) && same(a.provenance, b.provenance);
}

Result<Recording> parse(std::string_view text, const std::string& path) {
  Recording recording;
  recording.id = id_of(path);
  recording.path = path;
  if (text.empty()) {
    return tl::unexpected(Error{"the file is empty", path, 1, "write at least the head of the recording"});
  }
  bool ended = false;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = rest.find('\n');
    const bool finished = length != rest.npos;
    const std::string_view line = rest.substr(0, length);
    rest.remove_prefix(finished ? length + 1 : rest.size());
    ++number;
    const auto object = read_object(line);
    Checked wrong;
    if (!object) {
      if (!finished && number > 1 && !ended) {
        recording.warnings.push_back("line " + std::to_string(number) + " is unfinished and is ignored");
        break;
      }
      wrong = object.error();
    } else {
      wrong = number == 1 ? read_head(**object, recording) : read_line(**object, recording, ended);
    }
    if (wrong) return tl::unexpected(Error{std::move(wrong->what), path, number, std::move(wrong->hint)});
  }
  if (!ended) {
    recording.end = End::reset;
    recording.ended_at = last_time(recording);
    recording.warnings.push_back(
        "the file has no last line with `end`, so splitproof ends the stream with a reset");
  }
  return recording;
}

Result<Recording> load(const std::string& path) {
  return read_file(path).and_then([&](const std::string& text) { return parse(text, path); });
}

Result<std::string> to_text(const Recording& recording) {
  if (auto wrong = check(recording)) {
    return tl::unexpected(Error{std::move(wrong->what), recording.path, 0, std::move(wrong->hint)});
  }
  try {
    // The head's keys in reading order.
    std::string text = "{\"splitproof\":" + std::to_string(kVersion);
    const auto add = [&](const char* key, const json& value) {
      text.append(",\"").append(key).append("\":").append(value.dump());
    };
    add("protocol", recording.protocol);
    if (!recording.title.empty()) add("title", recording.title);
    add("response", {{"status", recording.status}, {"headers", recording.headers}});
    if (recording.requests) add("requests", *recording.requests);
    if (recording.expect) add("expect", *recording.expect);
    json side;
    if (recording.provenance) {
      json provenance = *recording.provenance;
      if (provenance.contains(kEndedBy)) side = provenance[kEndedBy];
      provenance.erase(kEndedBy);
      add("provenance", provenance);
    }
    if (!recording.features.empty()) add("features", recording.features);
    text += "}\n";
    std::size_t begin = 0;
    for (const Arrival& arrival : recording.arrivals) {
      const std::string_view chunk = std::string_view(recording.body).substr(begin, arrival.end - begin);
      begin = arrival.end;
      text += "{\"at\":" + json(arrival.at).dump();
      if (find_ill_formed_utf8(chunk) == chunk.npos) {
        add("text", chunk);
      } else {
        add("base64", to_base64(chunk));
      }
      text += "}\n";
    }
    text += "{\"at\":" + json(recording.ended_at).dump();
    add("end", name(recording.end));
    if (side.is_string()) add("by", side);
    text += "}\n";
    return text;
  } catch (const json::exception&) {
    return tl::unexpected(Error{"a string in the head is not UTF-8", recording.path, 0, ""});
  }
}

Result<void> save(const Recording& recording, const std::string& path) {
  const auto text = to_text(recording);
  if (!text) return tl::unexpected(text.error());
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  return write_file(path, *text);
}

}  // namespace splitproof::recording
