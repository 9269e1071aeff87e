#include "harness/record/secret_shapes.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "harness/lower_case.hpp"
#include "harness/record/mask.hpp"
#include "harness/testee/credentials.hpp"
#include "harness/testee/http_header.hpp"
#include "harness/visible.hpp"

namespace splitproof::record {
namespace {

using re2::RE2;
using re2::StringPiece;

/// A well-known shape of secrets. Issuers choose the first characters so that scanners find them.
struct Shape {
  std::string_view kind;
  std::string_view expression;
  bool may_be_words = false;  // words may have this shape too, so only random characters count
};

constexpr std::array<Shape, 38> kShapes = {{
    {"API key (sk-)", R"(sk-[A-Za-z0-9][A-Za-z0-9_-]{17,})", true},
    {"API key (AIza)", R"(AIza[A-Za-z0-9_-]{30,})"},
    {"API key (AQ.)", R"(AQ\.[A-Za-z0-9_-]{20,})", true},
    {"OAuth token (ya29.)", R"(ya29\.[A-Za-z0-9_-]{20,})"},
    {"OAuth refresh token (1//)", R"(1//0[A-Za-z0-9_-]{20,})", true},
    {"OAuth client secret (GOCSPX-)", R"(GOCSPX-[A-Za-z0-9_-]{20,})"},
    {"GitHub token", R"(gh[pousr]_[A-Za-z0-9]{30,})"},
    {"GitHub token", R"(github_pat_[A-Za-z0-9_]{30,})"},
    {"GitLab token", R"(glpat-[A-Za-z0-9_-]{20,})"},
    {"AWS access key", R"((?:AKIA|ASIA)[A-Z0-9]{16})"},
    {"AWS API key", R"(ABSK[A-Za-z0-9+/=]{40,})"},
    {"AWS API key", R"([a-z]{3,12}-api-key-[A-Za-z0-9+/=_-]{20,})", true},
    {"JSON web token", R"(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"},
    {"Slack token", R"(xox[abeoprs]-[A-Za-z0-9-]{16,})", true},
    {"Slack token", R"(xapp-[A-Za-z0-9-]{20,})", true},
    {"Hugging Face token", R"(hf_[A-Za-z0-9]{30,})"},
    {"API key (gsk_)", R"(gsk_[A-Za-z0-9]{30,})"},
    {"API key (xai-)", R"(xai-[A-Za-z0-9]{40,})"},
    {"API key (pplx-)", R"(pplx-[A-Za-z0-9]{32,})"},
    {"API key (csk-)", R"(csk-[a-z0-9]{30,})", true},
    {"API key (fw_)", R"(fw_[A-Za-z0-9]{20,})", true},
    {"API key (tvly-)", R"(tvly-[A-Za-z0-9-]{20,})", true},
    {"Replicate token", R"(r8_[A-Za-z0-9]{30,})"},
    {"API key (nvapi-)", R"(nvapi-[A-Za-z0-9_-]{40,})", true},
    {"npm token", R"(npm_[A-Za-z0-9]{36})"},
    {"PyPI token", R"(pypi-[A-Za-z0-9_-]{40,})", true},
    {"Stripe key", R"((?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,})"},
    {"webhook secret", R"(whsec_[A-Za-z0-9+/]{24,})"},
    {"SendGrid key", R"(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})"},
    {"DigitalOcean token", R"(do[opr]_v1_[a-f0-9]{40,})"},
    {"Shopify token", R"(shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})"},
    {"LangSmith key", R"(lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10})"},
    {"Databricks token", R"(dapi[a-f0-9]{32})"},
    {"Twilio key", R"(SK[0-9a-f]{32})"},
    {"Vault token", R"(hv[sb]\.[A-Za-z0-9_-]{24,})"},
    {"Linear key", R"(lin_api_[A-Za-z0-9]{30,})"},
    {"Atlassian token", R"(ATATT3[A-Za-z0-9_=-]{50,})"},
    {"bot token", R"([0-9]{8,10}:AA[A-Za-z0-9_-]{33})"},
}};

constexpr const char* kPrivateKey = R"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----([^-]+)(?:-----END|$))";

// Names of members, variables, fields and headers whose values are secrets. The first have any text in front, such as
// myApiKey and PGPASSWORD, and a number after it. The others have only parts in front, such as X_ or aws_.
constexpr const char* kName =
    R"((?i:[a-z0-9_-]*(?:(?:api|access|account|encryption|signing)[_-]?key|secret|)"
    R"(password|passwd|passphrase|passcode|connection[_-]?string)(?:[_-]?[0-9]+)?|)"
    R"([a-z0-9_-]*(?:private[_-]?key|secret[_-]?key|secret[_-]?access[_-]?key|signing[_-]?secret)[a-z0-9_-]*|)"
    R"((?:[a-z0-9]+[_-])*(?:(?:access|refresh|id|auth|bearer|session|security)[_-]?token|)"
    R"(pass|pwd|authorization|credentials?)))";

// Names of parameters in URLs.
constexpr const char* kParameter =
    R"((?i:key|api[_-]?key|(?:access|refresh|id|auth)[_-]?token|token|auth|sig|signature|client[_-]?secret|secret|)"
    R"(password|passwd|x-amz-(?:signature|credential|security-token)))";

/// Compiled once for the whole program.
struct Expressions {
  // Bodies may have any bytes.
  explicit Expressions(const std::string& text) : compiled(text, options(RE2::Options::EncodingLatin1)) {}

  static RE2::Options options(RE2::Options::Encoding encoding) {
    RE2::Options options;
    options.set_encoding(encoding);
    options.set_max_mem(std::int64_t{64} << 20);
    options.set_log_errors(false);
    return options;
  }

  RE2 compiled;
};

const Expressions& all_shapes() {
  static const Expressions kAll([] {
    std::string text = "(?:^|[^A-Za-z0-9])(";
    for (const Shape& shape : kShapes) {
      if (&shape != kShapes.data()) text += '|';
      text += shape.expression;
    }
    return text + ")";
  }());
  return kAll;
}

const Expressions& private_key() {
  static const Expressions kOne(kPrivateKey);
  return kOne;
}

// A member of a JSON object with a text.
const Expressions& secret_member() {
  static const Expressions kOne(std::string("\"") + kName + R"re("\s*:\s*"((?:[^"\\]|\\.)+)")re");
  return kOne;
}

// A member with cookies.
const Expressions& cookie_member() {
  static const Expressions kOne(R"re("(?i:set-cookie|cookies?)"\s*:\s*"((?:[^"\\]|\\.)+)")re");
  return kOne;
}

// A member with texts in an array.
const Expressions& secret_array() {
  static const Expressions kOne(std::string("\"") + kName +
                                R"re(s?"\s*:\s*\[((?:\s*"(?:[^"\\]|\\.)*"\s*,?)+))re");
  return kOne;
}

const Expressions& element() {
  static const Expressions kOne(R"re("((?:[^"\\]|\\.)+)")re");
  return kOne;
}

// A member with a number. Its first digit stays, because a number does not begin with 0.
const Expressions& secret_number() {
  static const Expressions kOne(std::string("\"") + kName + R"re("\s*:\s*[0-9]([0-9]{3,}))re");
  return kOne;
}

// A field of a multipart form.
const Expressions& form_field() {
  static const Expressions kOne(std::string(R"re((?i:name)="?(?:)re") + kName + "|" + kParameter +
                                R"re()"?(?:;[^\r\n]*)?\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]+))re");
  return kOne;
}

// A password in a query or in the fields of a form.
const Expressions& password_parameter() {
  static const Expressions kOne(std::string("(?:^|[?&;])") + kName + R"(=([^&\s"'<>#\\;]+))");
  return kOne;
}

// An assignment in a text: API_KEY=..., password: ....
const Expressions& assignment() {
  static const Expressions kOne(std::string(R"((?:^|[^A-Za-z0-9]))") + kName +
                                R"(["']?\s*[:=]\s*["']?([^\s"'\\,;&<>(){}\[\]$]{12,}))");
  return kOne;
}

// A member or variable named token: only if its value is random, because pieces of words are also called tokens.
const Expressions& token() {
  static const Expressions kOne(
      R"((?:^|[^A-Za-z0-9])(?i:token)["']?\s*[:=]\s*["']?([A-Za-z0-9._~+/=-]{20,}))");
  return kOne;
}

const Expressions& parameter() {
  static const Expressions kOne(std::string("(?:^|[?&;])") + kParameter + R"(=([^&\s"'<>#\\;]{6,}))");
  return kOne;
}

const Expressions& password_in_url() {
  static const Expressions kOne(R"(://[^\s/@:"'<>\\]*:([^\s/@"'<>\\]{3,})@)");
  return kOne;
}

const Expressions& bearer() {
  static const Expressions kOne(R"((?i:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,}))");
  return kOne;
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

bool is_random(std::string_view text) {
  const auto is_letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  return has_digit(text) && std::any_of(text.begin(), text.end(), is_letter);
}

// Returns the shape of a secret, or null if it only looks like one.
const Shape* shape_of(std::string_view secret) {
  static const auto kEach = [] {
    std::vector<std::unique_ptr<Expressions>> each;
    for (const Shape& shape : kShapes)
      each.push_back(std::make_unique<Expressions>(std::string(shape.expression)));
    return each;
  }();
  for (std::size_t i = 0; i < kShapes.size(); ++i)
    if (RE2::FullMatch(StringPiece(secret.data(), secret.size()), kEach[i]->compiled))
      return !kShapes[i].may_be_words || has_digit(secret) ? &kShapes[i] : nullptr;
  return nullptr;
}

/// Calls `take` with each match of the group in the text.
template <class Take>
void each_match(const RE2& expression, std::string_view text, int group, const Take& take) {
  const StringPiece whole(text.data(), text.size());
  std::array<StringPiece, 2> found;
  for (std::size_t at = 0; at <= text.size();) {
    if (!expression.Match(whole, at, whole.size(), RE2::UNANCHORED, found.data(), group + 1)) return;
    const auto begin = static_cast<std::size_t>(found[0].data() - whole.data());
    const std::size_t end = begin + found[0].size();
    if (const StringPiece& secret = found[group]; !secret.empty())
      take(static_cast<std::size_t>(secret.data() - whole.data()), secret.size());
    at = std::max(end, at + 1);
  }
}

}  // namespace

SecretShapes::SecretShapes() = default;

Result<void> SecretShapes::add(const std::string& expression) {
  auto compiled =
      std::make_shared<const re2::RE2>(expression, Expressions::options(RE2::Options::EncodingUTF8));
  if (!compiled->ok()) {
    return tl::unexpected(
        Error{visible("--mask '" + expression + "' is not a regular expression: " + compiled->error()),
              {},
              0,
              "splitproof reads the syntax of RE2, for example 'acme-[0-9a-f]{32}'"});
  }
  if (RE2::FullMatch("", *compiled)) {
    return tl::unexpected(
        Error{visible("--mask '" + expression + "' matches the empty text"), {}, 0, "use + instead of *"});
  }
  user_.push_back(std::move(compiled));
  return {};
}

std::vector<SecretPlace> SecretShapes::find(std::string_view text) const {
  std::vector<SecretPlace> places;
  const auto add = [&](std::size_t begin, std::size_t size, std::string_view kind, bool recognisable) {
    if (!is_masked(text.substr(begin, size))) places.push_back({begin, begin + size, kind, recognisable});
  };
  each_match(secret_member().compiled, text, 1, [&](std::size_t begin, std::size_t size) {
    const std::size_t secret = testee::secret_part(text.substr(begin, size)).size();  // without "Bearer "
    add(begin + size - secret, secret, "value of a secret name", false);
  });
  each_match(cookie_member().compiled, text, 1, [&](std::size_t begin, std::size_t size) {
    for (const auto& [from, to] : cookie_values(text.substr(begin, size)))
      add(begin + from, to - from, "cookie", false);
  });
  each_match(secret_array().compiled, text, 1, [&](std::size_t array, std::size_t length) {
    each_match(element().compiled, text.substr(array, length), 1, [&](std::size_t begin, std::size_t size) {
      add(array + begin, size, "value of a secret name", false);
    });
  });
  // A number is not looked for elsewhere.
  each_match(secret_number().compiled, text, 1,
             [&](std::size_t begin, std::size_t size) { add(begin, size, "value of a secret name", true); });
  for (const Expressions* expression : {&form_field(), &password_parameter()}) {
    each_match(expression->compiled, text, 1,
               [&](std::size_t begin, std::size_t size) { add(begin, size, "field of a form", false); });
  }
  const auto add_random = [&](const Expressions& expression, std::string_view kind) {
    each_match(expression.compiled, text, 1, [&](std::size_t begin, std::size_t size) {
      // A full stop belongs to the sentence.
      size = text.substr(begin, size).find_last_not_of(".!?:") + 1;
      if (is_random(text.substr(begin, size))) add(begin, size, kind, false);
    });
  };
  add_random(assignment(), "value of a secret name");
  add_random(token(), "value of a secret name");
  add_random(parameter(), "parameter of a URL");
  add_random(bearer(), "authorization");
  each_match(password_in_url().compiled, text, 1,
             [&](std::size_t begin, std::size_t size) { add(begin, size, "password in a URL", false); });
  each_match(private_key().compiled, text, 1,
             [&](std::size_t begin, std::size_t size) { add(begin, size, "private key", true); });
  for (const auto& expression : user_) {
    each_match(*expression, text, std::min(expression->NumberOfCapturingGroups(), 1),
               [&](std::size_t begin, std::size_t size) { add(begin, size, "match of --mask", true); });
  }
  each_match(all_shapes().compiled, text, 1, [&](std::size_t begin, std::size_t size) {
    if (const Shape* shape = shape_of(text.substr(begin, size))) add(begin, size, shape->kind, true);
  });
  return places;
}

std::vector<std::pair<std::size_t, std::size_t>> cookie_values(std::string_view text) {
  constexpr std::array<std::string_view, 7> kAttributes = {"path",   "domain",   "expires", "max-age",
                                                           "secure", "httponly", "samesite"};
  std::vector<std::pair<std::size_t, std::size_t>> values;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::size_t equals = text.find('=', at);
    if (equals < end) {
      const std::string name = lower_case(std::string(testee::without_blanks(text.substr(at, equals - at))));
      const bool is_attribute = std::find(kAttributes.begin(), kAttributes.end(), name) != kAttributes.end();
      if (!is_attribute && equals + 1 < end) values.emplace_back(equals + 1, end);
    }
    at = end + 1;
  }
  return values;
}

bool is_secret_name(std::string_view name) {
  static const Expressions kOne(
      std::string(R"((?i:.*(?:auth|cookie|secret|password|credential|session).*|.*[_-]key|key|)") +
      R"((?:.*[_-])?token|(?:.*[_-])?sig(?:nature)?|.*-organization(?:-id)?|.*-project(?:-id)?)|)" + kName);
  return RE2::FullMatch(StringPiece(name.data(), name.size()), kOne.compiled);
}

}  // namespace splitproof::record
