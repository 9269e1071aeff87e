#include "proxy/upstream_request.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proxy/names/in_place.hpp"
#include "proxy/names/request_names.hpp"
#include "proxy/request/head.hpp"
#include "proxy/request/renaming.hpp"
#include "proxy/request/reshaping.hpp"
#include "proxy/request/twin_calls.hpp"

namespace splitproof {
namespace {

// Returns the request of a relay, with the upstream's model and, if they are changed in place, the upstream's tool
// names.
UpstreamRequest as_it_came(const TranslatorOptions& options, std::string_view body, request::Asked asked) {
  const std::size_t depth = options.rules.limits.json_depth;
  const bool in_target = options.client->read_target != nullptr;
  std::string same = in_target ? std::string(body) : request::with_model(body, asked.model, depth);
  if (!options.names_in_place()) return {std::move(asked), std::move(same), {}, true};
  names::NamedRequest named = names::name_in_place(names::map_of(options.names),
                                                   options.upstream->tools_in_place->request, same, depth);
  return {std::move(asked), std::move(named.body), std::move(named.tools), true};
}

// True if no knob changes the request.
bool is_untouched(const TranslatorOptions& options, const request::Asked& asked) {
  request::Asked named = asked;
  names::name_for_upstream(names::map_of(options.names), options.rules.limits.json_depth, named);
  named.aliases = asked.aliases;
  if (named != asked && !options.names_in_place()) return false;
  request::Asked made = named;
  request::reshape(options.request, options.upstream->says_choice, made);
  return made == named;
}

}  // namespace

tl::expected<UpstreamRequest, request::Refusal> upstream_request(
    const TranslatorOptions& options, std::string_view body,
    const std::function<void(request::Asked&)>& choose_model) {
  const std::size_t depth = options.rules.limits.json_depth;
  const Limits& limits = options.rules.limits;
  auto asked = options.relays() ? request::read_head(body, limits, options.client->read_target != nullptr)
                                : options.client->read_request(body, limits);
  if (!asked) return tl::unexpected(asked.error());
  choose_model(*asked);
  if (options.relays() || (options.may_relay() && is_untouched(options, *asked)))
    return as_it_came(options, body, *std::move(asked));
  // In words a call has no id, so the client's own ids suffice.
  if (options.request.preamble == request::Preamble::none) {
    if (const auto apart = request::tell_calls_apart(*asked); !apart) return tl::unexpected(apart.error());
  }
  names::ToolMap tool_map = names::name_for_upstream(names::map_of(options.names), depth, *asked);
  request::rename_tools(options.upstream->tool_names, *asked);
  // The upstream need not know stop texts that the proxy applies itself.
  const bool ends_here =
      options.cleaning.stop_sequences == text::StopRule::cut && !options.upstream->takes_stops;
  std::vector<std::string> stops;
  if (ends_here) stops.swap(asked->stop);
  std::optional<request::Asked> reshaped;
  if (options.request.any()) {
    reshaped = *asked;
    request::reshape(options.request, options.upstream->says_choice, *reshaped);
  }
  auto written = options.upstream->write_request(reshaped ? *reshaped : *asked, options.dialect);
  if (ends_here) stops.swap(asked->stop);
  if (!written) return tl::unexpected(written.error());
  return UpstreamRequest{*std::move(asked), *std::move(written), std::move(tool_map), false};
}

bool take_names(request::Asked& asked, TranslatorOptions& options) {
  options.tool_map =
      names::name_for_upstream(names::map_of(options.names), options.rules.limits.json_depth, asked);
  return !options.tool_map.empty();
}

bool take_functions(const request::Asked& asked, TranslatorOptions& options) {
  options.functions.clear();
  if (options.leaked_markup != text::LeakedMarkup::rescue) return false;
  if (asked.choice == request::Choice::none) return false;  // the client forbids calls
  for (const request::Tool& tool : asked.tools) {
    std::string name = request::plain(tool.name);
    const request::Alias* alias = asked.aliases.find(name);
    const bool custom = alias != nullptr && alias->custom;
    // A tool that is described in words can only be called in words.
    const bool callable = !custom || options.request.preamble == request::Preamble::pr54;
    if (callable) options.functions.push_back({std::move(name), tool.schema});
  }
  return !options.functions.empty();
}

bool take_cleaning(const request::Asked& asked, TranslatorOptions& options) {
  text::CleaningRules& cleaning = options.cleaning;
  cleaning.model.clear();
  cleaning.stops.clear();
  if (cleaning.identity == text::OwnIdentity::rewrite) cleaning.model = request::plain(asked.model);
  if (cleaning.stop_sequences == text::StopRule::cut) {
    for (const std::string& text : asked.stop) {
      cleaning.stops.push_back(request::plain(text));
      options.rules.stop_sequences.push_back(cleaning.stops.back());
    }
  }
  return cleaning.rewrites() || cleaning.cuts();
}

}  // namespace splitproof
