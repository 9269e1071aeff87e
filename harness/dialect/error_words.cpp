#include "harness/dialect/error_words.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/lower_case.hpp"

namespace splitproof::dialect {
namespace {

using observe::ErrorClasses;

constexpr ErrorClasses kRequest = {.request = true};
constexpr ErrorClasses kLimit = {.limit = true};
constexpr ErrorClasses kServer = {.server = true};
/// For a key or a model name, which may be the client's or the proxy's.
constexpr ErrorClasses kEither = kRequest | kServer;
/// Waiting helps with some quotas, and none of them is the server's fault.
constexpr ErrorClasses kQuota = kRequest | kLimit;
constexpr ErrorClasses kOverload = kLimit | kServer;

struct Word {
  std::string_view
      word;  ///< In lower case, without `_` and similar, and without `error` or `exception` at its end.
  ErrorClasses classes;
};

/// Types and codes in the documents of OpenAI, Anthropic, Google and Bedrock, and in vLLM and llama.cpp.
constexpr Word kWords[] = {
    {"invalidrequest", kRequest},
    {"badrequest", kRequest},
    {"invalidargument", kRequest},
    {"invalidprompt", kRequest},
    {"validation", kRequest},
    {"unprocessableentity", kRequest},
    {"notfound", kEither},
    {"modelnotfound", kEither},
    {"requesttoolarge", kRequest},
    {"contextlengthexceeded", kRequest},
    {"exceedcontextsize", kRequest},
    {"stringabovemaxlength", kRequest},
    {"authentication", kEither},
    {"invalidapikey", kEither},
    {"unauthorized", kEither},
    {"unauthenticated", kEither},
    {"permission", kEither},
    {"permissiondenied", kEither},
    {"forbidden", kEither},
    {"accessdenied", kEither},
    {"ratelimit", kLimit},
    {"ratelimitexceeded", kLimit},
    {"toomanyrequests", kLimit},
    {"resourceexhausted", kLimit},
    {"throttling", kLimit},
    {"insufficientquota", kQuota},
    {"quotaexceeded", kQuota},
    {"billing", kQuota},
    {"billinghardlimitreached", kQuota},
    {"usagelimitreached", kQuota},
    {"overloaded", kOverload},
    {"serverisoverloaded", kOverload},
    {"engineoverloaded", kOverload},
    {"serviceunavailable", kOverload},
    {"unavailable", kOverload},
    {"slowdown", kOverload},
    {"server", kServer},
    {"api", kServer},
    {"internal", kServer},
    {"internalserver", kServer},
    {"timeout", kServer},
    {"deadlineexceeded", kServer},
    {"vectorstoretimeout", kServer},
    {"badgateway", kServer},
    {"modelstream", kServer},
    {"modeltimeout", kServer},
    {"modelnotready", kOverload},
    {"resourcenotfound", kEither},
    {"servicequotaexceeded", kQuota},
    {"unrecognizedclient", kEither},
};

ErrorClasses classes_of_status(int status) {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return kRequest;
    case 402:
      return kQuota;
    case 408:
      return kServer;
    case 429:
      return kLimit;
    case 503:
    case 529:
      return kOverload;
    default:
      return status >= 400 && status < 500   ? kEither
             : status >= 500 && status < 600 ? kServer
                                             : ErrorClasses{};
  }
}

/// rate_limit_error, RATE_LIMIT and RateLimitError are one word. Rate_limit_error is not, because it looks
/// damaged.
std::string plain(std::string_view word) {
  const auto any = [&](char first, char last) {
    return std::any_of(word.begin(), word.end(), [&](char c) { return c >= first && c <= last; });
  };
  if (any('_', '_') && any('a', 'z') && any('A', 'Z')) return "";
  std::string text = lower_case(std::string(word));
  std::erase_if(text, [](char c) { return c == '_' || c == '-' || c == ' ' || c == '.'; });
  for (const std::string_view end : {"exception", "error"}) {
    if (text.ends_with(end)) text.resize(text.size() - end.size());
  }
  return text;
}

ErrorClasses classes_of_word(std::string_view said) {
  int status = 0;
  const auto [end, fault] = std::from_chars(said.data(), said.data() + said.size(), status);
  if (fault == std::errc() && end == said.data() + said.size()) return classes_of_status(status);
  const std::string word = plain(said);
  const auto* const known =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& one) { return one.word == word; });
  return known == std::end(kWords) ? ErrorClasses{} : known->classes;
}

}  // namespace

ErrorClasses classes_of_error(std::initializer_list<std::string_view> words) {
  ErrorClasses classes;
  for (const std::string_view word : words) classes = classes | classes_of_word(word);
  return classes;
}

ErrorClasses classes_of_error(const observe::WireJson& error) {
  const auto word = [&](const char* key) {
    const observe::WireJson& value = error.at(key);
    return value.is(observe::WireJson::Kind::number) ? std::string_view(value.raw) : value.string();
  };
  return classes_of_error({word("type"), word("code"), word("status"), word("status_code")});
}

}  // namespace splitproof::dialect
