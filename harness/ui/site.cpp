#include "harness/ui/site.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/json_member.hpp"
#include "harness/read_file.hpp"
#include "harness/report/html.hpp"
#include "harness/report/page_texts.hpp"
#include "harness/report/summary.hpp"
#include "harness/results/written.hpp"
#include "harness/strict_json.hpp"
#include "harness/ui/own_program.hpp"
#include "harness/ui/ui_texts.hpp"

namespace splitproof::ui {
namespace {

using nlohmann::ordered_json;

constexpr std::chrono::seconds kTimeToJudge(60);
constexpr std::size_t kMostOfName = 200;

std::string query(const PageRequest& request, const char* name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? std::string() : found->second;
}

PageResponse json_answer(const ordered_json& value, int status = 200) {
  return {status, "application/json", written(value)};
}

PageResponse error_answer(const Error& error, int status) {
  return json_answer({{"error", describe(error)}}, status);
}

PageResponse unknown_report(const std::string& name) {
  return error_answer({"the folder has no such report", name, 0, {}}, 404);
}

Result<results::RunResult> read_report_at(const std::filesystem::path& path) {
  const auto text = read_file(path.string());
  if (!text) return tl::unexpected(text.error());
  return results::read_run(*text, path.string());
}

// Returns a line of JSON without escapes of visible output. The program prints \xE2 for a byte of a character that
// turns the direction of text, and JSON has no such escape.
std::string with_json_escapes(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    out += line[i];
    if (line[i] != '\\' || i + 1 == line.size()) continue;
    if (line[i + 1] == 'x') out += '\\';
    out += line[++i];
  }
  return out;
}

// Returns the JSON objects of a program's output, one in each line.
ordered_json objects_in(std::string_view text) {
  ordered_json all = ordered_json::array();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto line = parse_strict_json(with_json_escapes(text.substr(0, end)));
        line && (*line)->is_object())
      all.push_back(ordered_json::parse((*line)->dump()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

// True for a word that a program takes as the value of an option.
bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kMostOfName && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                  c == '.' || c == '_';
         });
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

PageResponse Site::respond(const PageRequest& request) const {
  if (request.method == "POST")
    return request.path == "/check" ? check(request)
                                    : error_answer({"there is no such page", request.path, 0, {}}, 404);
  if (request.path == "/") return {200, "text/html; charset=utf-8", kUiPage};
  if (request.path == "/page.css") return {200, "text/css", report::kPageStyle};
  if (request.path == "/ui.css") return {200, "text/css", kUiStyle};
  if (request.path == "/ui.js") return {200, "text/javascript", kUiScript};
  if (request.path == "/favicon.ico") return {204, "image/x-icon", {}};
  if (request.path == "/options") return choices();
  if (request.path == "/reports") return reports();
  if (request.path == "/report") return report(request);
  if (request.path == "/grown") return grown(request);
  if (request.path == "/explain") return explain(request);
  return error_answer({"there is no such page", request.path, 0, {}}, 404);
}

PageResponse Site::choices() const {
  return json_answer({{"profiles", choices_.profiles}, {"protocols", choices_.protocols}});
}

PageResponse Site::reports() const {
  ordered_json all = ordered_json::array();
  for (const ReportEntry& one : folder_.list())
    all.push_back({{"name", one.name},
                   {"grows", one.grows},
                   {"targets", one.targets},
                   {"verdict", one.verdict},
                   {"cases", one.cases},
                   {"findings", one.findings},
                   {"written", one.written}});
  return json_answer(all);
}

PageResponse Site::report(const PageRequest& request) const {
  const auto path = folder_.find(query(request, "name"));
  if (!path) return unknown_report(query(request, "name"));
  const auto run = read_report_at(*path);
  if (!run) return error_answer(run.error(), 422);
  report::Summary summary = report::summarise(*run);
  if (const std::string since = query(request, "since"); !since.empty()) {
    const auto earlier = folder_.find(since);
    if (!earlier) return unknown_report(since);
    const auto before = read_report_at(*earlier);
    if (!before) return error_answer(before.error(), 422);
    summary.since = report::since(since, *before, run->header, run->recordings);
  }
  return {200, "text/html; charset=utf-8",
          report::html_report(run->recordings, run->header, summary, run->complete), true};
}

PageResponse Site::grown(const PageRequest& request) const {
  const std::string from = query(request, "from");
  std::uint64_t offset = 0;
  const auto read = std::from_chars(from.data(), from.data() + from.size(), offset);
  if (read.ec != std::errc() || read.ptr != from.data() + from.size())
    return error_answer({"'from' is not a number", {}, 0, {}}, 400);
  const auto part = folder_.grown(query(request, "name"), offset);
  if (!part) return error_answer(part.error(), 404);
  ordered_json findings = ordered_json::array();
  for (const GrowingFinding& one : part->findings)
    findings.push_back({{"target", one.target},
                        {"recording", one.recording},
                        {"rule", one.rule},
                        {"level", one.level},
                        {"message", one.message}});
  return json_answer({{"next", part->next},
                      {"rows", part->rows},
                      {"results", part->results},
                      {"findings", std::move(findings)},
                      {"ended", part->ended}});
}

// Two runs of this program, as on a command line. So a file is read and judged in the same way.
PageResponse Site::check(const PageRequest& request) const {
  const std::string profile = query(request, "profile");
  const std::string protocol = query(request, "as");
  if ((!profile.empty() && !has(choices_.profiles, profile)) ||
      (!protocol.empty() && !has(choices_.protocols, protocol)))
    return error_answer({"there is no such profile or protocol", {}, 0, {}}, 400);
  std::vector<std::string> words{"check", "--json"};
  if (!profile.empty()) words.insert(words.end(), {"--profile", profile});
  if (!protocol.empty()) words.insert(words.end(), {"--as", protocol});
  words.emplace_back("-");
  const auto judged = run_own_program(words, request.body, kTimeToJudge);
  if (!judged) return error_answer(judged.error(), 422);
  const auto decoded = run_own_program({"decode", "-"}, request.body, kTimeToJudge);
  return json_answer({{"code", judged->code},
                      {"said", judged->err},
                      {"findings", objects_in(judged->out)},
                      {"events", decoded ? objects_in(decoded->out) : ordered_json::array()}});
}

PageResponse Site::explain(const PageRequest& request) const {
  const std::string id = query(request, "id");
  if (!is_word(id)) return error_answer({"is not the id of a rule", id, 0, {}}, 400);
  const auto explained = run_own_program({"explain", id}, {}, kTimeToJudge);
  if (!explained) return error_answer(explained.error(), 422);
  return json_answer({{"text", explained->code == 0 ? explained->out : explained->err}});
}

}  // namespace splitproof::ui
