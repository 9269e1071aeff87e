#include "harness/evidence/credentials.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace splitproof::evidence {
namespace {

constexpr std::array<std::string_view, 8> kSecretFields = {
    "authorization",  "proxy-authorization", "x-api-key", "api-key",
    "x-goog-api-key", "x-auth-token",        "cookie",    "set-cookie"};
constexpr std::size_t kTellable = 8;  // bytes

void mask_all(std::string& text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    const std::string masked = mask(secret.size());
    for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret, at + secret.size()))
      text.replace(at, secret.size(), masked);
  }
}

void mask_headers(testee::Headers& headers, const std::vector<std::string>& secrets) {
  for (testee::Header& header : headers) {
    if (is_secret(header.name)) {
      const std::size_t size = secret_part(header.value).size();
      header.value.replace(header.value.size() - size, size, mask(size));
    } else {
      mask_all(header.value, secrets);
    }
  }
}

}  // namespace

bool is_secret(std::string_view header_name) {
  return std::any_of(kSecretFields.begin(), kSecretFields.end(),
                     [&](std::string_view field) { return testee::same_name(field, header_name); });
}

std::string_view secret_part(std::string_view value) {
  for (const std::string_view scheme : {"Bearer ", "Basic "}) {
    if (value.size() > scheme.size() && testee::same_name(value.substr(0, scheme.size()), scheme))
      return value.substr(scheme.size());
  }
  return value;
}

std::vector<std::string> credentials(const testee::Observation& observation) {
  std::set<std::string> found;
  for (const testee::UpstreamCall& call : observation.calls) {
    for (const testee::Header& header : call.headers) {
      const std::string_view secret = secret_part(header.value);
      if (is_secret(header.name) && secret.size() >= kTellable) found.emplace(secret);
    }
  }
  std::vector<std::string> longest_first(found.begin(), found.end());
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return longest_first;
}

std::string mask(std::size_t size) {
  constexpr std::string_view kPattern = "(secret)";
  std::string masked;
  while (masked.size() < size) masked += kPattern;
  masked.resize(size);
  return masked;
}

testee::Observation without_secrets(testee::Observation observation) {
  const std::vector<std::string> secrets = credentials(observation);
  mask_all(observation.body, secrets);
  mask_all(observation.detail, secrets);
  if (observation.http) mask_headers(observation.http->headers, secrets);
  for (testee::UpstreamCall& call : observation.calls) {
    mask_headers(call.headers, secrets);
    mask_all(call.target, secrets);
    mask_all(call.body, secrets);
  }
  return observation;
}

}  // namespace splitproof::evidence
