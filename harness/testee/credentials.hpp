#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/testee/http_header.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// True if a header field may hold a secret: authorization, x-api-key, cookies and similar.
bool is_secret(std::string_view header_name);

/// Returns the secret part of such a field: the text after an authorization's scheme, or the whole value.
std::string_view secret_part(std::string_view value);

/// Returns the credentials with which the testee called its upstream: each once, longest first. Omits those
/// below eight bytes, because they occur in any text.
std::vector<std::string> credentials(const Observation& observation);

/// Returns the mask for a secret of `size` bytes. It has the same size, so offsets and lengths stay valid.
std::string mask(std::size_t size);

/// Returns the credentials in a target file, in the same form. They are in secret fields of its requests, and
/// in `env` variables whose names contain KEY, TOKEN, SECRET, PASSW or CREDENTIAL.
std::vector<std::string> credentials(const TargetFile& target);

/// Returns the places of the client's secrets in an upstream call, except the provider's key fields
/// (authorization, x-api-key, api-key). The places are field names in lower case, then `target` and `body`. A
/// secret is the value of the client's authorization, cookie or similar field, if it has at least eight
/// bytes. Secrets that the request also has elsewhere may be passed on. Returns nullopt if the client has no
/// secret.
std::optional<std::vector<std::string>> client_secret_in(const Headers& client,
                                                         const std::string& client_body,
                                                         const UpstreamCall& call);

/// Returns the text with each of these secrets masked.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

/// Returns the observation with every secret masked: in secret fields, and wherever its credentials or
/// `known` occur, upstream or downstream. Masking twice has no further effect, and a leak is still visible.
Observation without_secrets(Observation observation, const std::vector<std::string>& known = {});

}  // namespace splitproof::testee
