#include "harness/record/relayed_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/lower_case.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::record {
namespace {

constexpr std::array<std::string_view, 8> kHopFields = {
    "connection", "keep-alive",        "proxy-connection", "te",
    "trailer",    "transfer-encoding", "upgrade",          "proxy-authenticate"};
constexpr std::array<std::string_view, 3> kStreamTypes = {"text/event-stream", "application/x-ndjson",
                                                          "application/vnd.amazon.eventstream"};

std::string_view media_type(const testee::Headers& headers) {
  const std::string* type = testee::find_header(headers, "content-type");
  return type == nullptr ? std::string_view() : std::string_view(*type).substr(0, type->find(';'));
}

bool is_stream(const testee::Headers& headers, const std::string& protocol) {
  const std::string type = lower_case(std::string(testee::without_blanks(media_type(headers))));
  if (std::find(kStreamTypes.begin(), kStreamTypes.end(), type) != kStreamTypes.end()) return true;
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(protocol);
  return upstream != nullptr && type == upstream->content_type();
}

// Returns the pieces of HTTP/2, or of a body whose length the client cannot know, as a chunk.
std::string chunk_of(std::string_view bytes) { return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes); }

// Returns a member of a request's JSON, or null.
nlohmann::json member_of(const std::string& body, const char* name) {
  const auto parsed = parse_strict_json(body);
  if (!parsed || !(*parsed)->is_object()) return {};
  return (*parsed)->value(name, nlohmann::json());
}

// True if a request asks for a stream. The response may still be one document, such as an error.
bool asks_for_stream(const testee::UpstreamRequest& request) {
  return lower_case(request.target).find("stream") != std::string::npos ||
         member_of(request.body, "stream") == true;
}

}  // namespace

std::string model_in(const std::string& body) {
  const nlohmann::json model = member_of(body, "model");
  return model.is_string() ? model.get<std::string>() : std::string();
}

RelayedCall::RelayedCall(LocalConnection& client, const testee::UpstreamRequest& request,
                         const RecordingPlan& plan, Secrets& secrets)
    : client_(client),
      request_(request),
      plan_(plan),
      secrets_(secrets),
      began_(std::chrono::steady_clock::now()),
      keeps_alive_(testee::keeps_alive(request)) {
  secrets_.learn(request.target, request.headers);
  report_.method = request.method;
  report_.target = request.target;
  secrets_.mask_target(report_.target);
  report_.model = model_in(request.body);
  secrets_.mask_text(report_.model);
}

double RelayedCall::elapsed() const { return testee::seconds(began_, std::chrono::steady_clock::now()); }

std::optional<std::string> RelayedCall::path() const {
  return file_ && !file_->failure() ? std::optional(file_->path()) : std::nullopt;
}

// The client gets the provider's head without the fields for one connection.
std::string RelayedCall::client_head(const ProviderHead& head) {
  const bool is_http1 = request_.version == "HTTP/1.1";
  // Chunks override a length (RFC 9112, 6.3).
  const bool has_length = !chunks_ && testee::find_header(head.headers, "content-length") != nullptr;
  no_body_ = request_.method == "HEAD" || head.status == 204 || head.status == 304;
  const bool same_framing = no_body_ || has_length || (chunks_ && is_http1);
  const bool ends_itself = chunks_ || head.version.starts_with("HTTP/2");
  if (!same_framing) framing_ = ends_itself && is_http1 ? ClientFraming::chunks : ClientFraming::to_the_end;
  if (framing_ == ClientFraming::to_the_end) keeps_alive_ = false;
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", head.status, head.reason);
  for (const testee::Header& header : head.headers) {
    const bool is_hop = std::any_of(kHopFields.begin(), kHopFields.end(), [&](std::string_view name) {
      return testee::same_name(name, header.name);
    });
    const bool is_wrong_length = chunks_ && testee::same_name(header.name, "content-length");
    if (!is_hop && !is_wrong_length) text += header.name + ": " + header.value + "\r\n";
  }
  if (!no_body_ && !has_length && framing_ != ClientFraming::to_the_end)
    text += "transfer-encoding: chunked\r\n";
  if (!keeps_alive_) text += "connection: close\r\n";
  return text + "\r\n";
}

std::string RelayedCall::reason_not_to_record(const ProviderHead& head) const {
  const std::string_view end = dialect::request_path_of(plan_.protocol);
  const std::string_view path = std::string_view(request_.target).substr(0, request_.target.find('?'));
  if (!end.empty() && !path.ends_with(end)) {
    const std::string_view other = dialect::protocol_of_path(request_.target);
    return fmt::format("its path does not end in {}{}{}", end, other.empty() ? "" : ", it looks like ",
                       other);
  }
  if (const std::string* coding = testee::find_header(head.headers, "content-encoding");
      coding != nullptr && !testee::same_name(*coding, "identity"))
    return fmt::format("the response is compressed ({}), so secrets in it cannot be masked", *coding);
  if (head.status < 400 && !is_stream(head.headers, plan_.protocol) && !asks_for_stream(request_))
    return fmt::format("the response is no stream ({})", media_type(head.headers));
  return {};
}

void RelayedCall::open_file(const ProviderHead& head) {
  report_.why = reason_not_to_record(head);
  if (!report_.why.empty()) return;
  CallHead call{plan_.protocol,
                plan_.provider,
                request_.method,
                request_.target,
                request_.headers,
                request_.body,
                head.status,
                head.headers,
                head.version.starts_with("HTTP/2") ? Fidelity::frames : Fidelity::exact,
                plan_.anonymise};
  auto file = RecordingFile::create(plan_.names, std::move(call), plan_.framing, secrets_);
  if (!file) {
    report_.why = describe(file.error());
    report_.unwritten = true;
    return;
  }
  file_.emplace(*std::move(file));
  // The file has learned the secrets of the body.
  secrets_.mask_target(report_.target);
  secrets_.mask_text(report_.model);
  report_.file = file_->name();
}

bool RelayedCall::take_head(const ProviderHead& head) {
  has_head_ = true;
  report_.status = head.status;
  if (!head.version.starts_with("HTTP/2") && testee::has_token(head.headers, "transfer-encoding", "chunked"))
    chunks_.emplace();
  const bool sent = client_.send(client_head(head));
  open_file(head);
  return sent;
}

// Records a piece of the body, and passes it on if the framing changes.
bool RelayedCall::take_piece(double at, std::string_view piece) {
  bool sent = true;
  if (framing_ == ClientFraming::chunks) sent = client_.send(chunk_of(piece));
  if (framing_ == ClientFraming::to_the_end) sent = client_.send(piece);
  ++report_.reads;
  report_.bytes += piece.size();
  if (file_) file_->add(at, piece);
  return sent;
}

bool RelayedCall::take_bytes(std::string_view bytes) {
  const double at = elapsed();
  bool sent = framing_ != ClientFraming::unchanged || client_.send(bytes);
  if (!chunks_) return take_piece(at, bytes) && sent;
  chunks_->feed(bytes);
  // A piece ends with its chunk, or with the read.
  const std::string_view body = chunks_->body();
  while (body_ < body.size()) {
    const bool whole = chunk_ < chunks_->chunk_ends().size();
    const std::size_t end = whole ? chunks_->chunk_ends()[chunk_] : body.size();
    if (whole) ++chunk_;
    if (end == body_) continue;
    sent = take_piece(at, body.substr(body_, end - body_)) && sent;
    body_ = end;
  }
  return sent;
}

// Answers a request that did not reach the provider.
void RelayedCall::refuse(const std::string& detail) {
  client_.send(unreachable_text(detail, keeps_alive_));
  report_.why = detail;
}

bool RelayedCall::end(CallEnd end, const std::string& detail) {
  report_.seconds = elapsed();
  const bool broken = chunks_ && !chunks_->over();
  if (end == CallEnd::complete && broken && !no_body_) end = CallEnd::closed;
  const bool complete = end == CallEnd::complete;
  const bool closed = end == CallEnd::closed;
  report_.end = complete ? recording::End::complete : closed ? recording::End::closed : recording::End::reset;
  report_.by = end == CallEnd::client_left ? EndedBy::client
               : end == CallEnd::stopped   ? EndedBy::recorder
                                           : EndedBy::provider;
  bool keeps = false;
  if (complete) {
    keeps = keeps_alive_;
    if (framing_ == ClientFraming::chunks) keeps = client_.send("0\r\n\r\n") && keeps;
  } else if (end == CallEnd::unreachable && !has_head_) {
    refuse(detail);
    keeps = keeps_alive_;
  } else if (end == CallEnd::reset || end == CallEnd::stopped || end == CallEnd::unreachable) {
    client_.reset();
  }
  if (!has_head_ && report_.why.empty()) {
    report_.why = end == CallEnd::client_left ? "the client left before the response"
                  : end == CallEnd::stopped
                      ? "splitproof was stopped before the response"
                      : "the provider ended the connection before the response: " + detail;
  }
  secrets_.mask_text(report_.why);
  if (file_) {
    file_->end(report_.seconds, report_.end, report_.by);
    if (file_->failure()) {
      report_.why = describe(*file_->failure());
      report_.unwritten = true;
      report_.file.clear();
    }
  }
  return keeps;
}

}  // namespace splitproof::record
