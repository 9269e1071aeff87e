#pragma once

#include <string_view>

#include "harness/results/fields.hpp"
#include "harness/results/heading_fields.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

template <>
struct Names<contract::Level> {
  static constexpr std::size_t kCount = 3;
  static std::string_view of(contract::Level level) { return contract::name(level); }
};
template <>
struct Names<contract::Verdict> {
  static constexpr std::size_t kCount = 5;
  static std::string_view of(contract::Verdict verdict) { return contract::name(verdict); }
};
template <>
struct Names<recording::End> {
  static constexpr std::size_t kCount = 4;
  static std::string_view of(recording::End end) { return recording::name(end); }
};
template <>
struct Names<Speaks> {
  static constexpr std::size_t kCount = 3;
  static std::string_view of(Speaks speaks) {
    return speaks == Speaks::always ? "always" : speaks == Speaks::if_violated ? "if violated" : "never";
  }
};

template <>
struct Fields<Harm> {
  static void each(auto& io) {
    io("document", &Harm::document);
    io("client", &Harm::client);
    io("says", &Harm::says);
  }
};
template <>
struct Fields<Rule> {
  static void each(auto& io) {
    io("id", &Rule::id);
    io("level", &Rule::level);
    io("says", &Rule::says);
    io("title", &Rule::title);
    io("why", &Rule::why);
    io("seen", &Rule::seen);
    io("harm", &Rule::harm);
    io("contract", &Rule::contract);
    io("knobs", &Rule::knobs);
    io("follows", &Rule::follows);
    io("form", &Rule::form);
    io("of_a_shape", &Rule::of_a_shape);
    io("of_requests", &Rule::of_requests);
    io("speaks", &Rule::speaks);
  }
};
template <>
struct Fields<Upstream> {
  static void each(auto& io) {
    io.body("body", &Upstream::body);
    io("cuts", &Upstream::cuts);
    io("end", &Upstream::end);
    io("status", &Upstream::status);
    io("leave_at", &Upstream::leave_at);
    io("withheld", &Upstream::withheld);
    io("pauses", &Upstream::pauses);
  }
};
template <>
struct Fields<Place> {
  static void each(auto& io) {
    io("event", &Place::event);
    io("begin", &Place::begin);
    io("end", &Place::end);
  }
};
template <>
struct Fields<Reproducer> {
  static void each(auto& io) {
    io("case", &Reproducer::case_id);
    io("only_cut", &Reproducer::only_cut);
    io("alone", &Reproducer::alone);
    io("fault", &Reproducer::fault);
    io("upstream", &Reproducer::upstream);
    io("place", &Reproducer::place);
    io("downstream", &Reproducer::downstream);
    io("message", &Reproducer::message);
    io.body("body", &Reproducer::body);
    io("of_request", &Reproducer::of_request);
  }
};
template <>
struct Fields<Expectation> {
  static void each(auto& io) {
    io("target", &Expectation::target);
    io("recording", &Expectation::recording);
    io("obligation", &Expectation::obligation);
    io("reason", &Expectation::reason);
    io("file", &Expectation::file);
    io("line", &Expectation::line);
    io("says", &Expectation::says);
    io("until", &Expectation::until);
    io("ticket", &Expectation::ticket);
    io("of_target", &Expectation::of_target);
  }
};
template <>
struct Fields<StaleExpectation> {
  static void each(auto& io) {
    io("expectation", &StaleExpectation::expectation);
    io("why", &StaleExpectation::why);
  }
};
template <>
struct Fields<Row> {
  static void each(auto& io) {
    io("reason", &Row::reason);
    io("first", &Row::first);
    io("expectation", &Row::expectation);
    io("breaks_client", &Row::breaks_client);
  }
};
template <>
struct Fields<contract::Violation> {
  static void each(auto& io) {
    io("clause", &contract::Violation::clause);
    io("slice", &contract::Violation::slice);
    io("field", &contract::Violation::field);
    io("found", &contract::Violation::found);
    io("wanted", &contract::Violation::wanted);
    io("fault", &contract::Violation::fault);
  }
};
template <>
struct Fields<Symptom> {
  static void each(auto& io) {
    io("rule", &Symptom::rule);
    io("level", &Symptom::level);
    io("violation", &Symptom::violation);
    io("place", &Symptom::place);
    io("downstream", &Symptom::downstream);
    io("message", &Symptom::message);
    io("of_request", &Symptom::of_request);
    io("expected", &Symptom::expected);
    io("breaks_client", &Symptom::breaks_client);
  }
};
template <>
struct Fields<Behaviour> {
  static void each(auto& io) {
    io("case", &Behaviour::case_id);
    io("only_cut", &Behaviour::only_cut);
    io("fault", &Behaviour::fault);
    io("upstream", &Behaviour::upstream);
    io("cases", &Behaviour::cases);
    io("symptoms", &Behaviour::symptoms);
    io("meets", &Behaviour::meets);
    io.body("body", &Behaviour::body);
    io("shapes", &Behaviour::shapes);
    io.body("client_request", &Behaviour::client_request);
    io.body("upstream_request", &Behaviour::upstream_request);
  }
};
template <>
struct Fields<Recorded> {
  static void each(auto& io) {
    io("id", &Recorded::id);
    io("protocol", &Recorded::protocol);
    io("digest", &Recorded::digest);
    io("about_request", &Recorded::about_request);
    io("is_document", &Recorded::is_document);
    io("follows_real_stream", &Recorded::follows_real_stream);
    io.body("body", &Recorded::body);
  }
};
template <>
struct Fields<split::SeamCoverage::Count> {
  static void each(auto& io) {
    io("applicable", &split::SeamCoverage::Count::applicable);
    io("cut", &split::SeamCoverage::Count::cut);
    io("alone", &split::SeamCoverage::Count::alone);
  }
};
template <>
struct Fields<split::SeamCoverage> {
  static void each(auto& io) { io("counts", &split::SeamCoverage::counts); }
};
template <>
struct Fields<RecordingPart> {
  static void each(auto& io) {
    io("begin", &RecordingPart::begin);
    io("end", &RecordingPart::end);
    io("of", &RecordingPart::of);
    io("outputs", &RecordingPart::outputs);
    io("gaps", &RecordingPart::gaps);
  }
};
template <>
struct Fields<RecordingResult> {
  static void each(auto& io) {
    io("target", &RecordingResult::target);
    io("recording", &RecordingResult::recording);
    io("cases", &RecordingResult::cases);
    io("recuts", &RecordingResult::recuts);
    io("faults", &RecordingResult::faults);
    io("turns", &RecordingResult::turns);
    io("called", &RecordingResult::called);
    io("broken", &RecordingResult::broken);
    io("outputs", &RecordingResult::outputs);
    io("unrun", &RecordingResult::unrun);
    io("passes_no_stream", &RecordingResult::passes_no_stream);
    io("changed_recuts", &RecordingResult::changed_recuts);
    io("coverage", &RecordingResult::coverage);
    io("behaviours", &RecordingResult::behaviours);
    io("part", &RecordingResult::part);
  }
};
template <>
struct Fields<SquareCost> {
  static void each(auto& io) {
    io("of", &SquareCost::of);
    io("sizes", &SquareCost::sizes);
    io("seconds", &SquareCost::seconds);
  }
};
template <>
struct Fields<GrowthTried> {
  static void each(auto& io) {
    io("of", &GrowthTried::of);
    io("most", &GrowthTried::most);
    io("seconds", &GrowthTried::seconds);
  }
};
template <>
struct Fields<Growth> {
  static void each(auto& io) {
    io("of_processor", &Growth::of_processor);
    io("square", &Growth::square);
    io("tried", &Growth::tried);
    io("ended", &Growth::ended);
  }
};
template <>
struct Fields<RunDetails> {
  static void each(auto& io) {
    io("commands", &RunDetails::commands);
    io("began", &RunDetails::began);
    io("milliseconds", &RunDetails::milliseconds);
    io("suites", &RunDetails::suites);
    io("versions", &RunDetails::versions);
  }
};
// Rules and clients have separate lines.
template <>
struct Fields<RunHeading> {
  static void each(auto& io) {
    io("contracts", &RunHeading::contracts);
    io("targets", &RunHeading::targets);
    io("files", &RunHeading::files);
    io("places", &RunHeading::places);
    io("corpora", &RunHeading::corpora);
    io("profile", &RunHeading::profile);
    io("options", &RunHeading::options);
    io("trials", &RunHeading::trials);
    io("seed", &RunHeading::seed);
    io("details", &RunHeading::details);
    io("strict", &RunHeading::strict);
    io("unreadable", &RunHeading::unreadable);
    io("untargeted", &RunHeading::untargeted);
    io("unclaimed", &RunHeading::unclaimed);
    io("unavailable", &RunHeading::unavailable);
    io("notes", &RunHeading::notes, "remarks");
    io("untested", &RunHeading::untested);
    io("throughput", &RunHeading::throughput, "bears");
    io("growth", &RunHeading::growth);
    io("quick", &RunHeading::quick);
    io("shards", &RunHeading::shards);
    io("shard_source", &RunHeading::shard_source);
  }
};
template <>
struct Fields<Smallest> {
  static void each(auto& io) {
    io("events", &Smallest::events);
    io("of", &Smallest::of);
    io("upstream", &Smallest::upstream);
    io("exhausted", &Smallest::exhausted);
  }
};
template <>
struct Fields<CauseNote> {
  static void each(auto& io) {
    io("target", &CauseNote::target);
    io("rule", &CauseNote::rule);
    io("accepted_by", &CauseNote::accepted_by);
    io("smallest", &CauseNote::smallest);
    io("case", &CauseNote::case_id);
    io("tries", &CauseNote::tries);
  }
};
template <>
struct Fields<CutShort> {
  static void each(auto& io) {
    io("after", &CutShort::after);
    io("planned", &CutShort::planned);
    io("unreached", &CutShort::unreached);
  }
};
template <>
struct Fields<RunResult> {  // members of the last line
  static void each(auto& io) {
    io("stale", &RunResult::stale);
    io("causes", &RunResult::causes);
    io("cut_short", &RunResult::cut_short);
  }
};

/// Members that identify a line of a report. Each line has one of the first four; the other lines have members for
/// readers too.
namespace line_member {

inline constexpr const char* kRule = "rule";
inline constexpr const char* kClients = "clients";
inline constexpr const char* kBody = "body";
inline constexpr const char* kResult = "result";
inline constexpr const char* kRun = "run";
inline constexpr const char* kRow = "row";
inline constexpr const char* kPlan = "plan";  // in the first line
inline constexpr const char* kWhole = "whole";

}  // namespace line_member

}  // namespace splitproof::results
