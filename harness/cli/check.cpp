#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/contract/judge.hpp"
#include "harness/dialect/asked_trace.hpp"
#include "harness/dialect/captured_requests.hpp"
#include "harness/import/importer.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

struct CheckCommand {
  std::vector<std::string> files;  ///< "-" is standard input.
  std::string protocol;            ///< Empty: recognised.
  std::vector<std::string> contracts;
  std::string profile = "default";
  bool several = false;
  bool json = false;
  bool strict = false;
};

using contract::Judged;
using contract::Verdict;

// A stream or request in a file.
struct StreamPlace {
  std::string file;
  std::string response = {};  // its place in the file, such as "entry 3"; empty: the file has only this one
  std::string url = {};

  std::string label() const {
    if (response.empty()) return file;
    return file + " (" + response + (url.empty() ? "" : ", " + visible(url)) + ")";
  }
};

// `ruled`: rules whose sentence was printed already.
void print_finding(const CheckCommand& command, const StreamPlace& place, const Judged& judged,
                   std::size_t first_event, std::set<std::string>& ruled) {
  const std::string level(contract::name(judged.obligation->level));
  if (command.json) {
    nlohmann::ordered_json line = {{"file", place.file}};
    if (!place.response.empty()) line["response"] = place.response;
    if (!place.url.empty()) line["url"] = place.url;
    line["obligation"] = judged.obligation->id;
    line["level"] = level;
    line["event"] =
        judged.event ? nlohmann::ordered_json(*judged.event + first_event) : nlohmann::ordered_json();
    line["bytes"] = {judged.begin, judged.end};
    line["line"] = judged.line;
    line["message"] = judged.message;
    print_json(line);
    return;
  }
  std::cout << fmt::format("{}: {} {}: {}\n", place.label(), judged.obligation->id, level,
                           visible(judged.message));
  if (ruled.insert(judged.obligation->id).second)
    std::cout << fmt::format("  the rule: {}\n", visible(judged.obligation->says));
}

struct CheckedStream {
  std::size_t streams = 0;
  std::size_t unjudged = 0;  // streams without any verdict
};

// State for all files of one call.
struct Checker {
  const CheckCommand& command;
  const contract::Contracts& contracts;
  const contract::Profile& profile;
  const dialect::RequestDialect* asks;  // reader of requests in the files; null: they contain streams
  report::Tally tally;
  std::set<std::string> ruled;

  // Judges one response; true if any rule is violated.
  bool check_response(const StreamPlace& place, const std::string& protocol, observe::EventStream& response,
                      CheckedStream& checked) {
    return take(place, contract::judge(contracts, protocol, profile, response, {}), response.first_event(),
                checked);
  }

  // Reports the verdicts on one stream or request; true if any rule is violated.
  bool take(const StreamPlace& place, const std::vector<Judged>& all, std::size_t first_event,
            CheckedStream& checked) {
    bool anything = false;
    bool violated = false;
    for (const Judged& judged : all) {
      anything |= judged.verdict == Verdict::met || judged.verdict == Verdict::violated;
      tally.add(judged.obligation->id, judged.verdict,
                results::decides(judged.obligation->level, command.strict));
      if (judged.verdict != Verdict::violated) continue;
      violated = true;
      print_finding(command, place, judged, first_event, ruled);
    }
    ++checked.streams;
    checked.unjudged += anything ? 0 : 1;
    return violated;
  }

  Result<std::string> protocol_of(const std::string& file, observe::EventStream& as_json) const {
    if (!command.protocol.empty()) return command.protocol;
    auto protocol = contracts.recognise(as_json);
    if (protocol) return *std::move(protocol);
    return tl::unexpected(Error{"its protocol was not recognised", file, 0, "name it with --as PROTOCOL"});
  }

  // Judges each request in one file. Skips calls of other paths.
  Result<CheckedStream> check_requests(const std::string& file, const std::string& text,
                                       const dialect::RequestDialect& reader) {
    const auto requests = dialect::captured_requests(file, text);
    if (!requests) return tl::unexpected(requests.error());
    CheckedStream checked;
    for (const dialect::RequestMessage& request : *requests) {
      if (!dialect::is_request_of(reader, request)) continue;
      take({file}, campaign::judge_request(contracts, profile, reader, request), 0, checked);
    }
    if (checked.streams > 0) return checked;
    return tl::unexpected(
        Error{fmt::format("has no request of {}: the path of each call is different", reader.protocol), file,
              0, fmt::format("such a path ends in {}", reader.path)});
  }

  // Calls `take` with each response in a stream; the flag is true for an opening event.
  template <class Take>
  void each_part(const std::string& protocol, observe::BodyStream& stream, const Take& take) {
    std::size_t begin = 0;
    bool opened = false;
    const auto take_up_to = [&](std::size_t end) {
      observe::PartOfStream response(stream, begin, end);
      take(response, opened);
      begin = end;
    };
    contracts.each_response(protocol, stream, [&](std::size_t next, bool opens) {
      if (next > 0) take_up_to(next);
      opened = opens;
    });
    take_up_to(std::numeric_limits<std::size_t>::max());
  }

  // Counts the rules that a stream violates.
  std::size_t violations(const std::string& protocol, observe::EventStream& stream) const {
    const std::vector<Judged> all = contract::judge(contracts, protocol, profile, stream, {});
    return std::count_if(all.begin(), all.end(),
                         [](const Judged& judged) { return judged.verdict == Verdict::violated; });
  }

  // Advises --several if the responses of a file violate fewer rules one by one. Content after the end of a
  // response does not count as another response.
  void advise_several(const std::string& file, const std::string& protocol, observe::BodyStream& stream) {
    std::size_t responses = 0;
    std::size_t apart = 0;
    bool all_open = true;
    each_part(protocol, stream, [&](observe::EventStream& response, bool opens) {
      ++responses;
      all_open = all_open && opens;
      apart += violations(protocol, response);
    });
    if (responses < 2 || !all_open || apart >= violations(protocol, stream)) return;
    std::cerr << fmt::format(
        "splitproof: {} seems to hold {} responses; add --several to judge each separately\n", file,
        responses);
  }

  // Judges one stream of a file.
  Result<CheckedStream> check_stream(const StreamPlace& place, const imports::ImportedResponse& found) {
    const auto message_end =
        found.end == recording::End::complete ? observe::MessageEnd::complete : observe::MessageEnd::cut;
    const auto stream_of = [&](observe::DataKind kind) {
      return observe::BodyStream(found.body, std::move(kind), observe::BodyStream::kWindow, message_end);
    };
    observe::BodyStream stream = stream_of(contracts.data_kind({}));
    const Result<std::string> protocol = protocol_of(place.label(), stream);
    if (!protocol) return tl::unexpected(protocol.error());
    const observe::DataKind kind = contracts.data_kind(*protocol);
    if (!kind.is_json) stream = stream_of(kind);
    CheckedStream checked;
    if (command.several) {
      each_part(*protocol, stream, [&](observe::EventStream& response, bool) {
        check_response(place, *protocol, response, checked);
      });
      return checked;
    }
    if (!check_response(place, *protocol, stream, checked)) return checked;
    advise_several(place.label(), *protocol, stream);
    return checked;
  }

  // Judges the responses, or the requests, in one file. If some of several responses have no known protocol, they are
  // left out.
  Result<CheckedStream> check_file(const std::string& file) {
    Result<imports::ImportSource> source = imports::open_source(file);
    if (!source) return tl::unexpected(source.error());
    if (source->bytes.empty() && !imports::is_folder(*source))
      return tl::unexpected(Error{"is empty, so there is nothing to judge", file, 0, {}});
    if (asks != nullptr) return check_requests(file, source->bytes, *asks);
    if (imports::is_stream_of(Framing::aws_frames, source->bytes)) source->framing = Framing::aws_frames;
    const auto found = imports::read_any(*source);
    if (!found) return tl::unexpected(found.error());
    source->bytes.clear();
    source->bytes.shrink_to_fit();
    report_wrapper(file, *found);
    CheckedStream all;
    std::optional<Error> unknown;
    for (const imports::ImportedResponse& response : found->streams) {
      const auto checked = check_stream({file, response.place, response.url}, response);
      if (!checked && found->streams.size() > 1)
        std::cerr << "splitproof: " << describe(checked.error()) << "; it is left out\n";
      if (!checked) {
        unknown = checked.error();
        continue;
      }
      all.streams += checked->streams;
      all.unjudged += checked->unjudged;
    }
    if (all.streams == 0 && found->streams.size() == 1) return tl::unexpected(*unknown);
    if (all.streams == 0)
      return tl::unexpected(
          Error{"has no stream of a known protocol", file, 0, "name it with --as PROTOCOL"});
    return all;
  }
};

int check(const CheckCommand& command) {
  const auto contracts = load_contracts(command.contracts);
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile(command.profile, command.contracts);
  if (!profile) return complain(profile.error());
  const std::vector<std::string> protocols = contracts->protocols();
  if (!command.protocol.empty() &&
      std::find(protocols.begin(), protocols.end(), command.protocol) == protocols.end()) {
    return complain(unknown_word("protocol", command.protocol, protocols));
  }
  const dialect::RequestDialect* asks = dialect::request_reader_of(command.protocol);
  if (asks == nullptr && command.protocol.ends_with(dialect::kUpstreamSide)) {
    return complain(Error{
        "splitproof cannot read requests of '" + command.protocol + "'", {}, 0, "judge its streams instead"});
  }
  Checker checker{command, *contracts, *profile, asks, {}, {}};
  std::size_t streams = 0;
  std::size_t unjudged = 0;
  std::size_t unread = 0;
  for (const std::string& file : command.files) {
    const Result<CheckedStream> checked = checker.check_file(file);
    if (checked) {
      streams += checked->streams;
      unjudged += checked->unjudged;
    } else {
      complain(checked.error());
      ++unread;
    }
  }
  const bool conforms = checker.tally.findings() == 0 && unjudged == 0 && unread == 0;
  const char* what = asks == nullptr ? "stream" : "request";
  std::string line =
      report::verdict_word(conforms) + report::counted(streams, what) + ", " + checker.tally.text();
  if (unjudged > 0) line += ", no rule judged in " + report::counted(unjudged, what);
  if (unread > 0) line += ", " + report::counted(unread, "file") + " not read";
  if (streams > 0) (command.json ? std::cerr : std::cout) << line << "\n";
  if (unread > 0) return kWrongInput;
  return conforms ? kConforms : kViolates;
}

void add_options(Options& options, CheckCommand& check) {
  options
      .texts(
          "FILE", check.files,
          "raw response body, or a file with responses, such as a HAR file; - reads standard input. With --as PROTOCOL.upstream: the JSON body of a "
          "request, an exchange ({\"method\", \"path\", \"headers\", \"body\"}), JSON lines of either, "
          "or evidence")
      .required();
  options
      .text("--as", check.protocol,
            "protocol of the stream (default: recognised from the stream), or PROTOCOL.upstream for "
            "requests")
      .type("PROTOCOL");
  add_contracts(options, check.contracts);
  add_profile(options, check.profile);
  options.flag("--several", check.several,
               "each file has several responses, one after the other; judge each separately");
  options.flag("--json", check.json, "print one line of JSON for each finding");
  add_strict(options, check.strict);
}

}  // namespace

const Command kCheck = {"check", "Judge captured streams or requests, without a proxy",
                        "splitproof check --as anthropic.messages capture.sse", adding(add_options, check)};

}  // namespace splitproof::cli
