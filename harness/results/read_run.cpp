#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/results/run_fields.hpp"
#include "harness/results/written.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::results {

namespace {

using nlohmann::json;

constexpr const char* kBeginOfRule = "{\"rule\":{";
constexpr std::size_t kMostShards = 1'000'000;  // so that missing ones can be listed

// True if each cut is within the body, in order.
bool fits(const Upstream& upstream) {
  return std::is_sorted(upstream.cuts.begin(), upstream.cuts.end()) &&
         (upstream.cuts.empty() || upstream.cuts.back() <= upstream.body.size());
}

// True if the gaps are ranges within the part, in order.
bool fits(const RecordingPart& part) {
  std::vector<std::size_t> bounds{part.begin};
  bounds.insert(bounds.end(), part.gaps.begin(), part.gaps.end());
  bounds.push_back(part.end);
  return part.gaps.size() % 2 == 0 && std::is_sorted(bounds.begin(), bounds.end());
}

bool shows_a_case(contract::Verdict verdict) {
  return verdict == contract::Verdict::violated || verdict == contract::Verdict::passed_on;
}

}  // namespace

struct SharedContext::Impl {
  std::unordered_map<std::string, Rule> rules;  // by line
  std::string clients_line;
  contract::Clients clients;
};

SharedContext::SharedContext() : impl_(std::make_unique<Impl>()) {}
SharedContext::~SharedContext() = default;

class ReportReader {
 public:
  ReportReader(const std::string& path, SharedContext* shared)
      : path_(path), shared_(shared == nullptr ? nullptr : shared->impl_.get()) {}

  Result<void> take(std::string_view text) {
    ++number_;
    if (take_known(text)) return {};
    const auto parsed = parse_strict_json(text);
    if (!parsed || !(*parsed)->is_object() || (number_ == 1) != (*parsed)->contains("splitproof"))
      return wrong("this is not a report of splitproof run", "name a file that --report jsonl:PATH wrote");
    const json& object = **parsed;
    run_.complete = false;
    if (number_ == 1) {
      if (const json& plan = member(object, line_member::kPlan); !plan.is_null())
        if (auto taken = read_plan(plan); !taken) return taken;
      return read(member(object, line_member::kRun), run_.header);
    } else if (const json& rule = member(object, line_member::kRule); rule.is_object()) {
      Rule one;
      if (auto taken = read(rule, one); !taken) return taken;
      if (shared_ != nullptr) shared_->rules.emplace(text, one);
      run_.header.rules.insert_or_assign(one.id, std::move(one));
    } else if (const json& result = member(object, line_member::kResult); result.is_object()) {
      return take_result(result);
    } else if (object.contains("obligation") && object.contains("recording")) {
      return take_row(object);
    } else if (object.contains("verdict") && object.contains("not_exercised")) {
      return take_end(object);
    } else if (const json& whole = member(object, line_member::kWhole); !whole.is_null()) {
      if (object.contains(line_member::kClients)) return take_clients(whole, text);
      if (object.contains(line_member::kBody)) return read(whole, bodies_.texts.emplace_back());
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

  Result<void> read_plan(const json& plan) {
    if (auto taken = read(plan, run_.header.plan); !taken) return taken;
    if (run_.header.plan.shards <= kMostShards) return {};
    return wrong("the plan has more shards than a run can have", "run it again");
  }

  // Takes a line that another report had.
  bool take_known(std::string_view text) {
    if (shared_ == nullptr || number_ == 1) return false;
    if (text == shared_->clients_line) {
      run_.header.clients = shared_->clients;
    } else if (text.starts_with(kBeginOfRule)) {
      const auto known = shared_->rules.find(std::string(text));
      if (known == shared_->rules.end()) return false;
      run_.header.rules.insert_or_assign(known->second.id, known->second);
    } else {
      return false;
    }
    run_.complete = false;
    return true;
  }

  Result<void> take_clients(const json& whole, std::string_view text) {
    if (auto taken = read(whole, run_.header.clients); !taken) return taken;
    if (shared_ == nullptr) return {};
    shared_->clients_line = text;
    shared_->clients = run_.header.clients;
    return {};
  }

  tl::unexpected<Error> wrong_cuts() const {
    return wrong("a cut of the upstream's body is not within the body", "run it again");
  }

  Result<void> take_result(const json& result) {
    RecordingResult& taken = run_.recordings.emplace_back();
    if (auto done = read(result, taken); !done) return done;
    if (taken.part && !fits(*taken.part))
      return wrong("the part of the recording is not a range of its cases", "run it again");
    for (const Behaviour& behaviour : taken.behaviours) {
      // Without a symptom it keeps no body.
      if (!behaviour.symptoms.empty() && !fits(behaviour.upstream)) return wrong_cuts();
      for (const Symptom& symptom : behaviour.symptoms)
        if (!run_.header.rules.contains(symptom.rule))
          return wrong("the result names the rule " + symptom.rule + ", which has no line", "run it again");
    }
    return {};
  }

  bool has_row(const std::string& target, const std::string& rule) const {
    return std::any_of(run_.recordings.begin(), run_.recordings.end(), [&](const RecordingResult& result) {
      return result.target == target && std::any_of(result.rows.begin(), result.rows.end(),
                                                    [&](const Row& row) { return row.rule == rule; });
    });
  }

  // A report that lost lines has fewer results than its last line counts.
  Result<void> check_counts(const json& object) const {
    std::size_t cases = 0;
    std::size_t unrun = 0;
    std::size_t findings = 0;
    std::size_t advisory = 0;
    std::size_t expected = 0;
    std::size_t passed_on = 0;
    for (const RecordingResult& result : run_.recordings) {
      cases += result.cases;
      unrun += result.unrun;
      for (const Row& row : result.rows) {
        if (row.expectation) {
          ++expected;
        } else if (row.verdict == contract::Verdict::violated) {
          ++(decides(row, run_.header.strict) ? findings : advisory);
        } else if (row.verdict == contract::Verdict::passed_on) {
          ++passed_on;
        }
      }
    }
    for (const auto& [name, count] : {std::pair("cases", cases),
                                      {"unrun", unrun},
                                      {"findings", findings},
                                      {"advisory", advisory},
                                      {"expected", expected},
                                      {"passed_on", passed_on}}) {
      std::size_t counted = 0;
      if (auto done = read(member(object, name), counted); !done) return done;
      if (counted != count)
        return wrong(std::string("the last line counts ") + std::to_string(counted) + " in '" + name +
                         "', and the results before it have " + std::to_string(count),
                     "the report has lost or changed lines: run it again");
    }
    return {};
  }

  Result<void> take_end(const json& object) {
    run_.complete = true;
    if (auto done = check_counts(object); !done) return done;
    if (auto done = read(member(object, line_member::kRun), run_); !done) return done;
    for (const CauseNote& note : run_.causes) {
      if (note.smallest && !fits(note.smallest->upstream)) return wrong_cuts();
      if (!has_row(note.target, note.rule))
        return wrong("the cause " + note.rule + " of the target " + note.target + " has no row",
                     "run it again");
    }
    return {};
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
    if (const json& more = member(object, line_member::kRow); !more.is_null())
      if (auto taken = read(more, row); !taken) return taken;
    if (shows_a_case(row.verdict) && !row.first)
      return wrong("the row of " + row.rule + " has a violation and no case that shows it", "run it again");
    if (row.first && !fits(row.first->upstream)) return wrong_cuts();
    run_.recordings.back().rows.push_back(std::move(row));
    return {};
  }

  const std::string& path_;
  SharedContext::Impl* const shared_;
  std::size_t number_ = 0;
  Bodies bodies_;
  RunResult run_;
};

Result<RunResult> read_run(std::string_view text, const std::string& path, SharedContext* shared) {
  ReportReader reader(path, shared);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto taken = reader.take(text.substr(0, end)); !taken) return tl::unexpected(taken.error());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.end();
}

}  // namespace splitproof::results
