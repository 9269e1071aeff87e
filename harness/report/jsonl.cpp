#include "harness/report/jsonl.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cause/impact.hpp"
#include "harness/report/cause_text.hpp"
#include "harness/results/written.hpp"

namespace splitproof::report {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr const char* kSaved = "saved";  // the line after a part

// Messages quote bytes of the wire, which need not be UTF-8.
std::string line(const Ordered& object) {
  return object.dump(-1, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

// False for a violation without an expectation, and for a met obligation with a stale one.
bool as_expected(const results::RecordingResult& result, const results::Row& row, const Summary& summary) {
  if (row.verdict == contract::Verdict::violated) return row.expectation.has_value();
  return row.verdict != contract::Verdict::met ||
         std::none_of(summary.stale.begin(), summary.stale.end(), [&](const results::StaleExpectation& gone) {
           return results::fits(gone.expectation, result.target, result.recording.id, row.rule);
         });
}

Ordered stale_json(const Summary& summary) {
  Ordered all = Ordered::array();
  for (const results::StaleExpectation& gone : summary.stale) {
    all.push_back({{"file", gone.expectation.file},
                   {"line", gone.expectation.line},
                   {"expectation", results::line_of(gone.expectation)},
                   {"message", gone.why}});
  }
  return all;
}

// {"claude-code": ["silently wrong", "throws"]}
Ordered clients_json(const contract::Clients& clients, const results::Row& row) {
  Ordered all = Ordered::object();
  for (const contract::Clients::Impact& impact :
       clients.impact(row.rule, cause::finding_for_clients(*row.first))) {
    Ordered& words = all[impact.client] = Ordered::array();
    for (const contract::Reaction reaction : impact.reactions) words.push_back(contract::name(reaction));
  }
  return all;
}

Ordered first_json(const results::Reproducer& first) {
  Ordered object = {{"case", first.case_id}};
  if (first.place.event) object["event"] = *first.place.event;
  object["bytes"] = {first.place.begin, first.place.end};
  return object;
}

Ordered row_json(const results::RecordingResult& result, const results::Row& row, const Heading& heading,
                 const Summary& summary, const CauseNumbers& numbers) {
  Ordered object = {{"target", result.target},
                    {"recording", result.recording.id},
                    {"obligation", row.rule},
                    {"level", contract::name(row.level)},
                    {"verdict", contract::name(row.verdict)},
                    {"expected", as_expected(result, row, summary)},
                    {"cases", row.cases},
                    {"violating", row.violating}};
  if (!row.reason.empty()) object["reason"] = row.reason;
  if (!row.first) return object;
  if (const auto known = numbers.find(&row); known != numbers.end()) {
    const cause::Cause& cause = summary.causes[known->second - 1];
    object["cause"] = cause.name();
    if (cause.doubtful.contains(&row)) object["possibly"] = true;
  }
  object["first"] = first_json(*row.first);
  object["message"] = row.first->message;
  if (Ordered clients = clients_json(heading.clients, row); !clients.empty())
    object["clients"] = std::move(clients);
  object["reproduce"] = reproduce_line(*row.first, result.target, heading);
  return object;
}

Ordered smallest_json(const cause::Cause& cause, const Heading& heading) {
  const cause::Smallest& smallest = *cause.smallest;
  return {{"events", smallest.events},
          {"of", smallest.of},
          {"exhausted", smallest.exhausted},
          {"cuts", smallest.upstream.cuts},
          {"body", smallest.upstream.body.substr(0, results::kKeptBody)},
          {"shrink", shrink_line(cause, heading)}};
}

Ordered cause_json(const cause::Cause& cause, std::size_t number, const Heading& heading) {
  Ordered clients = Ordered::object();
  for (const cause::Impact& impact : cause.impacts)
    clients[impact.client] = {{"reaction", contract::name(impact.reaction)}, {"says", impact.says}};
  Ordered first = first_json(cause.shown);
  first["message"] = cause.shown.message;
  Ordered object = {{"cause", cause.name()},
                    {"target", cause.target},
                    {"number", number},
                    {"level", contract::name(cause.level)},
                    {"title", cause.title()},
                    {"says", cause.rule->says},
                    {"recordings", cause.recordings()},
                    {"ordinary", cause.ordinary()},
                    {"cases", count_cases(cause)},
                    {"findings", cause.own.size()},
                    {"follows", below(cause)},
                    {"possibly", perhaps(cause)},
                    {"clients", std::move(clients)},
                    {"first", std::move(first)},
                    {"reproduce", reproduce_line(cause, heading)}};
  if (!cause.rule->knobs.empty()) object["knobs"] = cause.rule->knobs;
  if (cause.accepted_by) object["accepted_by"] = *cause.accepted_by;
  if (cause.tries) object["tries"] = {{"violated", cause.tries->violated}, {"of", cause.tries->of}};
  if (cause.smallest) object["smallest"] = smallest_json(cause, heading);
  return object;
}

Ordered growth_json(const results::Growth& growth) {
  Ordered square = Ordered::array();
  for (const results::SquareCost& cost : growth.square)
    square.push_back(
        {{"of", cost.of}, {"sizes", cost.sizes}, {"seconds", cost.seconds}, {"exponent", cost.exponent()}});
  Ordered tried = Ordered::object();
  for (const results::GrowthTried& one : growth.tried)
    tried[one.of] = {{"most", one.most}, {"seconds", one.seconds}};
  Ordered object = {
      {"of_processor", growth.of_processor}, {"square", std::move(square)}, {"tried", std::move(tried)}};
  if (!growth.ended.empty()) object["ended"] = growth.ended;
  return object;
}

}  // namespace

namespace {

Ordered details_json(const Heading& heading) {
  const results::RunDetails& details = heading.details;
  return {{"commands", details.commands},
          {"began", details.began},
          {"seconds", static_cast<double>(details.milliseconds) / 1000},
          {"quick", heading.quick},
          {"suites", details.suites},
          {"versions", details.versions}};
}

Ordered header_json(const Heading& heading) {
  Ordered written = results::RunWriter().header(heading);
  Ordered header = {{"splitproof", SPLITPROOF_VERSION}};
  if (written.contains("plan")) header["plan"] = std::move(written["plan"]);
  if (heading.shards.size() == 1) header["shard"] = *heading.shards.begin();
  header.update(Ordered{{"contracts", heading.contracts},
                        {"targets", heading.targets},
                        {"profile", heading.profile},
                        {"seed", heading.seed},
                        {"strict", heading.strict}});
  if (!heading.details.began.empty()) header["context"] = details_json(heading);
  if (!heading.notes.empty()) header["notes"] = heading.notes;
  if (!heading.untested.empty()) header["untested"] = heading.untested;
  header["run"] = std::move(written["run"]);
  return header;
}

}  // namespace

struct GrowingReport::Impl {
  results::RunWriter writer;
  std::size_t parts = 0;
};

GrowingReport::GrowingReport() : impl_(std::make_unique<Impl>()) {}
GrowingReport::GrowingReport(GrowingReport&&) noexcept = default;
GrowingReport& GrowingReport::operator=(GrowingReport&&) noexcept = default;
GrowingReport::~GrowingReport() = default;

std::string GrowingReport::begin(const Heading& heading) {
  return line(header_json(heading)) + impl_->writer.context(heading);
}

std::string GrowingReport::add(const results::RecordingResult& part, const Heading& heading) {
  std::string lines = impl_->writer.result(part);
  for (const results::Row& row : part.rows) {
    Ordered told = row_json(part, row, heading, Summary(), {});
    if (const Ordered more = impl_->writer.row(row); !more.is_null()) told.update(more);
    lines += impl_->writer.bodies() + line(told);
  }
  return lines + line({{kSaved, ++impl_->parts}});
}

std::string_view saved_lines(std::string_view text) {
  const std::string mark = std::string("\n{\"") + kSaved + "\":";
  std::string_view saved = text.substr(0, 0);
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1))
    if (const std::size_t end = text.find('\n', at + 1); end != text.npos) saved = text.substr(0, end + 1);
  return saved;
}

std::string jsonl_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete) {
  const results::RunResult run = run_of(results, heading, summary, complete);
  results::RunWriter writer;
  std::string out = line(header_json(heading)) + writer.context(run);
  const CauseNumbers numbers = cause_numbers(summary);
  for (const results::RecordingResult& result : results) {
    out += writer.result(result);
    for (const results::Row& row : result.rows) {
      Ordered told = row_json(result, row, heading, summary, numbers);
      if (const Ordered more = writer.row(row); !more.is_null()) told.update(more);
      out += writer.bodies() + line(told);
    }
  }
  std::size_t number = 0;
  for (const cause::Cause& cause : summary.causes) out += line(cause_json(cause, ++number, heading));
  if (!complete) return out;
  Ordered last = {{"verdict", summary.conforms() ? "CONFORMS" : "VIOLATES"},
                  {"recordings", summary.recordings},
                  {"cases", summary.cases},
                  {"judged", summary.tally.judged()},
                  {"not_exercised", summary.tally.not_exercised()},
                  {"not_judged", summary.tally.not_judged()},
                  {"findings", summary.tally.findings()},
                  {"expected", summary.tally.expected()},
                  {"passed_on", summary.tally.passed_on()},
                  {"stale", stale_json(summary)},
                  {"advisory", summary.tally.advice()},
                  {"unjudged_recordings", summary.unjudged},
                  {"unrun", summary.unrun},
                  {"unreadable", summary.unreadable},
                  {"untargeted", summary.untargeted},
                  {"unclaimed", summary.unclaimed},
                  {"unavailable", summary.unavailable}};
  if (heading.quick) last["quick"] = true;
  for (const auto& [target, growth] : heading.growth) last["growth"][target] = growth_json(growth);
  if (summary.cut_short) {
    last["stopped_after"] = summary.cut_short->after;
    last["planned"] = summary.cut_short->planned;
    last["unreached"] = summary.cut_short->unreached;
  }
  last.update(writer.end(run));
  return out + writer.bodies() + line(last);
}

}  // namespace splitproof::report
