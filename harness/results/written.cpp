#include "harness/results/written.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/results/run_fields.hpp"

namespace splitproof::results {
namespace {

using nlohmann::ordered_json;

std::string line(const ordered_json& object) { return object.dump() + "\n"; }

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
    members[line_member::kPlan] = {{"digest", header.plan.digest()}};
    members[line_member::kPlan].update(impl_->written(header.plan));
  }
  members[line_member::kRun] = impl_->written(header);
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
  for (const auto& [id, rule] : header.rules) lines += line({{line_member::kRule, impl_->written(rule)}});
  if (header.clients == contract::Clients()) return lines;
  return lines + line({{line_member::kClients, header.clients.programs.size()},
                       {line_member::kWhole, impl_->written(header.clients)}});
}

std::string RunWriter::bodies() {
  std::string lines;
  for (; impl_->told < impl_->bodies.texts.size(); ++impl_->told)
    lines += line({{line_member::kBody, impl_->told},
                   {line_member::kWhole, bytes_json(impl_->bodies.texts[impl_->told])}});
  return lines;
}

std::string RunWriter::result(const RecordingResult& result) {
  const std::string own = line({{line_member::kResult, impl_->written(result)}});
  return bodies() + own;
}

ordered_json RunWriter::row(const Row& row) {
  ordered_json more = impl_->written(row);
  return more.empty() ? ordered_json() : ordered_json{{line_member::kRow, std::move(more)}};
}

ordered_json RunWriter::end(const RunResult& run) { return {{line_member::kRun, impl_->written(run)}}; }

}  // namespace splitproof::results
