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
    same_bytes.says = "The downstream bytes of a recording are the same under every split of it.";
    same_bytes.why =
        "Output that depends on where the network cut the input comes from state that does: such faults are "
        "seen once, in production, and never again on a developer's machine.";

    same_bytes.harm = {
        document("IETF, RFC 9293 Transmission Control Protocol, 2.2 Key TCP Concepts",
                 "TCP carries a stream of bytes, in order; where it is cut into segments means "
                 "nothing"),
        document("WHATWG, HTML Living Standard, 9.2.6 Interpreting an event stream",
                 "an event is over at its blank line, in whatever pieces it came")};

    contract::Obligation same_meaning = same_bytes;
    same_meaning.id = kSameMeaning;
    same_meaning.says =
        "A client assembles the same message from a recording however it was cut, and however its text was dealt out "
        "over events: blocks, joined deltas, finish, usage.";
    same_meaning.why = "A client that gets another text, another call or another ending acts on it.";

    contract::Obligation same_whole = same_bytes;
    same_whole.id = kSameWhole;
    same_whole.says =
        "An answer in one piece, which the client asked for by stream: false, says what the streamed one says: text, "
        "thinking, calls, finish, usage, or that it failed.";
    same_whole.why =
        "Clients fall back to it where a stream breaks, and scripts ask for nothing else. What only one of the two ways "
        "loses is seen by half of the users.";
    same_whole.harm = {
        document("Messages API, reference, stream",
                 "whether to stream the response incrementally: the same message in another form"),
        document("Completions API, reference, stream",
                 "with stream the same response is sent in pieces as it is generated")};

    contract::Obligation apart = same_bytes;
    apart.id = kApart;
    apart.says =
        "Streams that are under way at once, or one after the other, are kept apart: each client gets all of its own "
        "text and none of another's, and nothing that one asks for is asked of the upstream for another.";
    apart.why =
        "What two streams share, a buffer or a table by index, hands one person's answer to another. It is seen under "
        "load only, and never by a test that asks one thing at a time.";

    apart.harm = {document("IETF, RFC 9110 HTTP Semantics, 3.3 Connections, Clients, and Servers",
                           "HTTP is stateless: a message is understood in isolation from all others")};

    contract::Obligation at_once = same_bytes;
    at_once.id = kAtOnce;
    at_once.says =
        "What an upstream event says goes out when its last byte has been read, unless the client's protocol forces it "
        "to wait.";
    at_once.why =
        "Held back text is a stream in name only: the person waits, clients and load balancers give up on a silent "
        "connection, and what was held is lost when the upstream breaks off.";
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
    crashed.says = "The testee goes on running, and takes connections, whatever its upstream sends.";
    crashed.why = "One broken answer ends everybody's streams.";

    crashed.harm = {
        document("IETF, RFC 9110 HTTP Semantics, 15.6.3 502 Bad Gateway",
                 "a gateway that gets an invalid response from its upstream says so to its client")};

    contract::Obligation hung = crashed;
    hung.id = kHung;
    hung.says = "The testee never falls silent for good: it says something, or ends the answer.";
    hung.why = "A client that waits for ever cannot even try again.";

    hung.harm = {document("IETF, RFC 9110 HTTP Semantics, 15.6.5 504 Gateway Timeout",
                          "a gateway whose upstream does not answer in time says so to its client")};

    contract::Obligation garbage = crashed;
    garbage.id = kGarbage;
    garbage.says = "The testee's answer is a message of the transport that it is reached by.";
    garbage.why = "No client gets to read what HTTP libraries refuse.";

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
