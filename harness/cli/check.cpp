#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/campaign/campaign.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/trace.hpp"
#include "harness/report/picture.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

using contract::Judged;
using contract::Verdict;

// `ruled` are the rules whose sentence was printed: each is once.
void print_finding(const CheckCommand& command, const std::string& file, const Judged& judged,
                   std::size_t first_event, std::set<std::string>& ruled) {
  const std::string level(contract::name(judged.obligation->level));
  if (command.json) {
    nlohmann::ordered_json line = {{"file", file}, {"obligation", judged.obligation->id}, {"level", level}};
    line["event"] =
        judged.event ? nlohmann::ordered_json(*judged.event + first_event) : nlohmann::ordered_json();
    line["bytes"] = {judged.begin, judged.end};
    line["line"] = judged.line;
    line["message"] = judged.message;
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return;
  }
  std::cout << fmt::format("{}: {} {}: {}\n", file, judged.obligation->id, level,
                           report::visible(judged.message));
  if (ruled.insert(judged.obligation->id).second)
    std::cout << fmt::format("  the rule: {}\n", report::visible(judged.obligation->says));
}

// A stream with the protocol that it speaks.
struct Read {
  std::string protocol;
  observe::Trace trace;
};

Result<Read> read_stream(const CheckCommand& command, const contract::Contracts& contracts,
                         const std::string& file, const std::string& body) {
  if (body.empty()) return tl::unexpected(Error{"is empty: there is no stream to judge", file, 0, {}});
  if (!command.protocol.empty()) {
    return Read{command.protocol, observe::read_trace(body, contracts.data_kind(command.protocol))};
  }
  observe::Trace trace = observe::read_trace(body, observe::DataKind::json);
  const auto protocol = contracts.recognise(trace);
  if (!protocol) {
    return tl::unexpected(Error{"its protocol was not recognised", file, 0, "name it with --as PROTOCOL"});
  }
  if (contracts.data_kind(*protocol) != observe::DataKind::json) {
    trace = observe::read_trace(body, contracts.data_kind(*protocol));
  }
  return Read{*protocol, std::move(trace)};
}

struct Checked {
  std::size_t streams = 0;
  std::size_t unjudged = 0;  // of these, streams of which nothing could be told
};

// Judges the responses that one file holds.
Result<Checked> check_file(const CheckCommand& command, const contract::Contracts& contracts,
                           const contract::Profile& profile, const std::string& file, report::Tally& tally,
                           std::set<std::string>& ruled) {
  const Result<std::string> body = read_input(file);
  if (!body) return tl::unexpected(body.error());
  Result<Read> stream = read_stream(command, contracts, file, *body);
  if (!stream) return tl::unexpected(stream.error());
  std::vector<observe::Trace> responses;
  const std::size_t begins = contracts.response_begins(stream->protocol, stream->trace).size();
  if (!command.several && begins > 1) {
    std::cerr << fmt::format("splitproof: {} seems to hold {} responses; --several judges each by itself\n",
                             file, begins);
  }
  if (command.several) {
    responses = contracts.split_responses(stream->protocol, std::move(stream->trace));
  } else {
    responses.push_back(std::move(stream->trace));
  }
  Checked checked;
  bool any_violated = false;
  for (const observe::Trace& response : responses) {
    bool anything = false;
    for (const Judged& judged : contract::judge(contracts, stream->protocol, profile, response, {})) {
      anything |= judged.verdict == Verdict::met || judged.verdict == Verdict::violated;
      tally.add(*judged.obligation, judged.verdict,
                campaign::decides(judged.obligation->level, command.strict));
      if (judged.verdict != Verdict::violated) continue;
      any_violated = true;
      print_finding(command, file, judged, response.first_event, ruled);
    }
    ++checked.streams;
    checked.unjudged += anything ? 0 : 1;
  }
  if (any_violated && !command.several) {
    const std::size_t held = contracts.response_begins(stream->protocol, responses.front()).size();
    if (held > 1) {
      std::cerr << fmt::format("splitproof: {} seems to hold {} responses; --several judges each by itself\n",
                               file, held);
    }
  }
  return checked;
}

}  // namespace

int check(const CheckCommand& command) {
  const auto contracts = load_contracts(command.contracts);
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile(command.profile, command.contracts);
  if (!profile) return complain(profile.error());
  const std::vector<std::string> protocols = contracts->protocols();
  if (!command.protocol.empty() &&
      std::find(protocols.begin(), protocols.end(), command.protocol) == protocols.end()) {
    return complain(Error{"there is no contract for protocol '" + command.protocol + "'",
                          {},
                          0,
                          fmt::format("there are: {}", fmt::join(protocols, ", "))});
  }
  report::Tally tally;
  std::set<std::string> ruled;
  std::size_t streams = 0;
  std::size_t unjudged = 0;
  std::size_t unread = 0;
  for (const std::string& file : command.files) {
    const Result<Checked> checked = check_file(command, *contracts, *profile, file, tally, ruled);
    if (checked) {
      streams += checked->streams;
      unjudged += checked->unjudged;
    } else {
      complain(checked.error());
      ++unread;
    }
  }
  const bool conforms = tally.findings() == 0 && unjudged == 0 && unread == 0;
  std::string line =
      report::verdict_word(conforms) + report::counted(streams, "stream") + ", " + tally.text();
  if (unjudged > 0) line += ", nothing judged of " + report::counted(unjudged, "stream");
  if (unread > 0) line += ", " + report::counted(unread, "file") + " not read";
  if (streams > 0) (command.json ? std::cerr : std::cout) << line << "\n";
  if (unread > 0) return kWrongInput;
  return conforms ? kConforms : kViolates;
}

}  // namespace splitproof::cli
