#include "harness/record/secret_check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "harness/aws_frame.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/lower_case.hpp"
#include "harness/read_file.hpp"
#include "harness/record/joined_texts.hpp"
#include "harness/record/mask.hpp"
#include "harness/record/secrets.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::record {
namespace {

constexpr std::size_t kShown = 4;

/// A secret in bytes, with its place.
struct RawSecret {
  std::size_t at = 0;
  SecretFinding finding;
};

SecretFinding finding_of(std::string_view secret, std::string_view kind) {
  return {0, std::string(kind), decode_utf8(secret.substr(0, std::min(kShown, secret.size() / 4))),
          secret.size()};
}

void find_in_readings(std::string_view raw, const SecretShapes& shapes, int depth,
                      std::vector<RawSecret>& found) {
  for (const EscapedText& reading : readings_of(raw)) {
    const std::string_view text = reading.text();
    for (const SecretPlace& place : shapes.find(text))
      found.push_back({reading.place(place.begin),
                       finding_of(text.substr(place.begin, place.end - place.begin), place.kind)});
    if (depth == kBase64Depth) continue;
    for (const Base64Run& run : base64_runs(text)) {
      std::vector<RawSecret> inner;
      find_in_readings(run.decoded, shapes, depth + 1, inner);
      for (RawSecret& one : inner) {
        one.finding.kind += " in base64";
        found.push_back({reading.place(run.begin), std::move(one.finding)});
      }
    }
  }
}

// Returns the secrets in a text. One secret is found in several readings, and by several rules, and is returned once.
std::vector<RawSecret> find_in(std::string_view raw, const SecretShapes& shapes) {
  std::vector<RawSecret> found;
  find_in_readings(raw, shapes, 0, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const RawSecret& a, const RawSecret& b) { return a.at < b.at; });
  std::vector<RawSecret> distinct;
  std::size_t end = 0;
  for (RawSecret& one : found) {
    if (!distinct.empty() && one.at < end) continue;
    end = one.at + one.finding.size;
    distinct.push_back(std::move(one));
  }
  return distinct;
}

// The payload of a frame is text, its head is not.
std::vector<RawSecret> find_in_body(const recording::Recording& recording, const SecretShapes& shapes) {
  const std::string_view body = recording.body;
  if (dialect::format_of(recording.protocol).framing != Framing::aws_frames) return find_in(body, shapes);
  std::vector<RawSecret> found;
  for (std::size_t at = 0; at < body.size();) {
    const AwsPrelude prelude = read_aws_prelude(body.substr(at));
    const bool whole = prelude.fault.empty() && prelude.size > 0 && prelude.size <= body.size() - at;
    const std::string_view frame = body.substr(at, whole ? prelude.size : body.npos);
    for (RawSecret& one : find_in(frame, shapes)) found.push_back({at + one.at, std::move(one.finding)});
    at += frame.size();
  }
  return found;
}

void find_in_headers(const nlohmann::json& headers, std::vector<SecretFinding>& found) {
  if (!headers.is_object()) return;
  for (const auto& header : headers.items()) {
    const std::string name = lower_case(header.key());
    if (!header.value().is_string() || !is_secret_name(name) || name == "cookie" || name == "set-cookie")
      continue;
    const auto value = header.value().get<std::string>();
    const std::string_view secret = secret_value(name, value);
    if (!is_masked(secret)) found.push_back(finding_of(secret, "header " + name));
  }
}

// Returns the secrets in the first line.
std::vector<SecretFinding> find_in_head(std::string_view line, const SecretShapes& shapes) {
  std::vector<SecretFinding> found;
  for (RawSecret& one : find_in(line, shapes)) found.push_back(std::move(one.finding));
  if (const auto head = parse_strict_json(line); head && found.empty()) {
    for (const char* pointer : {"/response/headers", "/provenance/request/headers"}) {
      const nlohmann::json::json_pointer place(pointer);
      if ((*head)->contains(place)) find_in_headers((*head)->at(place), found);
    }
  }
  for (SecretFinding& finding : found) finding.line = 1;
  return found;
}

}  // namespace

std::vector<SecretFinding> secrets_in_answer(const recording::Recording& recording,
                                             const SecretShapes& shapes,
                                             const std::vector<std::string>& known) {
  std::vector<SecretFinding> found;
  const Framing framing = dialect::format_of(recording.protocol).framing;
  for (const std::string& text : joined_texts(recording.body, framing)) {
    for (RawSecret& one : find_in(text, shapes)) found.push_back(std::move(one.finding));
    for (const std::string& secret : known)
      if (text.find(secret) != std::string::npos)
        found.push_back(finding_of(secret, "value of a secret name"));
  }
  return found;
}

Result<std::vector<SecretFinding>> secrets_in(const std::string& path, const SecretShapes& shapes) {
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto recording = recording::parse(*text, path);
  if (!recording) return tl::unexpected(recording.error());
  std::vector<SecretFinding> found =
      find_in_head(std::string_view(*text).substr(0, text->find('\n')), shapes);
  for (RawSecret& one : find_in_body(*recording, shapes)) {
    const auto arrival =
        std::upper_bound(recording->arrivals.begin(), recording->arrivals.end(), one.at,
                         [](std::size_t at, const recording::Arrival& a) { return at < a.end; });
    one.finding.line = 2 + static_cast<std::size_t>(arrival - recording->arrivals.begin());
    found.push_back(std::move(one.finding));
  }
  // The loader leaves out a last line that breaks off.
  const std::size_t last = text->rfind('\n') + 1;
  if (!parse_strict_json(std::string_view(*text).substr(last))) {
    for (RawSecret& one : find_in(std::string_view(*text).substr(last), shapes)) {
      one.finding.line = 1 + static_cast<std::size_t>(std::count(text->begin(), text->end(), '\n'));
      found.push_back(std::move(one.finding));
    }
  }
  for (SecretFinding& finding : secrets_in_answer(*recording, shapes, {})) {
    const bool known = std::any_of(found.begin(), found.end(), [&](const SecretFinding& other) {
      return other.beginning == finding.beginning && other.line > 1;
    });
    if (!known) found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace splitproof::record
