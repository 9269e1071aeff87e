#include "harness/testee/pipe_protocol.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/observe/read_answer.hpp"
#include "harness/observe/read_event.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/recording/base64.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::testee {
namespace {

using Json = nlohmann::json;

PipeWord garbage(std::string_view wrong, std::string_view line) {
  return {PipeWord::Kind::garbage, std::string(wrong) + ": " + in_backticks(line), {}};
}

PipeWord read_out(const Json& value, std::string_view line) {
  if (!value.is_string()) return garbage("`out` is not a string", line);
  std::optional<std::string> bytes = recording::from_base64(value.get_ref<const std::string&>());
  if (!bytes) return garbage("`out` is not base64", line);
  return {PipeWord::Kind::out, std::move(*bytes), {}};
}

PipeWord read_skip(const Json& object, std::string_view line) {
  const Json& reason = object["skip"];
  const auto issue = object.find("issue");
  if (!reason.is_string()) return garbage("`skip` is not a string", line);
  if (issue != object.end() && !issue->is_string()) return garbage("`issue` is not a string", line);
  return {PipeWord::Kind::skip, reason, issue == object.end() ? std::string() : issue->get<std::string>()};
}

constexpr const char* kTranslatorWords = "`out`, `ask`, `cut`, `ack`, `digest`, `skip` and `error`";
constexpr const char* kReaderWords = "`event`, `error`, `ack` and `skip`";

// Reads the value of `event`. Without a type or an id, the member is null or absent.
PipeWord read_event(const Json& value, std::string_view line) {
  if (!value.is_object()) return garbage("`event` is not an object", line);
  observe::ReadEvent event;
  for (const auto& [key, member] : value.items()) {
    std::string* text = key == "event"  ? &event.type
                        : key == "data" ? &event.data
                        : key == "id"   ? &event.id
                                        : nullptr;
    if (text == nullptr)
      return garbage("an event has only `event`, `data` and `id`, and not `" + key + "`", line);
    if (member.is_null() && key != "data") continue;
    if (!member.is_string()) return garbage("`" + key + "` of an event is not a string", line);
    *text = member;
  }
  if (!value.contains("data")) return garbage("an event has no `data`", line);
  return {PipeWord::Kind::out, observe::line_of(event), {}};
}

constexpr const char* kClientWords = "`told`, `answer` and `skip`";

// Reads a line of a client. Its texts may have halves of a surrogate pair, because some languages allow them.
PipeWord read_client_word(std::string_view line) {
  using Value = observe::WireJson;
  const auto object = observe::parse_wire_json(line);
  if (!object) return garbage("a line is not JSON (" + object.error().reason + ")", line);
  if (object->kind != Value::Kind::object) return garbage("a line is not a JSON object", line);
  if (object->children.size() != 1)
    return garbage(std::string("a line must have exactly one of ") + kClientWords, line);
  const Value& value = object->children.front();
  if (value.key == "told") {
    const auto told = observe::read_told(value.raw);
    return told ? PipeWord{PipeWord::Kind::out, observe::line_of_told(*told), {}}
                : garbage(told.error(), line);
  }
  if (value.key == "answer") {
    const auto answer = observe::read_answer(value.raw);
    return answer ? PipeWord{PipeWord::Kind::answer, observe::line_of(*answer), {}}
                  : garbage(answer.error(), line);
  }
  if (value.key != "skip") return garbage(std::string("a line must have one of ") + kClientWords, line);
  if (value.kind != Value::Kind::string) return garbage("`skip` is not a string", line);
  return {PipeWord::Kind::skip, value.text, {}};
}

PipeWord read_error(const Json& value, PipeRole role, std::string_view line) {
  if (!value.is_string()) return garbage("`error` is not a string", line);
  if (role == PipeRole::translator) return {PipeWord::Kind::error, value, {}};
  return {PipeWord::Kind::out, observe::line_of_error(value.get_ref<const std::string&>()), {}};
}

}  // namespace

std::string open_reader_line() { return "{\"open\":{\"reads\":\"sse\"}}\n"; }

std::string read_line(std::string_view url, std::string_view client, std::string_view request,
                      std::string_view next) {
  std::string line = "{\"read\":{\"url\":\"";
  line.append(url).append("\",\"client\":\"").append(client).append("\"");
  if (!request.empty()) line.append(",\"request\":").append(request);
  if (!next.empty()) line.append(",\"next\":").append(next);
  return line.append("}}\n");
}

std::string open_line(std::string_view client, std::string_view upstream, std::string_view request) {
  std::string line = "{\"open\":{\"client\":\"";
  line.append(client).append("\",\"upstream\":\"").append(upstream);
  return line.append("\",\"request\":").append(request).append("}}\n");
}

std::string feed_line(std::string_view chunk) {
  return "{\"feed\":\"" + recording::to_base64(chunk) + "\"}\n";
}

std::string end_line(recording::End end) {
  return "{\"end\":\"" + std::string(recording::name(end)) + "\"}\n";
}

std::string fork_line(std::size_t name) { return fmt::format("{{\"fork\":\"{}\"}}\n", name); }

std::string use_line(std::size_t name) { return fmt::format("{{\"use\":\"{}\"}}\n", name); }

PipeWord read_pipe_word(std::string_view line, PipeRole role) {
  if (role == PipeRole::client) return read_client_word(line);
  const char* words = role == PipeRole::reader ? kReaderWords : kTranslatorWords;
  const auto parsed = parse_strict_json(line);
  if (!parsed) return garbage("a line is not JSON (" + parsed.error().reason + ")", line);
  const Json& object = **parsed;
  if (!object.is_object()) return garbage("a line is not a JSON object", line);
  const bool skips = object.contains("skip");
  if (object.size() != (skips && object.contains("issue") ? 2 : 1)) {
    return garbage(std::string("a line must have exactly one of ") + words, line);
  }
  if (skips) return read_skip(object, line);
  const auto entry = object.begin();
  const std::string& key = entry.key();
  const Json& value = entry.value();
  const bool translates = role == PipeRole::translator;
  if (!translates && key == "event") return read_event(value, line);
  if (translates && key == "out") return read_out(value, line);
  if (translates && key == "ask") {
    if (!value.is_object()) return garbage("`ask` is not an object", line);
    return {PipeWord::Kind::ask, value.dump(), {}};
  }
  if (translates && key == "digest") {
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      return garbage("`digest` is not a text of at least one character", line);
    return {PipeWord::Kind::digest, value, {}};
  }
  for (const auto& [word, kind] : {std::pair("ack", PipeWord::Kind::ack), {"cut", PipeWord::Kind::cut}}) {
    if (key != word || (kind == PipeWord::Kind::cut && !translates)) continue;
    if (value != true) return garbage("`" + key + "` is not true", line);
    return {kind, {}, {}};
  }
  if (key == "error") return read_error(value, role, line);
  return garbage(std::string("a line must have one of ") + words, line);
}

std::string in_backticks(std::string_view bytes) {
  static constexpr std::size_t kMost = 120;
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = "`";
  std::size_t at = 0;
  while (at < bytes.size()) {
    const Utf8Step step = utf8_step(bytes.substr(at));
    if (at + step.length > kMost) break;
    const std::string_view piece = bytes.substr(at, step.length);
    at += step.length;
    // C1 controls are two bytes long and begin with C2.
    const bool printable =
        piece.size() == 1 ? piece[0] >= 0x20 && piece[0] < 0x7F : !(piece[0] == '\xC2' && piece[1] < '\xA0');
    if (step.kind == Utf8Step::Kind::well_formed && printable) {
      text += piece;
      continue;
    }
    for (const char c : piece) {
      const auto byte = static_cast<unsigned char>(c);
      text.append("\\x").append(1, kDigits[byte >> 4U]).append(1, kDigits[byte & 0xFU]);
    }
  }
  return text + (at < bytes.size() ? "...`" : "`");
}

std::optional<std::string> PipeLines::next() {
  const std::size_t end = unread_.find('\n', scanned_);
  if (end == std::string::npos) {
    unread_.erase(0, begin_);
    begin_ = 0;
    scanned_ = unread_.size();
    return std::nullopt;
  }
  std::string line = unread_.substr(begin_, end - begin_);
  begin_ = scanned_ = end + 1;
  return line;
}

}  // namespace splitproof::testee
