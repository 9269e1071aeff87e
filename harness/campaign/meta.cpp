#include "harness/campaign/meta.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/connections.hpp"
#include "harness/contract/contracts.hpp"

namespace splitproof::campaign {
namespace {

contract::Harm document(std::string title, std::string says) {
  contract::Harm harm;
  harm.document = std::move(title);
  harm.says = std::move(says);
  return harm;
}

}  // namespace

const std::vector<contract::Obligation>& meta_obligations() {
  static const std::vector<contract::Obligation> obligations = [] {
    contract::Obligation same_bytes;
    same_bytes.id = kSameBytes;
    same_bytes.level = contract::Level::must;
    same_bytes.title = "Output depends on where the input was cut";
    same_bytes.says = "The downstream bytes of a recording MUST be the same under every split.";
    same_bytes.why =
        "A parser that depends on where the network cuts its input fails in production, and never again on a "
        "developer's machine.";

    same_bytes.harm = {
        document("IETF, RFC 9293 Transmission Control Protocol, 2.2 Key TCP Concepts",
                 "TCP carries a stream of bytes, in order; where it is cut into segments means "
                 "nothing"),
        document("WHATWG, HTML Living Standard, 9.2.6 Interpreting an event stream",
                 "an event is over at its blank line, in whatever pieces it came")};

    contract::Obligation same_meaning = same_bytes;
    same_meaning.id = kSameMeaning;
    same_meaning.title = "Text, call or end depends on the split";
    same_meaning.says =
        "A client MUST assemble the same message from a recording under every split and every "
        "distribution of its text over events: blocks, joined deltas, finish, usage.";
    same_meaning.why = "A client acts on the wrong text, call or ending that it gets.";

    contract::Obligation same_whole = same_bytes;
    same_whole.id = kSameWhole;
    same_whole.title = "Whole answer differs from the streamed one";
    same_whole.says =
        "An answer to stream: false MUST have the text, thinking, calls, finish, usage or error of the "
        "streamed answer.";
    same_whole.why =
        "Clients fall back to it when a stream breaks, and scripts request nothing else. If only one "
        "of the two forms loses data, only half of the users notice.";
    same_whole.harm = {
        document("Messages API, reference, stream",
                 "whether to stream the response incrementally: the same message in another form"),
        document("Completions API, reference, stream",
                 "with stream the same response is sent in pieces as it is generated")};

    contract::Obligation apart = same_bytes;
    apart.id = kApart;
    apart.title = "Concurrent streams are mixed up";
    apart.says =
        "The proxy MUST keep streams apart, at once or one after the other: each client receives its own "
        "text and nothing from another request.";
    apart.why =
        "If two streams share a buffer or a table, one person gets another person's answer. It "
        "happens only under load, so a test with one request at a time never notices.";

    apart.harm = {document("IETF, RFC 9110 HTTP Semantics, 3.3 Connections, Clients, and Servers",
                           "HTTP is stateless: a message is understood in isolation from all others")};

    contract::Obligation at_once = same_bytes;
    at_once.id = kAtOnce;
    at_once.title = "Text is held back";
    at_once.says =
        "The proxy MUST send the output of an upstream event when it has read the last byte of the "
        "event, unless the client protocol requires it to wait.";
    at_once.why =
        "The person waits, and clients and load balancers give up on a silent connection. If the "
        "upstream breaks off, the text that the proxy holds is lost.";
    at_once.seen = {"vercel/ai#19695",      "BerriAI/litellm#29557",        "ggml-org/llama.cpp#20872",
                    "dstackai/dstack#4269", "databricks/unity-gateway#361", "NVIDIA/OpenShell#260",
                    "seaavey/SRouter#104",  "ChronoAIProject/NyxID#1206",   "router-for-me/CLIProxyAPI#593",
                    "BerriAI/litellm#3129", "CopilotKit/aimock#125"};

    at_once.harm = {document("Messages API, Streaming messages",
                             "with stream the response is sent incrementally, in server-sent events"),
                    document("Completions API, reference, stream",
                             "with stream the data is sent to the client as it is generated")};

    contract::Obligation crashed;
    crashed.id = kCrashed;
    crashed.level = contract::Level::must;
    crashed.title = "The target crashes";
    crashed.says =
        "A target MUST keep running, and a proxy MUST accept connections, whatever the upstream sends.";
    crashed.why = "One broken answer ends everybody's streams.";

    crashed.harm = {
        document("IETF, RFC 9110 HTTP Semantics, 15.6.3 502 Bad Gateway",
                 "a gateway that gets an invalid response from its upstream says so to its client")};

    contract::Obligation hung = crashed;
    hung.id = kHung;
    hung.title = "The target hangs";
    hung.says = "A target MUST send something or end the answer within its timeout.";
    hung.why = "A client that waits forever cannot even retry.";

    hung.harm = {document("IETF, RFC 9110 HTTP Semantics, 15.6.5 504 Gateway Timeout",
                          "a gateway whose upstream does not answer in time says so to its client")};

    contract::Obligation garbage = crashed;
    garbage.id = kGarbage;
    garbage.title = "The answer is no HTTP message";
    garbage.says = "The answer MUST be a message of the transport that the client uses.";
    garbage.why = "HTTP libraries reject such an answer, so no client reads it.";

    garbage.harm = {document("IETF, RFC 9112 HTTP/1.1, 2.1 Message Format",
                             "a message is a start line, header fields, an empty line and a body")};

    for (contract::Obligation* obligation : {&same_whole, &same_bytes, &same_meaning, &apart, &at_once}) {
      obligation->contract = "meta";
      obligation->form = "comparison";
    }
    for (contract::Obligation* obligation : {&crashed, &hung, &garbage}) {
      obligation->contract = "meta";
      obligation->form = "run";
    }
    std::vector<contract::Obligation> all{same_whole, same_bytes, same_meaning, apart,
                                          at_once,    crashed,    hung,         garbage};
    for (contract::Obligation& rule : connection_rules()) all.push_back(std::move(rule));
    return all;
  }();
  return obligations;
}

const contract::Obligation& meta_obligation(std::string_view id) {
  const auto& all = meta_obligations();
  return *std::find_if(all.begin(), all.end(),
                       [&](const contract::Obligation& meta) { return meta.id == id; });
}

contract::Level level_for(const contract::Obligation& obligation, const testee::Traits& testee) {
  const bool by_chance = obligation.id == kSameBytes && testee.outside;
  return by_chance ? contract::Level::info : obligation.level;
}

}  // namespace splitproof::campaign
