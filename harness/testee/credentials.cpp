#include "harness/testee/credentials.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "harness/lower_case.hpp"

namespace splitproof::testee {
namespace {

constexpr std::array<std::string_view, 8> kSecretFields = {
    "authorization",  "proxy-authorization", "x-api-key", "api-key",
    "x-goog-api-key", "x-auth-token",        "cookie",    "set-cookie"};
constexpr std::array<std::string_view, 5> kSecretNames = {"KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL"};
constexpr std::array<std::string_view, 3> kKeyFields = {"authorization", "x-api-key", "api-key"};
constexpr std::size_t kTellable = 8;  // minimum bytes of a secret

bool has_secret_name(std::string name) {
  for (char& c : name) c = 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return std::any_of(kSecretNames.begin(), kSecretNames.end(),
                     [&](std::string_view part) { return name.find(part) != name.npos; });
}

void add_secrets_of(const Headers& headers, std::set<std::string>& found) {
  for (const Header& header : headers)
    if (is_secret(header.name)) found.emplace(secret_part(header.value));
}

std::vector<std::string> tellable(const std::set<std::string>& found) {
  std::vector<std::string> longest_first;
  std::copy_if(found.begin(), found.end(), std::back_inserter(longest_first),
               [](const std::string& secret) { return secret.size() >= kTellable; });
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return longest_first;
}

void mask_all(std::string& text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    const std::string masked = mask(secret.size());
    for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret, at + secret.size()))
      text.replace(at, secret.size(), masked);
  }
}

void mask_headers(Headers& headers, const std::vector<std::string>& secrets) {
  for (Header& header : headers) {
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
                     [&](std::string_view field) { return same_name(field, header_name); });
}

std::string_view secret_part(std::string_view value) {
  for (const std::string_view scheme : {"Bearer ", "Basic "}) {
    if (value.size() > scheme.size() && same_name(value.substr(0, scheme.size()), scheme))
      return value.substr(scheme.size());
  }
  return value;
}

std::vector<std::string> credentials(const Observation& observation) {
  std::set<std::string> found;
  for (const UpstreamCall& call : observation.calls) add_secrets_of(call.headers, found);
  return tellable(found);
}

std::vector<std::string> credentials(const TargetFile& target) {
  std::set<std::string> found;
  add_secrets_of(target.headers, found);
  for (const SetupStep& step : target.setup) add_secrets_of(step.headers, found);
  for (const auto& [name, value] : target.env)
    if (has_secret_name(name)) found.insert(value);
  return tellable(found);
}

std::optional<std::vector<std::string>> client_secret_in(const Headers& client,
                                                         const std::string& client_body,
                                                         const UpstreamCall& call) {
  std::set<std::string> found;
  add_secrets_of(client, found);
  std::vector<std::string> secrets = tellable(found);
  std::erase_if(secrets, [&](const std::string& secret) {
    return client_body.find(secret) != client_body.npos ||
           std::any_of(client.begin(), client.end(), [&secret](const Header& header) {
             return !is_secret(header.name) && header.value.find(secret) != header.value.npos;
           });
  });
  if (secrets.empty()) return std::nullopt;
  const auto holds_one = [&secrets](const std::string& text) {
    return std::any_of(secrets.begin(), secrets.end(),
                       [&text](const std::string& secret) { return text.find(secret) != text.npos; });
  };
  std::set<std::string> fields;
  for (const Header& header : call.headers) {
    const bool takes_key = std::any_of(kKeyFields.begin(), kKeyFields.end(),
                                       [&](std::string_view field) { return same_name(field, header.name); });
    if (!takes_key && holds_one(header.value)) fields.insert(lower_case(header.name));
  }
  std::vector<std::string> places(fields.begin(), fields.end());
  if (holds_one(call.target)) places.emplace_back("target");
  if (holds_one(call.body)) places.emplace_back("body");
  return places;
}

std::string mask(std::size_t size) {
  constexpr std::string_view kPattern = "(secret)";
  std::string masked;
  while (masked.size() < size) masked += kPattern;
  masked.resize(size);
  return masked;
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  mask_all(text, secrets);
  return text;
}

Observation without_secrets(Observation observation, const std::vector<std::string>& known) {
  std::set<std::string> found(known.begin(), known.end());
  for (const UpstreamCall& call : observation.calls) add_secrets_of(call.headers, found);
  const std::vector<std::string> secrets = tellable(found);
  mask_all(observation.request, secrets);
  mask_all(observation.body, secrets);
  mask_all(observation.detail, secrets);
  if (observation.http) mask_headers(observation.http->headers, secrets);
  for (UpstreamCall& call : observation.calls) {
    mask_headers(call.headers, secrets);
    mask_all(call.target, secrets);
    mask_all(call.body, secrets);
  }
  for (SocketEvent& event : observation.socket)
    for (auto& member : event.members) mask_all(member.second, secrets);
  return observation;
}

}  // namespace splitproof::testee
