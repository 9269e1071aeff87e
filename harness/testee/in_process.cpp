#include "harness/testee/in_process.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/testee/client_request.hpp"
#include "harness/testee/reference_options.hpp"
#include "proxy/translator.hpp"

namespace splitproof::testee {
namespace {

turn::BodyEnd body_end(recording::End end) {
  switch (end) {
    case recording::End::closed:
      return turn::BodyEnd::closed;
    case recording::End::reset:
      return turn::BodyEnd::reset;
    case recording::End::stall:
      return turn::BodyEnd::stall;
    case recording::End::complete:
      break;
  }
  return turn::BodyEnd::complete;
}

constexpr int kBadRequest = 400;

class Reference final : public TranslatorStream {
 public:
  explicit Reference(const TranslatorOptions& options) : options_(options), translator_(options) {}

  bool reads_request() const override { return testee::reads_request(options_); }
  // The client's tool names decide about the calls in the answer.
  void asked(const std::string& request) override {
    if (take_request(options_, request)) translator_ = Translator(options_);
  }
  Asking asks(const std::string& request) const override {
    const auto call = reference_request(options_, request);
    return call ? Asking{*call, {}} : Asking{{}, call.error()};
  }
  void feed(std::string_view chunk, std::string& out) override { translator_.feed(chunk, out); }
  void finish(recording::End end, std::string& out) override { translator_.finish(body_end(end), out); }

 private:
  TranslatorOptions options_;
  Translator translator_;
};

}  // namespace

bool InProcess::refuses(const recording::Recording& recording) const {
  const bool asks_itself = recording.requests != nullptr && recording.requests->contains(client());
  return asks_itself && asks(recording).http.has_value();
}

Observation InProcess::asks(const recording::Recording& recording) const {
  Observation seen;
  const Result<std::string> request = client_request(client(), &recording, "", "");
  if (!request) return seen;
  Asking asking = open_()->asks(*request);
  if (!asking.refusal.empty()) {
    seen.body = std::move(asking.refusal);
    seen.http.emplace().status = kBadRequest;
  } else if (asking.call) {
    seen.calls.push_back(*std::move(asking.call));
  } else {
    return seen;
  }
  seen.request = *request;
  return seen;
}

Observation InProcess::observe(const Exchange& exchange) const {
  Observation seen;
  const std::unique_ptr<TranslatorStream> stream = open_();
  if (stream->reads_request()) {
    if (const auto request = client_request(client(), exchange.recording, "", "")) stream->asked(*request);
  } else if (exchange.recording != nullptr && exchange.recording->requests != nullptr) {
    const auto request = exchange.recording->requests->find(client());
    if (request != exchange.recording->requests->end()) stream->asked(request->dump());
  }
  for (const std::string_view chunk : exchange.chunks) {
    const auto exact = std::make_unique<char[]>(chunk.size());
    std::copy(chunk.begin(), chunk.end(), exact.get());
    stream->feed(std::string_view(exact.get(), chunk.size()), seen.body);
    seen.after_chunk.push_back(seen.body.size());
  }
  stream->finish(exchange.end, seen.body);
  return seen;
}

std::vector<std::string> reference_upstreams() {
  std::vector<std::string> names;
  for (const proxy::dialect::UpstreamRow& upstream : proxy::dialect::upstreams())
    names.emplace_back(upstream.protocol);
  return names;
}

std::vector<std::string> reference_clients() {
  std::vector<std::string> names;
  for (const proxy::dialect::ClientRow& client : proxy::dialect::clients())
    names.emplace_back(client.protocol);
  return names;
}

std::vector<std::string> reference_clients(std::string_view upstream) {
  const proxy::dialect::UpstreamRow* own = proxy::dialect::find_upstream(upstream);
  std::vector<std::string> names = reference_clients();
  if (own == nullptr || own->order == nullptr) std::erase(names, upstream);
  return names;
}

Result<StreamFactory> reference_streams(const contract::Profile& profile, std::string_view upstream,
                                        std::string_view client) {
  Result<TranslatorOptions> options = reference_options(profile.knobs);
  if (!options) {
    options.error().what += " of profile " + profile.name;
    return tl::unexpected(options.error());
  }
  if (const auto set = set_protocols(*options, upstream, client); !set) return tl::unexpected(set.error());
  return StreamFactory([options = *options] { return std::make_unique<Reference>(options); });
}

}  // namespace splitproof::testee
