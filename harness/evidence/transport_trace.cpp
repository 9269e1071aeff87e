#include "harness/evidence/transport_trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/evidence/stream_marks.hpp"
#include "harness/lower_case.hpp"
#include "harness/strict_json.hpp"
#include "harness/testee/credentials.hpp"
#include "harness/utf8.hpp"

namespace splitproof::evidence {
namespace {

using nlohmann::json;
using testee::Ending;

constexpr std::size_t kShownText = 200;  // bytes of a body that is not JSON

// JSON must be UTF-8, but header values need not be.
std::string readable(std::string_view bytes) {
  if (find_ill_formed_utf8(bytes) == bytes.npos) return std::string(bytes);
  std::string text;
  for (const char c : bytes) text += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  return text;
}

std::string status_class(int status) { return std::to_string(status / 100) + "xx"; }

json headers_in_document(const testee::Headers& headers) {
  json object = json::object();
  for (const testee::Header& header : headers) {
    json& value = object[readable(lower_case(header.name))];
    const std::string text = readable(header.value);
    value = value.is_null() ? text : value.get<std::string>() + ", " + text;
  }
  return object;
}

// Returns single-value fields that occur more than once.
json repeated(const testee::Headers& headers) {
  json names = json::array();
  for (const char* name : {"content-length", "content-type", "transfer-encoding"}) {
    const auto count = std::count_if(headers.begin(), headers.end(), [&](const testee::Header& header) {
      return testee::same_name(header.name, name);
    });
    if (count > 1) names.push_back(name);
  }
  return names;
}

std::optional<std::size_t> content_length(const testee::HttpMessage& http) {
  const std::string* text = testee::find_header(http.headers, "content-length");
  if (text == nullptr) return std::nullopt;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), length);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return length;
}

std::optional<std::size_t> find_in(std::string_view text, std::string_view sought) {
  const std::size_t at = text.find(sought);
  if (at == text.npos) return std::nullopt;
  return at;
}

class TraceMaker {
 public:
  TraceMaker(std::string_view client, const testee::Exchange& exchange,
             const testee::Observation& observation)
      : client_(client), exchange_(exchange), seen_(observation) {}

  observe::Trace make() {
    add_exchange();
    add_calls_before_the_head();
    if (seen_.http) add_head(*seen_.http);
    add_course();
    if (seen_.ending == Ending::left) add_leaving();
    if (seen_.http) add_body(*seen_.http);
    add_socket_facts(false);
    add_end();
    if (seen_.ending == Ending::cut) trace_.message_end = observe::MessageEnd::cut;
    return std::move(trace_);
  }

 private:
  int upstream_status() const {
    if (exchange_.status) return *exchange_.status;
    return exchange_.recording == nullptr ? 200 : exchange_.recording->status;
  }

  void add(const char* type, json document, std::size_t begin, std::size_t end) {
    document["type"] = type;
    observe::Event event;
    event.data = document.dump();
    event.json = std::make_shared<const json>(std::move(document));
    event.begin = std::min(begin, seen_.body.size());
    event.end = std::min(end, seen_.body.size());
    trace_.events.push_back(std::move(event));
  }

  // Returns the context that rules about the answer need.
  json about() const {
    json document = {{"client", client_},
                     {"upstream-ends", recording::name(exchange_.end)},
                     {"how", testee::name(seen_.ending)}};
    if (!seen_.calls.empty()) {
      document["upstream-status"] = upstream_status();
      document["upstream-class"] = status_class(upstream_status());
    }
    if (seen_.http) {
      document["status"] = seen_.http->status;
      document["class"] = status_class(seen_.http->status);
    }
    return document;
  }

  void add_exchange() {
    json document = {{"client", client_},
                     {"upstream-status", upstream_status()},
                     {"upstream-ends", recording::name(exchange_.end)},
                     {"leaves", exchange_.leave_at.has_value()}};
    add("exchange", std::move(document), 0, 0);
    add_socket_facts(true);
    if (seen_.upgrade) add("upgrade", {{"client", client_}, {"status", *seen_.upgrade}}, 0, 0);
  }

  // Handshakes come first. The order of other facts within the exchange is not known.
  void add_socket_facts(bool handshakes) {
    for (const testee::SocketEvent& fact : seen_.socket) {
      if ((fact.type == "handshake") != handshakes) continue;
      json document = {{"client", client_}, {"upstream-ends", recording::name(exchange_.end)}};
      for (const auto& [key, value] : fact.members) document[key] = readable(value);
      const std::size_t at = handshakes ? 0 : seen_.body.size();
      add(("socket-" + fact.type).c_str(), std::move(document), at, at);
    }
  }

  void add_call(std::size_t number) {
    const testee::UpstreamCall& call = seen_.calls[number];
    json document = {
        {"attempt", number + 1}, {"method", readable(call.method)}, {"target", readable(call.target)},
        {"status", call.status}, {"outcome", call.outcome},         {"written", call.written},
        {"exact", call.exact},   {"downstream", call.downstream}};
    document["upstream-ends"] = recording::name(exchange_.end);
    if (call.client_secret_in) {
      document["client-secret-in"] = json::array();
      for (const std::string& place : *call.client_secret_in)
        document["client-secret-in"].push_back(readable(place));
    }
    add("upstream-call", std::move(document), call.downstream, call.downstream);
  }

  void add_calls_before_the_head() {
    for (std::size_t i = 0; i < seen_.calls.size(); ++i) {
      if (seen_.calls[i].downstream == 0) add_call(i);
    }
  }

  void add_head(const testee::HttpMessage& http) {
    json document = about();
    document["headers"] = headers_in_document(http.headers);
    document["repeated"] = repeated(http.headers);
    if (const std::string* type = testee::find_header(http.headers, "content-type")) {
      const std::string_view media = std::string_view(*type).substr(0, type->find(';'));
      document["content-type"] = readable(lower_case(std::string(testee::without_blanks(media))));
    }
    add("head", std::move(document), 0, 0);
    for (const auto& [what, texts] : private_texts()) {
      for (const testee::Header& header : http.headers) {
        const bool found = std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
          return find_in(header.value, text).has_value();
        });
        if (!found) continue;
        add("leak", {{"what", what}, {"where", "head"}, {"header", readable(lower_case(header.name))}}, 0, 0);
        break;
      }
    }
  }

  // Returns texts that a client must never see, by kind.
  std::vector<std::pair<const char*, std::vector<std::string>>> private_texts() const {
    std::vector<std::string> addresses;
    for (const testee::UpstreamCall& call : seen_.calls) {
      const std::string* host = testee::find_header(call.headers, "host");
      if (host == nullptr || host->rfind(':') == host->npos) continue;
      const std::string port = host->substr(host->rfind(':'));
      for (const std::string& address : {*host, "127.0.0.1" + port, "localhost" + port})
        addresses.push_back(address);
    }
    return {{"credential", testee::credentials(seen_)}, {"upstream-address", addresses}};
  }

  // Adds the events during the body, ordered by the bytes that the client had. At equal positions the output
  // comes first.
  void add_course() {
    struct Step {
      std::size_t at;
      std::function<void()> tell;
    };
    std::vector<Step> steps;
    if (const auto output = stream_marks(seen_.body, client_).output) {
      steps.push_back({*output, [this, at = *output] { add("output", json::object(), 0, at); }});
    }
    for (const auto& [what, texts] : private_texts()) {
      for (const std::string& text : texts) {
        const auto found = find_in(seen_.body, text);
        if (!found) continue;
        const std::size_t begin = *found;
        const std::size_t end = begin + text.size();
        steps.push_back({end, [this, what = what, begin, end] {
                           add("leak", {{"what", what}, {"where", "body"}}, begin, end);
                         }});
        break;
      }
    }
    for (const testee::Release& release : seen_.releases) {
      steps.push_back(
          {release.downstream, [this, &release] {
             add("held",
                 {{"upstream", release.offset}, {"met", release.met}, {"downstream", release.downstream}},
                 release.downstream, release.downstream);
           }});
    }
    for (std::size_t i = 0; i < seen_.calls.size(); ++i) {
      const std::size_t at = seen_.calls[i].downstream;
      if (at > 0) steps.push_back({at, [this, i] { add_call(i); }});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
    for (const Step& step : steps) step.tell();
  }

  void add_leaving() {
    const std::size_t size = seen_.body.size();
    add("left", {{"downstream", size}}, size, size);
    for (std::size_t i = 0; i < seen_.calls.size(); ++i) {
      const testee::UpstreamCall& call = seen_.calls[i];
      if (call.left) {
        add("upstream-left", {{"attempt", i + 1}, {"within", *call.left}}, size, size);
      } else if (call.outcome != "finished" && call.outcome != "client left") {
        add("upstream-kept", {{"attempt", i + 1}, {"outcome", call.outcome}}, size, size);
      }
    }
  }

  void add_body(const testee::HttpMessage& http) {
    json document = about();
    document["size"] = seen_.body.size();
    const StreamMarks marks = stream_marks(seen_.body, client_);
    const auto parsed = parse_strict_json(seen_.body);
    const std::string* type = testee::find_header(http.headers, "content-type");
    const bool called_stream =
        type != nullptr && (lower_case(*type).find("text/event-stream") != std::string::npos ||
                            lower_case(*type).find(".eventstream") != std::string::npos);
    if (seen_.body.empty()) {
      document["form"] = "empty";
    } else if (parsed) {
      document["form"] = "json";
      document["json"] = **parsed;
    } else if (marks.events > 0 || called_stream) {
      document["form"] = "stream";
      document["success"] = marks.success;
      document["error"] = marks.error;
    } else {
      document["form"] = "text";
      document["text"] = readable(std::string_view(seen_.body).substr(0, kShownText));
    }
    add("body", std::move(document), 0, seen_.body.size());
  }

  void add_end() {
    json document = about();
    if (!seen_.detail.empty()) document["detail"] = readable(seen_.detail);
    if (seen_.http) {
      const testee::HttpMessage& http = *seen_.http;
      const auto length = content_length(http);
      document["framing"] = http.chunked ? "chunked" : length ? "length" : "close";
      if (http.chunked) document["final-chunks"] = http.final_chunks;
      document["trailing"] = http.trailing;
      // A client that left and a testee that died could not transfer the full length.
      const bool over =
          seen_.ending == Ending::complete || seen_.ending == Ending::cut || seen_.ending == Ending::hung;
      if (length && over) document["length-matches"] = *length == seen_.body.size() && http.trailing == 0;
    }
    add("end", std::move(document), seen_.body.size(), seen_.body.size());
  }

  const std::string client_;
  const testee::Exchange& exchange_;
  const testee::Observation& seen_;
  observe::Trace trace_;
};

}  // namespace

observe::Trace transport_trace(std::string_view client, const testee::Exchange& exchange,
                               const testee::Observation& observation) {
  return TraceMaker(client, exchange, observation).make();
}

std::shared_ptr<const json> response_document(const testee::Observation& observation) {
  if (!observation.http) return nullptr;
  return std::make_shared<const json>(json{{"status", observation.http->status},
                                           {"headers", headers_in_document(observation.http->headers)}});
}

}  // namespace splitproof::evidence
