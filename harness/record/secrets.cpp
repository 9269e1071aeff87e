#include "harness/record/secrets.hpp"

#include <algorithm>
#include <utility>

#include "harness/lower_case.hpp"
#include "harness/recording/base64.hpp"

namespace splitproof::record {
namespace {

constexpr int kJsonLevels = 4;  // a recording adds a level to its body
constexpr std::size_t kShortestBase64 = 24;
constexpr std::size_t kShortestKnown = 8;
constexpr std::size_t kMostKnown = 1000;

bool is_letter_or_digit(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
}

bool is_base64(char c) { return is_letter_or_digit(c) || c == '+' || c == '/' || c == '-' || c == '_'; }

// Translates the alphabet for URLs into the standard alphabet.
std::string standard_alphabet(std::string_view text) {
  std::string standard(text);
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  return standard;
}

bool is_line_end(char c) { return c == '\r' || c == '\n'; }

// Returns the end of the base64 that begins at `begin`. It may have line ends, as in MIME.
std::size_t end_of_base64(std::string_view text, std::size_t begin) {
  constexpr std::size_t kShortestLine = 60;
  while (true) {
    const auto* end = std::find_if_not(text.begin() + begin, text.end(), is_base64);
    const auto* next = std::find_if_not(end, text.end(), is_line_end);
    const bool goes_on = end - (text.begin() + begin) >= static_cast<std::ptrdiff_t>(kShortestLine) &&
                         next != end && next - end <= 2 && next != text.end() && is_base64(*next);
    if (!goes_on) return static_cast<std::size_t>(end - text.begin());
    begin = static_cast<std::size_t>(next - text.begin());
  }
}

// Returns the bytes of base64 without its padding, or "".
std::string decoded_base64(std::string_view text) {
  std::string standard = standard_alphabet(text);
  std::erase_if(standard, is_line_end);
  const std::size_t whole = standard.size() / 4 * 4;
  std::string padded = standard;
  padded.resize(padded.size() - (padded.size() % 4 == 1 ? 1 : 0));
  padded.append((4 - padded.size() % 4) % 4, '=');
  if (auto decoded = recording::from_base64(padded)) return *std::move(decoded);
  return recording::from_base64(std::string_view(standard).substr(0, whole)).value_or("");
}

// True if bytes may have a text with a secret. Bytes of a wrong alignment hardly ever do.
bool has_words(std::string_view bytes) {
  constexpr std::size_t kShortest = 12;
  std::size_t size = 0;
  return std::any_of(bytes.begin(), bytes.end(), [&](char c) {
    size = ' ' <= c && c <= '~' ? size + 1 : 0;
    return size >= kShortest;
  });
}

// Returns the base64 of `bytes` in the alphabet of `like`, without padding.
std::string base64_like(std::string_view bytes, std::string_view like) {
  std::string text = recording::to_base64(bytes);
  text.resize(text.find_last_not_of('=') + 1);
  if (like.find_first_of("-_") == like.npos) return text;
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

// Somebody may use a common word as a key. It is not masked everywhere.
bool is_tellable(std::string_view secret) {
  if (secret.size() < kShortestKnown) return false;
  return secret.size() >= 2 * kShortestKnown ||
         std::any_of(secret.begin(), secret.end(), [](char c) { return '0' <= c && c <= '9'; });
}

/// Place of a secret in a list of headers.
struct SecretRange {
  std::size_t header = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Returns the values of secret names, and of cookies.
std::vector<SecretRange> secrets_in_headers(const testee::Headers& headers) {
  std::vector<SecretRange> ranges;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const std::string name = lower_case(headers[i].name);
    const std::string_view value = headers[i].value;
    if (name == "cookie" || name == "set-cookie") {
      for (const auto& [begin, end] : cookie_values(value)) ranges.push_back({i, begin, end});
    } else if (is_secret_name(name)) {
      ranges.push_back({i, value.size() - secret_value(name, value).size(), value.size()});
    }
  }
  return ranges;
}

// Returns the values of secret parameters, as ranges of the target without its escapes.
std::vector<std::pair<std::size_t, std::size_t>> secret_parameters(const std::string& target,
                                                                   const EscapedText& reading) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t at = target.find('?'); at != std::string::npos; at = target.find('&', at + 1)) {
    const std::size_t end = std::min(target.find('&', at + 1), target.size());
    const std::size_t equals = target.find('=', at);
    if (equals >= end) continue;
    if (!is_secret_name(EscapedText(target.substr(at + 1, equals - at - 1)).without_percent_escapes().text()))
      continue;
    std::size_t from = 0;
    while (reading.place(from) < equals + 1) ++from;
    std::size_t to = from;
    while (reading.place(to) < end) ++to;
    ranges.emplace_back(from, to);
  }
  return ranges;
}

}  // namespace

std::string_view secret_value(std::string_view name, std::string_view value) {
  const std::size_t blank = name.ends_with("authorization") ? value.find(' ') : value.npos;
  return blank == value.npos ? value : value.substr(blank + 1);
}

std::vector<EscapedText> readings_of(std::string_view raw) {
  std::vector<EscapedText> readings;
  readings.emplace_back(raw);
  if (raw.find('%') != raw.npos) readings.push_back(readings.front().without_percent_escapes());
  EscapedText inner = readings.front();
  for (int level = 0; level < kJsonLevels && inner.text().find('\\') != std::string::npos; ++level) {
    inner = inner.without_json_escapes();
    readings.push_back(inner);
  }
  return readings;
}

std::vector<Base64Run> base64_runs(std::string_view text) {
  std::vector<Base64Run> runs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first =
        static_cast<std::size_t>(std::find_if(text.begin() + at, text.end(), is_base64) - text.begin());
    at = end_of_base64(text, first);
    if (at - first < kShortestBase64) continue;
    // A text in front, such as /v1/, shifts the groups of four characters.
    for (std::size_t shift = 0; shift < 4; ++shift) {
      std::string decoded = decoded_base64(text.substr(first + shift, at - first - shift));
      if (!decoded.empty() && (shift == 0 || has_words(decoded)))
        runs.push_back({first + shift, at, std::move(decoded)});
    }
  }
  return runs;
}

void Secrets::remember(std::string_view secret, bool is_own) {
  if (!is_tellable(secret) || is_masked(secret)) return;
  const std::lock_guard lock(mutex_);
  std::deque<std::string>& latest = is_own ? own_ : other_;
  const auto known = std::find(latest.begin(), latest.end(), secret);
  if (known != latest.end()) {
    latest.erase(known);
  } else {
    ++learned_;
  }
  latest.emplace_back(secret);
  if (latest.size() > kMostKnown) latest.pop_front();
}

std::vector<std::string> Secrets::known() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all(own_.begin(), own_.end());
  all.insert(all.end(), other_.begin(), other_.end());
  return all;
}

void Secrets::mask_reading(std::string& raw, const EscapedText& reading, int depth) {
  const std::vector<SecretPlace> places = shapes_.find(reading.text());
  for (const SecretPlace& place : places) {
    mask_.cover(raw, reading, place.begin, place.end);
    if (!place.recognisable)
      remember(std::string_view(reading.text()).substr(place.begin, place.end - place.begin));
  }
  mask_base64(raw, reading, depth);
  const std::lock_guard lock(mutex_);
  for (const auto* secrets : {&own_, &other_}) {
    for (const std::string& secret : *secrets) {
      for (std::size_t at = reading.text().find(secret); at != std::string::npos;
           at = reading.text().find(secret, at + secret.size()))
        mask_.cover(raw, reading, at, at + secret.size());
    }
  }
}

// Masks inside the decoded bytes, so that the text stays base64 of the same size.
void Secrets::mask_base64(std::string& raw, const EscapedText& reading, int depth) {
  if (depth == kBase64Depth) return;
  for (const Base64Run& run : base64_runs(reading.text())) {
    std::string masked = run.decoded;
    mask_at_depth(masked, depth + 1);
    if (masked == run.decoded) continue;
    const std::string_view before = std::string_view(reading.text()).substr(run.begin, run.end - run.begin);
    const std::string after = base64_like(masked, before);
    std::size_t at = run.begin;
    for (const char c : after) {
      while (is_line_end(reading.text()[at])) ++at;
      // An escaped slash has two bytes, so it stays a slash.
      const std::size_t place = reading.place(at);
      if (reading.place(++at) - place == 1) raw[place] = c;
    }
  }
}

void Secrets::mask_at_depth(std::string& raw, int depth) {
  for (const EscapedText& reading : readings_of(raw)) mask_reading(raw, reading, depth);
}

// A text that teaches a secret may have it in earlier places too.
void Secrets::mask_once(std::string& raw) {
  const auto learned = [this] {
    const std::lock_guard lock(mutex_);
    return learned_;
  };
  const std::size_t before = learned();
  mask_at_depth(raw, 0);
  if (learned() != before) mask_at_depth(raw, 0);
}

void Secrets::mask_text(std::string& raw) {
  if (enabled_) mask_once(raw);
}

void Secrets::learn(const std::string& target, const testee::Headers& headers) {
  for (const SecretRange& range : secrets_in_headers(headers))
    remember(std::string_view(headers[range.header].value).substr(range.begin, range.end - range.begin),
             true);
  const EscapedText reading = EscapedText(target).without_percent_escapes();
  for (const auto& [begin, end] : secret_parameters(target, reading))
    remember(std::string_view(reading.text()).substr(begin, end - begin), true);
}

void Secrets::mask_headers(testee::Headers& headers) {
  if (!enabled_) return;
  const std::vector<SecretRange> ranges = secrets_in_headers(headers);
  for (const SecretRange& range : ranges)
    remember(std::string_view(headers[range.header].value).substr(range.begin, range.end - range.begin));
  for (const SecretRange& range : ranges) {
    std::string& value = headers[range.header].value;
    const std::size_t size = range.end - range.begin;
    value.replace(range.begin, size, mask_.of(std::string_view(value).substr(range.begin, size)));
  }
  for (testee::Header& header : headers) mask_text(header.value);
}

void Secrets::mask_target(std::string& target) {
  if (!enabled_) return;
  const EscapedText reading = EscapedText(target).without_percent_escapes();
  for (const auto& [begin, end] : secret_parameters(target, reading)) {
    remember(std::string_view(reading.text()).substr(begin, end - begin));
    mask_.cover(target, reading, begin, end);
  }
  mask_text(target);
}

}  // namespace splitproof::record
