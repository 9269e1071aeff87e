#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/ui/page_server.hpp"
#include "harness/ui/report_folder.hpp"

namespace splitproof::ui {

/// The choices of the page.
struct SiteChoices {
  std::vector<std::string> profiles;
  std::vector<std::string> protocols;
};

/// The pages of `splitproof ui`, over a folder of reports.
///
///   GET /                  the page; GET /page.css, /ui.css, /ui.js its parts
///   GET /options           profiles and protocols
///   GET /reports           the reports of the folder
///   GET /report?name=&since=    a report as a page
///   GET /grown?name=&from=      new lines of a running campaign
///   POST /check?profile=&as=    judges the body: a stream, or a file that contains one
///   GET /explain?id=       the text of `splitproof explain`
class Site {
 public:
  Site(std::filesystem::path folder, SiteChoices choices)
      : folder_(std::move(folder)), choices_(std::move(choices)) {}

  /// Answers one request. Safe to call from several threads.
  PageResponse respond(const PageRequest& request) const;

 private:
  PageResponse choices() const;
  PageResponse reports() const;
  PageResponse report(const PageRequest& request) const;
  PageResponse grown(const PageRequest& request) const;
  PageResponse check(const PageRequest& request) const;
  PageResponse explain(const PageRequest& request) const;

  ReportFolder folder_;
  SiteChoices choices_;
};

}  // namespace splitproof::ui
