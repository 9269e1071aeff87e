#include "tests/cost/cases.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "proxy/knobs.hpp"
#include "proxy/server/upstream_call.hpp"

namespace splitproof::cost {
namespace {

using proxy::dialect::ClientRow;
using proxy::dialect::UpstreamRow;

constexpr std::size_t kPiece = 64;            // bytes of a stream that come at a time
constexpr std::size_t kAnswersOfASample = 8;  // a sample tries each eighth answer of the knobs

struct Pair {
  std::string_view client;
  std::string_view upstream;
};

// Returns the protocols between which a knob's answer matters.
Pair pair_of(std::string_view knob) {
  if (knob == "block-index" || knob == "overlap") return {"anthropic.messages", "anthropic.messages"};
  if (knob == "response-object" || knob == "added-items" || knob == "output-index" || knob == "parts")
    return {"openai.responses", "openai.responses"};
  if (knob == "end-event" || knob == "stop-sequences") return {"openai.chat", "kiro.eventstream"};
  if (knob == "leaked-markup") return {"openai.responses", "openai.chat"};
  return {"anthropic.messages", "openai.chat"};
}

// True if a knob changes the request, or the stream, as for most.
bool changes(std::string_view knob, bool request) {
  constexpr std::string_view kOfBoth[] = {"names", "stop-sequences", "leaked-markup", "identity"};
  constexpr std::string_view kOfRequests[] = {"tool-choice", "environment", "preamble", "retention"};
  const auto is_among = [&](const auto& knobs) {
    return std::find(std::begin(knobs), std::end(knobs), knob) != std::end(knobs);
  };
  return is_among(kOfBoth) || is_among(kOfRequests) == request;
}

std::string run_request(const ClientRow& client, const TranslatorOptions& options, const std::string& body) {
  server::ServerSettings settings;
  settings.translator = options;
  server::RequestHead head;
  head.path = client.path;
  const auto call = server::upstream_call(head, body, 1, settings);
  if (!call) return call.error().body;
  const Translator translator(call->options);
  return translator.over() ? "over" : "whole";
}

std::string run_stream(const TranslatorOptions& options, const std::string& body) {
  Translator translator(options);
  std::string out;
  std::size_t read = 0;
  for (; read < body.size() && !translator.over(); read += kPiece)
    translator.feed(std::string_view(body).substr(read, kPiece), out);
  if (!translator.over()) translator.finish(turn::BodyEnd::complete, out);
  if (!options.relays()) options.client->whole_answer(out);
  return read + kPiece > body.size() / 2 ? "whole" : "ended early";
}

void set_knob(TranslatorOptions& options, const std::string& knob, const std::string& answer) {
  each_knob(options, [&](const char* name, auto& value, const auto& answers) {
    if (knob != name) return;
    for (const auto& [said, meant] : answers) {
      if (said == answer) value = meant;
    }
  });
}

}  // namespace

std::string Case::name() const {
  std::string text = request ? "requests/" : "streams/";
  text.append(client->protocol).append(">").append(upstream->protocol).append("/");
  return text + (knob.empty() ? "-" : knob + "=" + answer) + "/" + dimension->name;
}

std::string Case::input(std::size_t size) const {
  return dimension->make(std::string(request ? client->protocol : upstream->protocol), size);
}

TranslatorOptions Case::options(std::size_t size) const {
  TranslatorOptions options;
  options.client = client;
  options.upstream = upstream;
  options.secret = "sk-12345678";
  if (!knob.empty()) set_knob(options, knob, answer);
  if (request) return options;
  options.reply.model = "model";
  options.reply.aliases = {{"custom", true, {}, "custom"}};
  options.functions = {{"look", R"({"type":"object","properties":{"a":{"type":"integer"}}})"}};
  options.cleaning.model = "model";
  options.cleaning.stops = {"END"};
  options.tool_map = names::map_of(options.names);
  if (dimension->prepare) dimension->prepare(options, size);
  return options;
}

std::string Case::run(const std::string& input, const TranslatorOptions& options) const {
  return request ? run_request(*client, options, input) : run_stream(options, input);
}

std::vector<Case> cases(Choice choice) {
  std::vector<Case> all;
  for (const bool request : {true, false}) {
    std::size_t turn = 0;  // which of the cases of a dimension a sample has
    const auto add = [&](const Case& one, std::size_t place, std::size_t of) {
      if (choice == Choice::all || (place + turn) % of == 0) all.push_back(one);
    };
    for (const Dimension& dimension : request ? requests() : streams()) {
      ++turn;
      const auto clients = proxy::dialect::clients();
      const auto upstreams = proxy::dialect::upstreams();
      for (const UpstreamRow& upstream : upstreams) {
        std::size_t others = 0;
        for (const ClientRow& client : clients) {
          const bool relays = client.protocol == upstream.protocol;
          add({&dimension, request, &client, &upstream, {}, {}}, relays ? 0 : others++,
              relays ? 1 : clients.size() - 1);
        }
      }
      TranslatorOptions options;
      std::size_t answers_before = 0;
      each_knob(options, [&](const char* knob, const auto&, const auto& answers) {
        if (!changes(knob, request)) return;
        const Pair pair = pair_of(knob);
        for (auto answer = answers.begin() + 1; answer != answers.end(); ++answer) {
          add({&dimension, request, proxy::dialect::find_client(pair.client),
               proxy::dialect::find_upstream(pair.upstream), knob, std::string(answer->first)},
              ++answers_before, kAnswersOfASample);
        }
      });
    }
  }
  return all;
}

}  // namespace splitproof::cost
