#include "harness/record/recording_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/record/anonymiser.hpp"
#include "harness/recording/base64.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::record {
namespace {

using nlohmann::json;

constexpr int kMostFiles = 1'000'000;

std::string now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

// Fields with the same name are joined as RFC 9110 (5.3) allows.
json as_object(const testee::Headers& headers) {
  std::map<std::string, std::string> fields;
  for (const testee::Header& header : headers) {
    std::string& value = fields[decode_utf8(header.name)];
    value += (value.empty() ? "" : ", ") + decode_utf8(header.value);
  }
  return fields;
}

json as_text_or_base64(std::string_view bytes) {
  if (find_ill_formed_utf8(bytes) == bytes.npos) return {{"text", bytes}};
  return {{"base64", recording::to_base64(bytes)}};
}

// Returns the name of the compression of a request's body, or "".
std::string compression_of(const CallHead& head) {
  const std::string* coding = testee::find_header(head.request_headers, "content-encoding");
  if (coding != nullptr && !testee::same_name(*coding, "identity")) return *coding;
  return head.request_body.starts_with("\x1f\x8b") ? "gzip" : "";
}

// Returns the member `requests` of a head with the body as it was sent, or "" if the loader could not read it.
std::string requests_member(const std::string& protocol, std::string body) {
  // Line ends are blanks between the tokens of JSON.
  std::replace_if(
      body.begin(), body.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::string member = "\"requests\":{" + json(protocol).dump() + ":" + body + "}";
  return parse_strict_json("{" + member + "}") ? "," + member : std::string();
}

std::string head_line(CallHead& head, Secrets& secrets) {
  const std::string compression = compression_of(head);
  secrets.learn(head.target, head.request_headers);
  secrets.mask_headers(head.headers);
  secrets.mask_text(head.request_body);
  secrets.mask_headers(head.request_headers);
  secrets.mask_target(head.target);
  if (head.anonymise) Anonymiser(Framing::json_lines).take_document(head.request_body);
  json request = {{"method", head.method},
                  {"path", decode_utf8(head.target)},
                  {"headers", as_object(head.request_headers)}};
  json provenance = {{"source", "splitproof record"},
                     {"provider", head.provider},
                     {"captured", now()},
                     {"segments", name(head.fidelity)}};
  if (head.anonymise) provenance["anonymised"] = true;
  std::string requests;
  const auto body = parse_strict_json(head.request_body);
  if (body && (*body)->is_object()) requests = requests_member(head.protocol, head.request_body);
  if (!compression.empty()) {
    request["body_omitted"] = decode_utf8("it is compressed (" + compression + "), so it cannot be masked");
  } else if (!requests.empty()) {
    if (const auto model = (*body)->find("model"); model != (*body)->end() && model->is_string())
      provenance["model"] = *model;
  } else if (!head.request_body.empty()) {
    request["body"] = as_text_or_base64(head.request_body);
  }
  provenance["request"] = std::move(request);
  const json response = {{"status", head.status}, {"headers", as_object(head.headers)}};
  return "{\"splitproof\":1,\"protocol\":" + json(head.protocol).dump() + ",\"response\":" + response.dump() +
         requests + ",\"provenance\":" + provenance.dump() + "}\n";
}

Error failed(const std::string& path) {
  return Error{std::string("could not be recorded: ") + std::strerror(errno), path, 0,
               "make room for it, or name another folder with --out"};
}

std::string time_of(double at) { return fmt::format("{{\"at\":{:.6f}", at); }

}  // namespace

std::string_view name(Fidelity fidelity) { return fidelity == Fidelity::exact ? "exact" : "frames"; }

std::string_view name(EndedBy side) {
  switch (side) {
    case EndedBy::provider:
      return "provider";
    case EndedBy::client:
      return "client";
    case EndedBy::recorder:
      return "recorder";
  }
  return "";
}

Result<RecordingFile> RecordingFile::create(FileNames& names, CallHead head, Framing framing,
                                            Secrets& secrets) {
  for (int number = ++names.last; number < kMostFiles; number = ++names.last) {
    const std::string file = fmt::format("{}-{:04}{}", names.name, number, recording::kSuffix);
    std::string path = (std::filesystem::path(names.folder) / file).string();
    Descriptor opened(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
    if (opened.get() < 0 && errno == EEXIST) continue;
    if (opened.get() < 0) return tl::unexpected(failed(path));
    RecordingFile created(std::move(path), std::move(opened), MaskedBody(framing, secrets, head.anonymise));
    created.append(head_line(head, secrets));
    if (created.failure_) return tl::unexpected(*created.failure_);
    return created;
  }
  return tl::unexpected(
      Error{"there are too many recordings named " + names.name, names.folder, 0, "use another --name"});
}

std::string RecordingFile::name() const {
  std::string name = std::filesystem::path(path_).filename().string();
  name.resize(name.size() - recording::kSuffix.size());
  return name;
}

void RecordingFile::append(const std::string& line) {
  for (std::string_view rest = line; !failure_ && !rest.empty();) {
    const ssize_t written = write(file_.get(), rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure_ = failed(path_);
      file_.close();
      unlink(path_.c_str());
    }
  }
}

// A piece is written when all of its bytes are masked.
void RecordingFile::write_masked(std::string_view masked) {
  masked_ += masked;
  std::string lines;
  std::size_t begin = 0;
  while (!pieces_.empty() && masked_.size() - begin >= pieces_.front().size) {
    const Piece piece = pieces_.front();
    pieces_.pop_front();
    const std::string_view bytes = std::string_view(masked_).substr(begin, piece.size);
    begin += piece.size;
    lines += time_of(piece.at);
    const bool is_text = find_ill_formed_utf8(bytes) == bytes.npos;
    lines +=
        is_text ? ",\"text\":" + json(bytes).dump() : ",\"base64\":\"" + recording::to_base64(bytes) + "\"";
    lines += "}\n";
  }
  masked_.erase(0, begin);
  append(lines);
}

void RecordingFile::add(double at, std::string_view bytes) {
  if (bytes.empty()) return;
  pieces_.push_back({at, bytes.size()});
  write_masked(body_.take(bytes));
}

void RecordingFile::end(double at, recording::End end, EndedBy by) {
  write_masked(body_.finish());
  append(time_of(at) +
         fmt::format(",\"end\":\"{}\",\"by\":\"{}\"}}\n", recording::name(end), record::name(by)));
}

}  // namespace splitproof::record
