#include "harness/cli/report_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/cli/read_report.hpp"
#include "harness/cli/sources.hpp"
#include "harness/read_file.hpp"
#include "harness/results/plan.hpp"
#include "harness/results/written.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

// Neither file needs to exist.
bool same_file(const std::string& a, const std::string& b) {
  const auto place = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return !a.empty() && !b.empty() && place(a) == place(b);
}

// "jsonl:PATH, junit:PATH or md:PATH"
std::string every_form() {
  const auto formats = report::formats();
  std::string all;
  for (const report::Format& format : formats) {
    all += &format == &formats.front() ? "" : &format == &formats.back() ? " or " : ", ";
    all += std::string(format.name) + ":PATH";
  }
  return all;
}

// Returns an Error if a run is not of this plan and shard. `otherwise`: what the user can do instead.
Result<void> check_continues(const results::RunResult& earlier, const std::string& path,
                             const report::Heading& heading, const std::string& otherwise) {
  if (auto same = results::check_same(earlier.header.plan, heading.plan); !same) {
    same.error().file = path;
    same.error().hint = "repeat the options of the earlier run, or " + otherwise;
    return same;
  }
  if (earlier.header.shards != heading.shards)
    return tl::unexpected(
        Error{"the file is of another shard", path, 0, "give every shard its own report, or " + otherwise});
  return {};
}

}  // namespace

void add_reports(Options& options, ReportOptions& reports) {
  std::string does = "write a report (repeatable)";
  for (const report::Format& format : report::formats()) {
    does += &format == &report::formats().front() ? ": " : "; ";
    does += std::string(format.name) + ":PATH, " + std::string(format.is);
  }
  options.texts("--report", reports.files, does).type("FORMAT:PATH");
  options
      .text(
          "--since", reports.since,
          "report of an earlier run, written by --report jsonl:PATH; the page of --report html:PATH marks the "
          "bugs that are new since then")
      .path()
      .type("OLD.jsonl");
}

ReportOptions with_json(ReportOptions reports, bool json) {
  if (json) reports.files.emplace_back(kJsonReport);
  return reports;
}

bool ReportFiles::writes(const File& file, const std::string& path) {
  return same_file(file.path, path) ||
         (file.format->grows && same_file(PartOfFile::path_of(file.path), path));
}

Result<void> ReportFiles::read_earlier(const std::string& path) {
  const auto is_page = [](const File& file) { return file.format->name == "html"; };
  if (std::none_of(files_.begin(), files_.end(), is_page))
    return tl::unexpected(
        Error{"--since marks new bugs on a page, and no page is written", {}, 0, "add --report html:PATH"});
  auto run = read_report(path, false);
  if (!run) return tl::unexpected(run.error());
  since_ = path;
  earlier_ = *std::move(run);
  return {};
}

Result<ReportFiles> ReportFiles::make(const ReportOptions& asked, const std::vector<TakenFile>& taken) {
  ReportFiles reports;
  for (const std::string& report : asked.files) {
    const std::size_t colon = report.find(':');
    const auto formats = report::formats();
    const auto format = std::find_if(formats.begin(), formats.end(), [&](const report::Format& known) {
      return known.name == report.substr(0, colon);
    });
    if (colon == std::string::npos || colon + 1 == report.size() || format == formats.end())
      return tl::unexpected(
          Error{"--report " + report + " is not FORMAT:PATH", {}, 0, "write " + every_form()});
    const std::string path = report.substr(colon + 1);
    if (path == "-") {
      return tl::unexpected(
          Error{"--report " + report + " does not name a file",
                {},
                0,
                "write " + std::string(format->name) + ":/dev/stdout, or ./- if the file's name is -"});
    }
    File file{&*format, path, {}, {}};
    if (std::any_of(reports.files_.begin(), reports.files_.end(),
                    [&](const File& other) { return writes(other, path) || writes(file, other.path); })) {
      return tl::unexpected(Error{"two reports have the same path", path, 0, {}});
    }
    for (const TakenFile& other : taken) {
      if (writes(file, other.path))
        return tl::unexpected(Error{other.is + ", and a report would overwrite it", other.path, 0, {}});
    }
    const auto writable = check_writable(path, "pass --report a path in an existing folder");
    if (!writable) return tl::unexpected(writable.error());
    reports.files_.push_back(std::move(file));
  }
  if (!asked.since.empty())
    if (const auto read = reports.read_earlier(asked.since); !read) return tl::unexpected(read.error());
  return reports;
}

void ReportFiles::begin(const report::Heading& heading) {
  for (File& file : files_) {
    if (!file.format->grows) continue;
    std::string text = file.growing.begin(heading);
    for (const results::RecordingResult& part : saved_) text += file.growing.add(part, heading);
    auto part = PartOfFile::begin(file.path, text);
    if (!part) {
      complain(part.error());
      continue;
    }
    file.part = *std::move(part);
  }
}

Result<void> ReportFiles::resume(const report::Heading& heading) {
  std::error_code ignored;
  const auto file = std::find_if(files_.begin(), files_.end(), [&](const File& one) {
    const std::filesystem::file_status status = std::filesystem::status(one.path, ignored);
    return one.format->grows && (!exists(status) || is_regular_file(status));
  });
  if (file == files_.end()) {
    return tl::unexpected(Error{"--resume needs the report of the earlier run",
                                {},
                                0,
                                "add --report jsonl:PATH with the path of that run"});
  }
  const std::string path = PartOfFile::path_of(file->path);
  if (!std::filesystem::exists(path, ignored)) return take_finished(file->path, heading);
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::string_view saved = report::saved_lines(*text);
  if (saved.empty()) return {};
  auto run = results::read_run(saved, path);
  if (!run) {
    Error damaged = std::move(run.error());
    damaged.hint = "the file is damaged; remove it to begin again";
    return tl::unexpected(std::move(damaged));
  }
  if (auto same = check_continues(*run, path, heading, "remove this file to begin again"); !same) return same;
  saved_ = std::move(run->recordings);
  return {};
}

// The report of a finished run with this plan has all results. A finished report of another run is not overwritten. Any
// other file there is replaced.
Result<void> ReportFiles::take_finished(const std::string& path, const report::Heading& heading) {
  const auto text = read_file(path);
  if (!text) return {};
  auto run = results::read_run(*text, path);
  if (!run || !run->complete) return {};
  if (auto same = check_continues(*run, path, heading, "remove this file, or omit --resume"); !same)
    return same;
  saved_ = std::move(run->recordings);
  return {};
}

void ReportFiles::grow(const results::RecordingResult& part, const report::Heading& heading) {
  for (File& file : files_) {
    if (!file.format->grows) continue;
    if (const auto grown = file.part.append(file.growing.add(part, heading)); !grown) complain(grown.error());
  }
}

std::size_t ReportFiles::write(const std::vector<results::RecordingResult>& results,
                               const report::Heading& heading, const report::Summary& summary,
                               bool complete) {
  report::Summary compared = summary;
  if (earlier_) compared.since = report::since(since_, *earlier_, heading, results);
  std::size_t failed = 0;
  for (File& file : files_) {
    const auto written = write_file(file.path, file.format->write(results, heading, compared, complete));
    if (written) {
      if (complete) file.part.remove();
      continue;
    }
    complain(written.error());
    ++failed;
  }
  return failed;
}

}  // namespace splitproof::cli
