#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "proxy/request/asked.hpp"
#include "proxy/translator.hpp"

namespace splitproof {

/// A client's request, and the body of the one that is sent to the upstream for it.
struct UpstreamRequest {
  request::Asked asked;  ///< by the upstream's names; of a request that is passed on: model and stream alone
  std::string body;
  names::ToolMap tool_map;  ///< the tools of the request that have other names upstream, and other arguments
  bool
      as_it_came;  ///< but for the model, and for names that are changed in place: the answer is passed on, too
};

/// Translates a client's request, or passes it on where both speak one protocol and no knob makes more of it.
/// `choose_model` may name another model.
/// Refuses what cannot be read, and what would change the answer if it were left out.
tl::expected<UpstreamRequest, request::Refusal> upstream_request(
    const TranslatorOptions& options, std::string_view body,
    const std::function<void(request::Asked&)>& choose_model);

/// Gives the tools of a request the names that the upstream has for them, and has the translator tell its calls by those of
/// the client. False: all names stay.
bool take_names(request::Asked& asked, TranslatorOptions& options);

/// Has the translator look for calls of the functions that the client declared, if calls in text are to be made and it
/// forbids none. False: it looks for none.
bool take_functions(const request::Asked& asked, TranslatorOptions& options);

/// Has the translator take out of the answer what its knobs promise, which depends on the model that the client asked for and
/// on the texts at which it wants the answer to end. False: this request changes nothing.
bool take_cleaning(const request::Asked& asked, TranslatorOptions& options);

}  // namespace splitproof
