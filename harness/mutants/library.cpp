// The translator and its mutants as a library with the common translator interface.
#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutants/mutation.hpp"
#include "harness/testee/reference_options.hpp"
#include "harness/testee/splitproof_testee.h"
#include "proxy/wire/json.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::mutants {

extern const splitproof_variant kVariants[];
extern const splitproof_protocols kProtocols[];
extern const char* const kProfiles[];

namespace {

constexpr std::size_t kOpeningDepth = 1000;

struct MutantState {
  Mutation mutation;
  Translator translator;

  bool operator==(const MutantState&) const = default;
};

// The different states of an exchange and its copies, by the number of bytes before. The place of a state here
// identifies it.
using SeenStates = std::map<std::size_t, std::vector<MutantState>>;

struct LibraryExchange {
  const splitproof_host* host;
  MutantState state;
  std::size_t fed = 0;
  std::shared_ptr<SeenStates> seen = std::make_shared<SeenStates>();
};

LibraryExchange& exchange_of(void* pointer) { return *static_cast<LibraryExchange*>(pointer); }

// Returns the number of a variant, from 1; 0 for null, -1 if unknown.
int number_of(const char* name) {
  if (name == nullptr) return 0;
  for (int i = 0; kVariants[i].name != nullptr; ++i) {
    if (std::string_view(name) == kVariants[i].name) return i + 1;
  }
  return -1;
}

// Omits the content of the client's request.
Result<TranslatorOptions> options_of(const wire::Json& root) {
  std::map<std::string, std::string> knobs;
  for (wire::Json key = root["knobs"].first_key(); key; key = key.next())
    knobs[key.text()] = key.value().text();
  Result<TranslatorOptions> options = testee::reference_options(knobs);
  if (!options) return options;
  const auto set = testee::set_protocols(*options, root["upstream"].text(), root["client"].text());
  if (!set) return tl::unexpected(set.error());
  return options;
}

// Returns the upstream call for the client's request, in the format of splitproof_host::ask.
std::string ask_for(const TranslatorOptions& options, std::string_view request) {
  const auto call = testee::reference_request(options, request);
  if (!call) return R"({"status":400})";
  std::string ask = R"({"path":)" + wire::quoted(call->target) + R"(,"headers":{)";
  for (const testee::Header& header : call->headers) {
    if (&header != &call->headers.front()) ask += ",";
    ask += wire::quoted(header.name) + ":" + wire::quoted(header.value);
  }
  return ask + R"(},"body":)" + call->body + "}";
}

turn::BodyEnd body_end(std::string_view end) {
  if (end == "closed") return turn::BodyEnd::closed;
  if (end == "reset") return turn::BodyEnd::reset;
  return end == "stall" ? turn::BodyEnd::stall : turn::BodyEnd::complete;
}

// Sends the translator's output for one call; an exception becomes an error.
template <class Work>
void work(LibraryExchange& exchange, Work work) noexcept {
  const splitproof_host& host = *exchange.host;
  try {
    const Switched switched(exchange.state.mutation);
    std::string out;
    work(exchange.state.translator, out);
    if (!out.empty()) host.out(host.self, out.data(), out.size());
  } catch (const std::exception& thrown) {
    host.error(host.self, thrown.what());
  }
}

}  // namespace
}  // namespace splitproof::mutants

using namespace splitproof;
using namespace splitproof::mutants;

unsigned splitproof_abi() { return SPLITPROOF_TESTEE_ABI; }

const splitproof_variant* splitproof_variants() { return kVariants; }

const splitproof_protocols* splitproof_protocols_of(const char* variant) {
  const int number = number_of(variant);
  return number > 0 ? &kProtocols[number - 1] : nullptr;
}

const char* splitproof_profile_of(const char* variant) {
  const int number = number_of(variant);
  return number > 0 ? kProfiles[number - 1] : nullptr;
}

void* splitproof_open(const char* variant, const char* opening, const splitproof_host* host) try {
  const int number = number_of(variant);
  const wire::JsonDocument document(opening, kOpeningDepth);
  const std::string_view request = document.root()["request"].raw();
  Result<TranslatorOptions> options = options_of(document.root());
  if (number < 0 || !options) {
    host->error(host->self, number < 0 ? "there is no such mutant" : describe(options.error()).c_str());
    return nullptr;
  }
  Mutation of_request{number, {}};
  const Switched switched(of_request);
  const std::string ask = ask_for(*options, request);
  host->ask(host->self, ask.c_str());
  testee::take_request(*options, request);
  return new LibraryExchange{host, {{number, {}}, Translator(*options)}};
} catch (const std::exception& thrown) {
  host->error(host->self, thrown.what());
  return nullptr;
}

void splitproof_feed(void* exchange, const char* bytes, size_t size) {
  work(exchange_of(exchange), [&](Translator& translator, std::string& out) {
    translator.feed({bytes, size}, out);
  });
  exchange_of(exchange).fed += size;
}

void splitproof_finish(void* exchange, const char* end) {
  work(exchange_of(exchange),
       [&](Translator& translator, std::string& out) { translator.finish(body_end(end), out); });
}

void* splitproof_fork(const void* exchange) {
  return new LibraryExchange(*static_cast<const LibraryExchange*>(exchange));
}

size_t splitproof_digest(const void* exchange, void* out, size_t size) {
  const auto& one = *static_cast<const LibraryExchange*>(exchange);
  std::vector<MutantState>& states = (*one.seen)[one.fed];
  const auto found = std::find(states.begin(), states.end(), one.state);
  const std::size_t place = static_cast<std::size_t>(found - states.begin());
  if (found == states.end()) states.push_back(one.state);
  const std::size_t digest[] = {one.fed, place};
  std::memcpy(out, digest, std::min(size, sizeof digest));
  return sizeof digest;
}

void splitproof_close(void* exchange) { delete &exchange_of(exchange); }
