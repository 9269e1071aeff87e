#include "harness/wiring/prober.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::wiring {
namespace {

using nlohmann::json;
using testee::PreparedAnswer;

constexpr int kOk = 200;
constexpr int kFirstErrorStatus = 300;
constexpr int kNotFound = 404;
constexpr int kWrongMethod = 405;
constexpr int kNotImplemented = 501;
constexpr std::chrono::milliseconds kSilence{5000};
constexpr std::chrono::milliseconds kWhole{10000};
constexpr std::chrono::milliseconds kClosing{20};
constexpr std::chrono::milliseconds kSettles{300};

// This token occurs in the target of each request. Its answer is for requests that have no other answer.
constexpr const char* kAnyPath = "/";

// A stream that says one word, or the same in one piece for a call that asks for no stream.
std::shared_ptr<PreparedAnswer> prepare(testee::StandIn& stand_in, const dialect::Dialect& dialect) {
  const dialect::UpstreamDialect& upstream = *dialect.upstream;
  testee::ResponseScript script;
  script.headers = {{"content-type", std::string(upstream.content_type())}};
  script.pieces = upstream.tiny_answer();
  std::string body;
  for (const std::string& piece : script.pieces) body += piece;
  const std::string whole = upstream.whole_answer(dialect::read(upstream, body));
  std::optional<testee::OtherResponse> other;
  if (!whole.empty()) {
    other = testee::OtherResponse{
        testee::json_response(kOk, whole),
        [protocol = std::string(dialect.protocol)](const testee::UpstreamRequest& request) {
          return !dialect::asks_for_stream(protocol, request.target, request.body);
        }};
  }
  return stand_in.prepare(std::string(dialect::request_path_of(dialect.protocol)), std::move(script),
                          std::move(other));
}

// Returns how much of the stand-in's answer a client of the protocol reads.
ProbeReach reading_of(const std::string& client, const testee::Reply& reply) {
  const dialect::Dialect& dialect = *dialect::find(client);
  observe::BodyStream stream(reply.body, observe::DataKind::json);
  const observe::Answer answer = dialect.client->assemble(stream);
  const bool has_text = std::any_of(answer.parts.begin(), answer.parts.end(), [](const observe::Part& part) {
    return part.kind == observe::PartKind::text && part.text.find(dialect::kTinyText) != std::string::npos;
  });
  if (has_text) return ProbeReach::read;
  bool has_output = false;
  if (dialect.marks != nullptr) {
    observe::for_each_event(stream, [&](const observe::Event& event) {
      const dialect::EventMarks marks = dialect.marks(event);
      has_output = marks.output || marks.success;
      return !has_output;
    });
  }
  return has_output ? ProbeReach::streamed : ProbeReach::answered;
}

ProbeReach reach_of(const ClientProbe& probe) {
  const int status = probe.status();
  const bool success = status >= kOk && status < kFirstErrorStatus;
  if (!probe.calls.empty()) return success ? reading_of(probe.client, probe.reply) : ProbeReach::called;
  const bool absent =
      status == 0 || status == kNotFound || status == kWrongMethod || status == kNotImplemented;
  return absent ? ProbeReach::nothing : ProbeReach::refused;
}

testee::ClientTimeouts short_timeouts() { return {kSilence, kWhole, kClosing}; }

}  // namespace

const Call* ClientProbe::call() const {
  const auto known =
      std::find_if(calls.begin(), calls.end(), [](const Call& call) { return !call.protocol.empty(); });
  return known == calls.end() ? nullptr : &*known;
}

ClientProbe ClientProber::ask(const std::string& client, const std::string& path, const std::string& model,
                              const testee::Headers& headers) const {
  ClientProbe probe;
  probe.client = client;
  probe.path = path;
  probe.request = testee::client_request(client, nullptr, model, "").value_or("{}");
  std::vector<std::shared_ptr<PreparedAnswer>> answers;
  for (const dialect::Dialect& dialect : dialect::all())
    if (dialect.upstream != nullptr && !dialect::request_path_of(dialect.protocol).empty())
      answers.push_back(prepare(stand_in_, dialect));
  answers.push_back(stand_in_.prepare(
      kAnyPath,
      testee::json_response(kNotFound, R"({"error":{"type":"not_found_error","message":"no such path"}})")));

  const dialect::ClientCall call = testee::client_call(client, path, probe.request);
  testee::Post post{call.path, {{"content-type", "application/json"}}, call.body};
  for (const testee::Header& header : headers) post.headers.push_back(header);
  for (const testee::Header& header : testee::client_headers(client))
    if (testee::find_header(headers, header.name) == nullptr) post.headers.push_back(header);
  probe.reply = testee::post(address_, post, short_timeouts(), {}, stop_);

  for (const auto& answer : answers) {
    stand_in_.withdraw(answer);
    if (!answer->wait_until_idle(kSettles)) answer->give_up();
    for (const testee::Served& served : answer->served()) {
      const testee::UpstreamRequest& request = served.request;
      if (request.method != "POST") continue;
      probe.calls.push_back({std::string(dialect::protocol_of_path(request.target)), request.method,
                             request.target, request.body});
    }
  }
  probe.reach = reach_of(probe);
  return probe;
}

std::vector<std::string> ClientProber::models(const testee::Headers& headers) const {
  std::vector<std::string> names;
  for (const std::string_view path : dialect::model_list_paths()) {
    const testee::Post get{std::string(path), headers, "", "GET"};
    const testee::Reply reply = testee::post(address_, get, short_timeouts(), {}, stop_);
    const json list = json::parse(reply.body, nullptr, false);
    const auto data = list.is_object() ? list.find("data") : list.end();
    if (!list.is_object() || data == list.end() || !data->is_array()) continue;
    for (const json& model : *data) {
      const auto id = model.is_object() ? model.find("id") : model.end();
      if (model.is_object() && id != model.end() && id->is_string()) names.push_back(*id);
    }
    if (!names.empty()) break;
  }
  return names;
}

}  // namespace splitproof::wiring
