#include "harness/results/written.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/results/fields.hpp"
#include "harness/results/heading_fields.hpp"
#include "harness/strict_json.hpp"

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

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Members that identify a line. Each line has one of the first four; the other lines have members for readers
// too.
constexpr const char* kRule = "rule";
constexpr const char* kClients = "clients";
constexpr const char* kBody = "body";
constexpr const char* kResult = "result";
constexpr const char* kRun = "run";
constexpr const char* kRow = "row";
constexpr const char* kPlan = "plan";  // in the first line
constexpr const char* kWhole = "whole";

std::string line(const ordered_json& object) { return object.dump() + "\n"; }

class ReportReader {
 public:
  explicit ReportReader(const std::string& path) : path_(path) {}

  Result<void> take(std::string_view text) {
    ++number_;
    const auto parsed = parse_strict_json(text);
    if (!parsed || !(*parsed)->is_object() || (number_ == 1) != (*parsed)->contains("splitproof"))
      return wrong("this is not a report of splitproof run", "name a file that --report jsonl:PATH wrote");
    const json& object = **parsed;
    run_.complete = false;
    if (number_ == 1) {
      if (const json& plan = member(object, kPlan); !plan.is_null())
        if (auto taken = read(plan, run_.header.plan); !taken) return taken;
      return read(member(object, kRun), run_.header);
    } else if (const json& rule = member(object, kRule); rule.is_object()) {
      Rule one;
      if (auto taken = read(rule, one); !taken) return taken;
      run_.header.rules.insert_or_assign(one.id, std::move(one));
    } else if (const json& result = member(object, kResult); result.is_object()) {
      return read(result, run_.recordings.emplace_back());
    } else if (object.contains("obligation") && object.contains("recording")) {
      return take_row(object);
    } else if (object.contains("verdict") && object.contains("not_exercised")) {
      run_.complete = true;
      return read(member(object, kRun), run_);
    } else if (const json& whole = member(object, kWhole); !whole.is_null()) {
      if (object.contains(kClients)) return read(whole, run_.header.clients);
      if (object.contains(kBody)) return read(whole, bodies_.texts.emplace_back());
    }
    return {};
  }

  Result<RunResult> end() {
    if (number_ == 0) return wrong("the file is empty", "name a file that --report jsonl:PATH wrote");
    return std::move(run_);
  }

 private:
  tl::unexpected<Error> wrong(std::string what, std::string hint) const {
    return tl::unexpected(Error{std::move(what), path_, number_, std::move(hint)});
  }

  template <class T>
  Result<void> read(const json& from, T& value) const {
    if (from.is_null())
      return wrong("the line is incomplete", "the report was written by an older version: run it again");
    FieldReader reading(bodies_);
    reading(from, value);
    if (reading.wrong().empty()) return {};
    return wrong("the line cannot be read at " + reading.wrong(), "run it again");
  }

  Result<void> take_row(const json& object) {
    const std::string target = string_at(object, "target");
    const std::string recording = string_at(object, "recording");
    if (run_.recordings.empty() || run_.recordings.back().target != target ||
        run_.recordings.back().recording.id != recording)
      return wrong("the row belongs to another recording or target than the line of its result",
                   "run it again");
    Row row;
    FieldReader reading(bodies_);
    reading(member(object, "obligation"), row.rule, "/obligation");
    reading(member(object, "level"), row.level, "/level");
    reading(member(object, "verdict"), row.verdict, "/verdict");
    reading(member(object, "cases"), row.cases, "/cases");
    reading(member(object, "violating"), row.violating, "/violating");
    if (!reading.wrong().empty())
      return wrong("the line cannot be read at " + reading.wrong(), "run it again");
    if (!run_.header.rules.contains(row.rule))
      return wrong("the row belongs to the rule " + row.rule + ", which has no line", "run it again");
    if (const json& more = member(object, kRow); !more.is_null())
      if (auto taken = read(more, row); !taken) return taken;
    run_.recordings.back().rows.push_back(std::move(row));
    return {};
  }

  const std::string& path_;
  std::size_t number_ = 0;
  Bodies bodies_;
  RunResult run_;
};

}  // namespace

struct RunWriter::Impl {
  Bodies bodies;
  std::size_t told = 0;  // bodies written so far

  template <class T>
  ordered_json written(const T& value) {
    return FieldWriter(bodies)(value);
  }
};

RunWriter::RunWriter() : impl_(std::make_unique<Impl>()) {}
RunWriter::~RunWriter() = default;

ordered_json RunWriter::header(const RunHeading& header) const {
  ordered_json members = ordered_json::object();
  if (header.plan != Plan()) {
    members[kPlan] = {{"digest", header.plan.digest()}};
    members[kPlan].update(impl_->written(header.plan));
  }
  members[kRun] = impl_->written(header);
  return members;
}

std::string RunWriter::context(const RunResult& run) {
  RunHeading named;
  for (const RecordingResult& result : run.recordings)
    for (const Row& row : result.rows)
      if (const auto rule = run.header.rules.find(row.rule); rule != run.header.rules.end())
        named.rules.insert(*rule);
  named.clients = run.header.clients;
  return context(named);
}

std::string RunWriter::context(const RunHeading& header) {
  std::string lines;
  for (const auto& [id, rule] : header.rules) lines += line({{kRule, impl_->written(rule)}});
  if (header.clients == contract::Clients()) return lines;
  return lines + line({{kClients, header.clients.programs.size()}, {kWhole, impl_->written(header.clients)}});
}

std::string RunWriter::bodies() {
  std::string lines;
  for (; impl_->told < impl_->bodies.texts.size(); ++impl_->told)
    lines += line({{kBody, impl_->told}, {kWhole, bytes_json(impl_->bodies.texts[impl_->told])}});
  return lines;
}

std::string RunWriter::result(const RecordingResult& result) {
  const std::string own = line({{kResult, impl_->written(result)}});
  return bodies() + own;
}

ordered_json RunWriter::row(const Row& row) {
  ordered_json more = impl_->written(row);
  return more.empty() ? ordered_json() : ordered_json{{kRow, std::move(more)}};
}

ordered_json RunWriter::end(const RunResult& run) { return {{kRun, impl_->written(run)}}; }

Result<RunResult> read_run(std::string_view text, const std::string& path) {
  ReportReader reader(path);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto taken = reader.take(text.substr(0, end)); !taken) return tl::unexpected(taken.error());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.end();
}

}  // namespace splitproof::results
