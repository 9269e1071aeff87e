#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"
#include "proxy/translator.hpp"

namespace splitproof {

/// A client's request, and the body of the upstream's request for it.
struct UpstreamRequest {
  request::Asked asked;  ///< With the upstream's names; for a relay only model and stream.
  std::string body;
  names::ToolMap tool_map;  ///< Tools of the request with other names and arguments upstream.
  bool as_it_came;          ///< Apart from the model and names changed in place; the answer is relayed too.
};

/// Translates a client's request, or relays it if both sides use one protocol and no knob changes it. `choose_model`
/// sets what the body lacks, and may name another model. Refuses what it cannot read, and what would change the answer if it were left out.
tl::expected<UpstreamRequest, request::Refusal> upstream_request(
    const TranslatorOptions& options, std::string_view body,
    const std::function<void(request::Asked&)>& choose_model);

/// Gives the tools of a request their upstream names, and lets the translator restore the client's names in calls.
/// Returns false if all names stay.
bool take_names(request::Asked& asked, TranslatorOptions& options);

/// Lets the translator look for calls of the declared functions in text, if calls in text are rescued and allowed.
/// Returns false otherwise.
bool take_functions(const request::Asked& asked, TranslatorOptions& options);

/// Lets the translator clean the answer by its knobs, for the client's model and its stop texts. Returns false if this
/// request needs no cleaning.
bool take_cleaning(const request::Asked& asked, TranslatorOptions& options);

}  // namespace splitproof
