#include "harness/cli/report_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/cli/sources.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

// Neither file needs to be there.
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
      return tl::unexpected(Error{"--report " + report + " is not a report", {}, 0, "it is " + every_form()});
    const std::string path = report.substr(colon + 1);
    if (std::any_of(reports.files_.begin(), reports.files_.end(),
                    [&](const File& file) { return same_file(file.path, path); })) {
      return tl::unexpected(Error{"two reports cannot go to one file", path, 0, {}});
    }
    for (const TakenFile& file : taken) {
      if (same_file(path, file.path))
        return tl::unexpected(Error{file.is + "; a report would overwrite it", path, 0, {}});
    }
    const auto writable = check_writable(path, "give --report a path in a folder that exists");
    if (!writable) return tl::unexpected(writable.error());
    reports.files_.push_back({&*format, path});
  }
  return reports;
}

std::size_t ReportFiles::write(const std::vector<campaign::RecordingResult>& results,
                               const report::Heading& heading, const report::Summary& summary,
                               bool complete) const {
  std::size_t failed = 0;
  for (const File& file : files_) {
    const auto written = write_file(file.path, file.format->write(results, heading, summary, complete));
    if (written) continue;
    complain(written.error());
    ++failed;
  }
  return failed;
}

}  // namespace splitproof::cli
