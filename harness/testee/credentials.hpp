#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/http_header.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Whether a field of a request or response holds what must not be shown: authorization, x-api-key, cookies and the
/// like.
bool is_secret(std::string_view header_name);

/// The part of such a field's value that is the secret: what follows the scheme of an authorization, else all of it.
std::string_view secret_part(std::string_view value);

/// The credentials with which the testee called its upstream: each once, the longest first. Those of fewer than eight
/// bytes are left out, since they occur in any text.
std::vector<std::string> credentials(const Observation& observation);

/// What stands for a secret of `size` bytes where it was taken out: as many bytes, so that offsets and lengths hold.
std::string mask(std::size_t size);

/// The credentials that a target file gives away, in the same form: what such fields of its requests hold, and the values of
/// `env` whose names say what they are (KEY, TOKEN, SECRET, PASSW or CREDENTIAL is part of them).
std::vector<std::string> credentials(const TargetFile& target);

/// Where the secrets of a client's request stand in a call of the upstream, beside the fields in which a provider is given its
/// key (authorization, x-api-key, api-key): names of fields in lower case, then `target` and `body`. A secret is what
/// authorization, cookie and the like of the client hold, from eight bytes on, unless the request has it elsewhere too,
/// which may be passed on. Nothing where the client has none.
std::optional<std::vector<std::string>> client_secret_in(const Headers& client,
                                                         const std::string& client_body,
                                                         const UpstreamCall& call);

/// The text with every one of these masked.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

/// The observation with every secret masked: in the fields that hold them, and wherever else one of its credentials or of
/// `known` occurs, be it upstream or downstream. Masked twice is masked once, and a leak is still seen as one.
Observation without_secrets(Observation observation, const std::vector<std::string>& known = {});

}  // namespace splitproof::testee
