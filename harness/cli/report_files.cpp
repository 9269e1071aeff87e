#include "harness/cli/report_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/cli/sources.hpp"
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

}  // namespace

void add_reports(Options& options, std::vector<std::string>& reports) {
  std::string does = "write a report (repeatable)";
  for (const report::Format& format : report::formats()) {
    does += &format == &report::formats().front() ? ": " : "; ";
    does += std::string(format.name) + ":PATH, " + std::string(format.is);
  }
  options.texts("--report", reports, does).type("FORMAT:PATH");
}

bool ReportFiles::writes(const File& file, const std::string& path) {
  return same_file(file.path, path) ||
         (file.format->begin != nullptr && same_file(PartOfFile::path_of(file.path), path));
}

Result<ReportFiles> ReportFiles::make(const std::vector<std::string>& asked,
                                      const std::vector<TakenFile>& taken) {
  ReportFiles reports;
  for (const std::string& report : asked) {
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
    File file{&*format, path, {}};
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
  return reports;
}

void ReportFiles::begin(const report::Heading& heading) {
  for (File& file : files_) {
    if (file.format->begin == nullptr) continue;
    auto part = PartOfFile::begin(file.path);
    if (!part) {
      complain(part.error());
      continue;
    }
    file.part = *std::move(part);
    const auto begun = file.part.append(file.format->begin(heading));
    if (!begun) complain(begun.error());
  }
}

void ReportFiles::grow(const results::RecordingResult& result, const report::Heading& heading) {
  if (std::none_of(files_.begin(), files_.end(),
                   [](const File& file) { return file.format->row != nullptr; }))
    return;
  std::vector<const results::Row*> news;
  for (const results::Row& row : result.rows) {
    const bool violated = row.verdict == contract::Verdict::violated;
    const auto [told, is_new] = told_.try_emplace({result.target, result.recording.id, row.rule}, violated);
    if (!is_new && (told->second || !violated)) continue;
    told->second = violated;
    news.push_back(&row);
  }
  for (File& file : files_) {
    if (file.format->row == nullptr) continue;
    std::string lines;
    for (const results::Row* row : news) lines += file.format->row(result, *row, heading);
    if (const auto grown = file.part.append(lines); !grown) complain(grown.error());
  }
}

std::size_t ReportFiles::write(const std::vector<results::RecordingResult>& results,
                               const report::Heading& heading, const report::Summary& summary,
                               bool complete) {
  std::size_t failed = 0;
  for (File& file : files_) {
    const auto written = write_file(file.path, file.format->write(results, heading, summary, complete));
    if (written) {
      file.part.remove();
      continue;
    }
    complain(written.error());
    ++failed;
  }
  return failed;
}

}  // namespace splitproof::cli
