#include "harness/evidence/evidence_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>
#include <utility>

#include "harness/evidence/members.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/strict_json.hpp"
#include "harness/testee/credentials.hpp"
#include "harness/utf8.hpp"
#include "harness/write_file.hpp"

namespace splitproof::evidence {
namespace {

using nlohmann::json;
using Ordered = nlohmann::ordered_json;
using testee::Observation;

constexpr std::size_t kTurns = 2;  // of a client that continues the conversation
constexpr int kVersion = 1;
constexpr std::array<recording::End, 4> kEnds = {recording::End::complete, recording::End::closed,
                                                 recording::End::reset, recording::End::stall};
constexpr std::array<testee::Ending, 8> kEndings = {
    testee::Ending::complete, testee::Ending::cut,     testee::Ending::left,    testee::Ending::hung,
    testee::Ending::crashed,  testee::Ending::garbage, testee::Ending::skipped, testee::Ending::unavailable};

// Writing

double time_of(double seconds) {
  if (!std::isfinite(seconds)) throw Wrong{"a time is not a number of seconds"};
  return seconds;
}

Ordered bytes_json(std::string_view bytes) {
  if (find_ill_formed_utf8(bytes) == bytes.npos) return bytes;
  return {{"base64", recording::to_base64(bytes)}};
}

Ordered headers_json(const testee::Headers& headers) {
  Ordered list = Ordered::array();
  for (const testee::Header& header : headers)
    list.push_back(Ordered::array({bytes_json(header.name), bytes_json(header.value)}));
  return list;
}

void check_ascending(const std::vector<std::size_t>& offsets, std::size_t size, const char* what) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] > size || (i > 0 && offsets[i] < offsets[i - 1]))
      throw Wrong{std::string(what) + " do not increase"};
  }
}

Ordered upstream_json(const StoredExchange& exhibit) {
  check_ascending(exhibit.cuts, exhibit.upstream.size(), "cuts");
  check_ascending(exhibit.holds, exhibit.upstream.size(), "holds");
  Ordered object = {
      {"body", bytes_json(exhibit.upstream)}, {"cuts", exhibit.cuts}, {"end", recording::name(exhibit.end)}};
  if (exhibit.status) object["status"] = *exhibit.status;
  if (!exhibit.holds.empty()) object["holds"] = exhibit.holds;
  if (exhibit.leave_at) object["leave_at"] = *exhibit.leave_at;
  if (exhibit.frames != observe::FrameStyle()) object["frames"] = observe::label(exhibit.frames);
  return object;
}

Ordered socket_json(const testee::SocketEvent& event) {
  Ordered object = {{"type", bytes_json(event.type)}};
  for (const auto& [key, value] : event.members) object[key] = bytes_json(value);
  return object;
}

Ordered call_json(const testee::UpstreamCall& call) {
  Ordered object = {{"method", bytes_json(call.method)},
                    {"target", bytes_json(call.target)},
                    {"headers", headers_json(call.headers)},
                    {"body", bytes_json(call.body)},
                    {"status", call.status},
                    {"written", call.written},
                    {"outcome", bytes_json(call.outcome)},
                    {"exact", call.exact},
                    {"downstream", call.downstream}};
  if (call.left) object["left"] = time_of(*call.left);
  if (call.client_secret_in) {
    object["client_secret_in"] = Ordered::array();
    for (const std::string& place : *call.client_secret_in)
      object["client_secret_in"].push_back(bytes_json(place));
  }
  return object;
}

void add_chunk(Ordered& line, std::string_view bytes) {
  if (find_ill_formed_utf8(bytes) == bytes.npos) {
    line["text"] = bytes;
  } else {
    line["base64"] = recording::to_base64(bytes);
  }
}

std::string exhibit_text(const StoredExchange& exhibit) {
  std::string text;
  const auto write = [&](const Ordered& line) { text += line.dump() + "\n"; };
  const Observation seen = testee::without_secrets(exhibit.seen);
  write({{"case", bytes_json(exhibit.case_id)},
         {"cases", exhibit.cases},
         {"upstream", upstream_json(exhibit)}});
  if (!seen.request.empty()) write({{"request", bytes_json(seen.request)}});
  if (seen.upgrade) write({{"upgrade", *seen.upgrade}});
  for (const testee::SocketEvent& event : seen.socket) write({{"socket", socket_json(event)}});
  for (const testee::UpstreamCall& call : seen.calls) write({{"call", call_json(call)}});
  std::size_t begin = 0;
  if (seen.http) {
    const testee::HttpMessage& http = *seen.http;
    write({{"at", time_of(http.head_at)},
           {"head",
            {{"status", http.status}, {"headers", headers_json(http.headers)}, {"chunked", http.chunked}}}});
    for (const testee::Read& read : http.reads) {
      if (read.end < begin || read.end > seen.body.size())
        throw Wrong{"the reads go backwards or beyond the body"};
      Ordered line = {{"at", time_of(read.at)}};
      add_chunk(line, std::string_view(seen.body).substr(begin, read.end - begin));
      begin = read.end;
      write(line);
    }
  }
  if (begin < seen.body.size()) {
    Ordered line = Ordered::object();
    add_chunk(line, std::string_view(seen.body).substr(begin));
    write(line);
  }
  for (const testee::Release& release : seen.releases) {
    write({{"held", release.offset}, {"met", release.met}, {"downstream", release.downstream}});
  }
  Ordered end = Ordered::object();
  if (seen.http) end["at"] = time_of(seen.http->ended_at);
  end["end"] = testee::name(seen.ending);
  if (!seen.detail.empty()) end["detail"] = bytes_json(seen.detail);
  if (seen.http && !seen.http->chunk_ends.empty()) end["chunk_ends"] = seen.http->chunk_ends;
  if (seen.http && seen.http->final_chunks != 0) end["final_chunks"] = seen.http->final_chunks;
  if (seen.http && seen.http->trailing != 0) end["trailing"] = seen.http->trailing;
  if (!seen.after_chunk.empty()) end["after_chunk"] = seen.after_chunk;
  write(end);
  return text;
}

std::string head_text(const Evidence& evidence) {
  Ordered head = {{"evidence", kVersion}};
  if (!evidence.version.empty()) head["splitproof"] = evidence.version;
  head["target"] = evidence.testee.name;
  head["client"] = evidence.testee.client;
  head["upstream"] = evidence.testee.upstream;
  if (!evidence.profile.empty()) head["profile"] = evidence.profile;
  head["kind"] = evidence.testee.over_http ? "http" : evidence.testee.outside ? "pipe" : "in-process";
  if (!evidence.testee.cannot.empty()) head["cannot"] = evidence.testee.cannot;
  if (!evidence.testee.model.empty()) head["model"] = evidence.testee.model;
  if (evidence.testee.continues) head["turns"] = kTurns;
  if (evidence.begin > 0) head["begin"] = evidence.begin;
  if (evidence.recording) {
    const auto text = recording::to_text(*evidence.recording);
    if (!text) throw Wrong{text.error().what, text.error().hint};
    head["recording"] = {{"id", evidence.recording->id}, {"text", *text}};
  }
  return head.dump() + "\n";
}

// Reading

testee::UpstreamCall read_call(const json& value) {
  const Members call(value, "the call",
                     {"method", "target", "headers", "body", "status", "written", "outcome", "exact",
                      "downstream", "left", "client_secret_in"});
  testee::UpstreamCall read;
  read.method = call.bytes("method");
  read.target = call.bytes("target");
  if (call.has("headers")) read.headers = call.headers("headers");
  if (call.has("body")) read.body = call.bytes("body");
  read.status = call.status("status");
  if (call.has("written")) read.written = call.count("written");
  read.outcome = call.bytes("outcome");
  if (call.has("exact")) read.exact = call.boolean("exact");
  if (call.has("downstream")) read.downstream = call.count("downstream");
  if (call.has("left")) read.left = call.time("left");
  if (call.has("client_secret_in")) read.client_secret_in = call.texts("client_secret_in");
  return read;
}

testee::SocketEvent read_socket_event(const json& value) {
  if (!value.is_object()) throw Wrong{"`socket` is not an object"};
  testee::SocketEvent event;
  for (const auto& member : value.items()) {
    if (!member.value().is_string()) throw Wrong{"`" + member.key() + "` of `socket` is not a string"};
    const auto text = member.value().get<std::string>();
    (member.key() == "type" ? event.type : event.members[member.key()]) = text;
  }
  if (event.type.empty()) throw Wrong{"`socket` has no `type`"};
  return event;
}

void read_upstream(const json& value, StoredExchange& exhibit) {
  const Members upstream(value, "`upstream`",
                         {"body", "cuts", "end", "status", "holds", "leave_at", "frames"});
  exhibit.upstream = upstream.bytes("body");
  if (upstream.has("cuts")) exhibit.cuts = upstream.counts("cuts");
  if (upstream.has("holds")) exhibit.holds = upstream.counts("holds");
  check_ascending(exhibit.cuts, exhibit.upstream.size(), "`cuts`");
  check_ascending(exhibit.holds, exhibit.upstream.size(), "`holds`");
  exhibit.end = upstream.one_of("end", kEnds);
  if (upstream.has("status")) exhibit.status = upstream.status("status");
  if (upstream.has("leave_at")) exhibit.leave_at = upstream.count("leave_at");
  if (upstream.has("frames")) {
    const auto frames = observe::frame_style_of(upstream.text("frames"));
    if (!frames) throw Wrong{"`frames` is unknown", "use a label that a case id may have"};
    exhibit.frames = *frames;
  }
}

// Reads a file line by line.
class EvidenceReader {
 public:
  explicit EvidenceReader(std::string path) { path_ = std::move(path); }

  void take(const json& line) {
    if (counted_)
      throw Wrong{"the file has text after the last line",
                  "each file must have the evidence of one recording"};
    if (!headed_) {
      read_head(line);
      headed_ = true;
    } else if (line.is_object() && line.contains("exhibits")) {
      const Members members(line, "the last line", {"exhibits"});
      if (open_) throw Wrong{"the last observation has no end", "the file is incomplete; run again"};
      if (members.count("exhibits") != evidence.exhibits.size())
        throw Wrong{"the file has " + std::to_string(evidence.exhibits.size()) +
                        " observations, and its last line announces another number",
                    "the file is incomplete; run again"};
      counted_ = true;
    } else if (line.is_object() && line.contains("case")) {
      begin_exhibit(line);
    } else if (!open_) {
      throw Wrong{"the line does not belong to a case", "begin each observation with a line `case`"};
    } else if (line.contains("request")) {
      const Members members(line, "the line", {"request"});
      seen().request = members.bytes("request");
    } else if (line.contains("upgrade")) {
      const Members members(line, "the line", {"upgrade"});
      seen().upgrade = members.status("upgrade");
    } else if (line.contains("socket")) {
      const Members members(line, "the line", {"socket"});
      seen().socket.push_back(read_socket_event(members.need("socket")));
    } else if (line.contains("call")) {
      const Members members(line, "the line", {"call"});
      seen().calls.push_back(read_call(members.need("call")));
    } else if (line.contains("head")) {
      read_response_head(line);
    } else if (line.contains("held")) {
      const Members members(line, "the line", {"held", "met", "downstream"});
      seen().releases.push_back({members.count("held"), members.boolean("met"), members.count("downstream")});
    } else if (line.contains("end")) {
      read_end(line);
    } else {
      read_chunk(line);
    }
  }

  void finish() const {
    if (!headed_) throw Wrong{"the head is missing", "line 1 begins {\"evidence\":1,..."};
    if (open_) throw Wrong{"the last observation has no end", "the file is incomplete; run again"};
    if (!counted_)
      throw Wrong{"the last line, which counts the observations, is missing",
                  "the file is incomplete; run again"};
  }

  Evidence evidence;

 private:
  Observation& seen() { return evidence.exhibits.back().seen; }

  void read_head(const json& line) {
    if (!line.is_object() || !line.contains("evidence"))
      throw Wrong{"the head is missing", "line 1 begins {\"evidence\":1,..."};
    if (line["evidence"] != kVersion)
      throw Wrong{"the format version " + line["evidence"].dump(-1, ' ', true) + " is unknown",
                  "this build reads version 1"};
    const Members head(line, "the head",
                       {"evidence", "splitproof", "target", "client", "upstream", "profile", "kind", "cannot",
                        "model", "turns", "begin", "recording"});
    if (head.has("splitproof")) evidence.version = head.text("splitproof");
    evidence.testee.name = head.text("target");
    evidence.testee.client = head.text("client");
    evidence.testee.upstream = head.text("upstream");
    if (head.has("profile")) evidence.profile = head.text("profile");
    const std::string kind = head.text("kind");
    if (kind != "http" && kind != "pipe" && kind != "in-process")
      throw Wrong{"`kind` cannot be `" + kind + "`", "use in-process, pipe or http"};
    evidence.testee.over_http = kind == "http";
    evidence.testee.outside = kind != "in-process";
    if (head.has("cannot")) evidence.testee.cannot = head.texts("cannot");
    if (head.has("model")) evidence.testee.model = head.text("model");
    if (head.has("turns") && head.count("turns") != kTurns)
      throw Wrong{"`turns` is not 2", "use 2, or leave it out"};
    evidence.testee.continues = head.has("turns");
    if (head.has("begin")) evidence.begin = head.count("begin");
    if (!head.has("recording")) return;
    const Members embedded(head.need("recording"), "`recording`", {"id", "text"});
    auto recording = recording::parse(embedded.text("text"), path_);
    if (!recording) {
      throw Wrong{"line " + std::to_string(recording.error().line) +
                      " of the embedded recording: " + recording.error().what,
                  recording.error().hint};
    }
    evidence.recording = std::move(*recording);
    evidence.recording->id = embedded.text("id");
    if (!recording::can_be_id(evidence.recording->id))
      throw Wrong{"the id of the embedded recording is not allowed", recording::kNameOfRecording};
  }

  void begin_exhibit(const json& line) {
    if (open_) throw Wrong{"a case begins before the previous case ended", "end each case with a line `end`"};
    const Members members(line, "the line", {"case", "cases", "upstream"});
    StoredExchange exhibit;
    exhibit.case_id = members.bytes("case");
    if (members.has("cases")) exhibit.cases = members.count("cases");
    read_upstream(members.need("upstream"), exhibit);
    evidence.exhibits.push_back(std::move(exhibit));
    open_ = true;
  }

  void read_response_head(const json& line) {
    if (seen().http) throw Wrong{"the response has a second head"};
    if (!seen().body.empty()) throw Wrong{"the head comes after the body"};
    const Members members(line, "the line", {"at", "head"});
    const Members head(members.need("head"), "`head`", {"status", "headers", "chunked"});
    testee::HttpMessage http;
    http.head_at = members.time("at");
    http.status = head.status("status");
    if (head.has("headers")) http.headers = head.headers("headers");
    if (head.has("chunked")) http.chunked = head.boolean("chunked");
    seen().http = std::move(http);
  }

  void read_chunk(const json& line) {
    const Members members(line, "the line", {"at", "text", "base64"});
    const std::string bytes = members.chunk();
    const bool timed = members.has("at");
    if (timed && !seen().http) throw Wrong{"a read is before the head"};
    const std::size_t told = seen().http && !seen().http->reads.empty() ? seen().http->reads.back().end : 0;
    if (told != seen().body.size()) throw Wrong{"a chunk follows a chunk without a time"};
    seen().body += bytes;
    if (timed) seen().http->reads.push_back({members.time("at"), seen().body.size()});
  }

  void read_end(const json& line) {
    const Members end(line, "the line",
                      {"at", "end", "detail", "chunk_ends", "final_chunks", "trailing", "after_chunk"});
    seen().ending = end.one_of("end", kEndings);
    if (end.has("detail")) seen().detail = end.bytes("detail");
    if (end.has("after_chunk")) seen().after_chunk = end.counts("after_chunk");
    for (const char* key : {"at", "chunk_ends", "final_chunks", "trailing"}) {
      if (end.has(key) && !seen().http)
        throw Wrong{"`" + std::string(key) + "` at the end of a response without a head"};
    }
    if (seen().http) {
      seen().http->ended_at = end.time("at");
      if (end.has("chunk_ends")) seen().http->chunk_ends = end.counts("chunk_ends");
      if (end.has("final_chunks")) seen().http->final_chunks = end.count("final_chunks");
      if (end.has("trailing")) seen().http->trailing = end.count("trailing");
    }
    open_ = false;
  }

  std::string path_;
  bool headed_ = false;
  bool open_ = false;     // the last exhibit has no end yet
  bool counted_ = false;  // the last line was read
};

auto exhibit_parts(const StoredExchange& e) {
  return std::tie(e.case_id, e.cases, e.upstream, e.cuts, e.end, e.status, e.holds, e.leave_at, e.frames,
                  e.seen.request, e.seen.body, e.seen.after_chunk, e.seen.ending, e.seen.detail, e.seen.http,
                  e.seen.calls, e.seen.releases, e.seen.upgrade, e.seen.socket);
}

}  // namespace

testee::Exchange StoredExchange::exchange(const recording::Recording* recording) const {
  testee::Exchange exchange;
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    exchange.chunks.push_back(std::string_view(upstream).substr(begin, cut - begin));
    begin = cut;
  }
  if (begin < upstream.size()) exchange.chunks.push_back(std::string_view(upstream).substr(begin));
  exchange.end = end;
  exchange.recording = recording;
  exchange.status = status;
  for (const std::size_t offset : holds)
    exchange.holds.push_back({offset, [](std::string_view) { return true; }});
  exchange.leave_at = leave_at;
  exchange.frames = frames;
  return exchange;
}

bool operator==(const StoredExchange& a, const StoredExchange& b) {
  return exhibit_parts(a) == exhibit_parts(b);
}

bool operator==(const Evidence& a, const Evidence& b) {
  const auto parts = [](const Evidence& e) {
    return std::tie(e.version, e.testee, e.profile, e.exhibits, e.begin);
  };
  return parts(a) == parts(b) && a.recording.has_value() == b.recording.has_value() &&
         (!a.recording || *a.recording == *b.recording);
}

Result<std::string> to_text(const Evidence& evidence) {
  try {
    std::string text = head_text(evidence);
    for (const StoredExchange& exhibit : evidence.exhibits) text += exhibit_text(exhibit);
    return text + "{\"exhibits\":" + std::to_string(evidence.exhibits.size()) + "}\n";
  } catch (const Wrong& wrong) {
    return tl::unexpected(Error{wrong.what, {}, 0, wrong.hint});
  } catch (const json::exception&) {
    return tl::unexpected(Error{"a name in the head is not UTF-8", {}, 0, {}});
  }
}

Result<Evidence> parse(std::string_view text, const std::string& path) {
  EvidenceReader reader(path);
  std::size_t number = 0;
  try {
    while (!text.empty()) {
      ++number;
      const std::size_t size = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, size);
      text.remove_prefix(std::min(size + 1, text.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (find_ill_formed_utf8(line) != line.npos) throw Wrong{"the line is not UTF-8"};
      const auto parsed = parse_strict_json(line);
      if (!parsed) {
        throw Wrong{"not JSON at byte " + std::to_string(parsed.error().at + 1) +
                    " of the line: " + parsed.error().reason};
      }
      if (!(*parsed)->is_object()) throw Wrong{"the line is not a JSON object"};
      reader.take(**parsed);
    }
    reader.finish();
  } catch (const Wrong& wrong) {
    return tl::unexpected(Error{wrong.what, path, std::max<std::size_t>(number, 1), wrong.hint});
  }
  return std::move(reader.evidence);
}

Result<Evidence> load(const std::string& path) {
  return read_file(path).and_then([&](const std::string& text) { return parse(text, path); });
}

Result<void> save(const Evidence& evidence, const std::string& path) {
  const auto text = to_text(evidence);
  if (!text) return tl::unexpected(Error{text.error().what, path, 0, text.error().hint});
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  return write_file(path, *text);
}

}  // namespace splitproof::evidence
