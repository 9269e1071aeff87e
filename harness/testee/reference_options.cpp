#include "harness/testee/reference_options.hpp"

#include <utility>

#include "proxy/knobs.hpp"
#include "proxy/upstream_request.hpp"

namespace splitproof::testee {
namespace {

// Reads knobs into the translator's options, and remembers the first invalid one.
class Knobs {
 public:
  explicit Knobs(const std::map<std::string, std::string>& knobs) : knobs_(knobs) {}

  template <class Value>
  void read(const std::string& knob, Value& value, const proxy::dialect::NamedValues<Value>& values) {
    const auto set = knobs_.find(knob);
    if (set == knobs_.end()) return;
    std::string known;
    for (const auto& [name, meant] : values) {
      if (name == set->second) {
        value = meant;
        return;
      }
      known.append(known.empty() ? "" : ", ").append(name);
    }
    if (!error_.what.empty()) return;
    error_.what = "the reference does not support " + knob + ": " + set->second;
    error_.hint = "use one of " + known;
  }

  const Error& error() const { return error_; }

 private:
  const std::map<std::string, std::string>& knobs_;
  Error error_;
};

// Returns a knob under which the reference would change answers that it passes on (SSE-12), or null without
// one.
const char* unplayable_within_a_protocol(const TranslatorOptions& options) {
  const text::CleaningRules& cleaning = options.cleaning;
  const request::Reshaping& request = options.request;
  if (options.leaked_markup == text::LeakedMarkup::rescue) return "leaked-markup: rescue";
  if (cleaning.marker != text::Marker::none) return "marker";
  if (cleaning.identity != text::OwnIdentity::pass) return "identity: rewrite";
  if (cleaning.upstream_blocks != text::UpstreamBlocks::pass) return "upstream-blocks: strip";
  if (cleaning.stop_sequences != text::StopRule::upstream) return "stop-sequences: cut";
  if (request.tool_choice != request::ToolChoice::native) return "tool-choice: emulate";
  if (options.names != names::Names::same && !options.names_in_place()) return "names: opencode";
  if (request.environment != request::EnvironmentRule::leave) return "environment: lift";
  if (request.preamble != request::Preamble::none) return "preamble: pr54";
  return request.retention != request::Retention::as_sent ? "retention: structured" : nullptr;
}

}  // namespace

Result<TranslatorOptions> reference_options(const std::map<std::string, std::string>& set) {
  TranslatorOptions options;
  Knobs knobs(set);
  each_knob(options,
            [&](const char* name, auto& value, const auto& values) { knobs.read(name, value, values); });
  // Promises that only another proxy makes.
  bool plain = true;
  knobs.read("signature", plain, proxy::dialect::NamedValues<bool>{{"optional", true}});
  knobs.read("hosted-searches", plain, proxy::dialect::NamedValues<bool>{{"left-out", true}});
  if (!knobs.error().what.empty()) return tl::unexpected(knobs.error());
  return options;
}

Result<void> set_protocols(TranslatorOptions& options, std::string_view upstream, std::string_view client) {
  const auto unknown = [](const char* does, std::string_view protocol) {
    return tl::unexpected(Error{"the reference " + (does + (" no " + std::string(protocol))),
                                {},
                                0,
                                "run splitproof list targets to see the directions"});
  };
  options.upstream = proxy::dialect::find_upstream(upstream);
  if (options.upstream == nullptr) return unknown("reads", upstream);
  options.client = proxy::dialect::find_client(client);
  if (options.client == nullptr) return unknown("writes", client);
  const char* knob = options.is_within_a_protocol() ? unplayable_within_a_protocol(options) : nullptr;
  if (knob != nullptr) {
    return tl::unexpected(Error{
        std::string("the reference relays streams of one protocol unchanged, and does not support ") + knob,
        {},
        0,
        "choose a client of another protocol"});
  }
  return {};
}

bool reads_request(const TranslatorOptions& options) {
  return options.leaked_markup == text::LeakedMarkup::rescue || options.names != names::Names::same ||
         options.cleaning.identity == text::OwnIdentity::rewrite ||
         options.cleaning.stop_sequences == text::StopRule::cut;
}

bool take_request(TranslatorOptions& options, std::string_view request) {
  if (options.relays()) {
    const auto written = upstream_request(options, request, [](request::Asked&) {});
    if (written) options.tool_map = written->tool_map;
    return !options.tool_map.empty();
  }
  auto asked = options.client->read_request(request, options.rules.limits);
  if (!asked) return false;
  take_names(*asked, options);
  options.reply.aliases = asked->aliases;
  const bool functions = take_functions(*asked, options);
  const bool cleaning = take_cleaning(*asked, options);
  return functions || cleaning || !asked->aliases.empty();
}

tl::expected<UpstreamCall, std::string> reference_request(const TranslatorOptions& options,
                                                          std::string_view request) {
  const auto written = upstream_request(options, request, [](request::Asked&) {});
  if (!written)
    return tl::unexpected(
        options.client->error(turn::ErrorKind::invalid_request, written.error().message).body);
  UpstreamCall call;
  call.method = "POST";
  const auto path_for = options.upstream->path_for;
  call.target = path_for == nullptr ? std::string(options.upstream->path)
                                    : path_for({}, request::plain(written->asked.model),
                                               written->asked.stream || !written->as_it_came);
  const std::string_view header = options.upstream->header;
  const std::size_t colon = header.find(':');
  if (colon != header.npos)
    call.headers.push_back({std::string(header.substr(0, colon)),
                            std::string(header.substr(header.find_first_not_of(" :", colon)))});
  call.body = written->body;
  call.outcome = "finished";
  return call;
}

}  // namespace splitproof::testee
