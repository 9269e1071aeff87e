#include "harness/report/html_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/observe/trace.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kTitledCuts = 60;  // cuts with an offset as title

// Ends a line after every line feed, which is shown.
std::string html_lines(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const bool ends_line = bytes[end - 1] == '\n';
    out += html(bytes.substr(0, ends_line ? end - 1 : end));
    if (ends_line) out += "<i>\\n</i>\n";
    bytes.remove_prefix(end);
  }
  return out;
}

// Returns the ends of upstream events: after blank lines, or after every line if there are none.
std::vector<std::size_t> ends_of_events(std::string_view body) {
  std::vector<std::size_t> ends;
  std::vector<std::size_t> lines;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find('\n', begin), body.size() - 1) + 1;
    const std::string_view line = body.substr(begin, end - begin);
    lines.push_back(end);
    if (line == "\n" || line == "\r\n") ends.push_back(end);
    begin = end;
  }
  return ends.empty() ? lines : ends;
}

bool is_bytewise(const results::Upstream& upstream) {
  return upstream.body.size() > 2 && upstream.cuts.size() + 1 >= upstream.body.size();
}

}  // namespace

std::string html(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string command_html(std::string_view does, const std::string& line) {
  return fmt::format(
      "<div class=\"command\"><span>{}</span><pre><code>{}</code></pre><button type=\"button\" class=\"copy\" "
      "aria-label=\"Copy the command\" hidden>Copy</button></div>\n",
      does, html(line));
}

std::string html_id(std::string_view text) {
  std::string id(text);
  for (char& c : id) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (!fits) c = '-';
  }
  return id;
}

std::string cut_count(const results::Upstream& upstream) {
  if (is_bytewise(upstream)) return "cut after every byte";
  return upstream.cuts.empty() ? "not cut" : counted(upstream.cuts.size(), "cut");
}

std::string upstream_html(const results::Upstream& upstream, std::size_t most) {
  const std::string_view body = std::string_view(upstream.body).substr(0, most);
  std::string out = "<ol class=\"lane\" tabindex=\"0\" aria-label=\"Upstream stream\">\n";
  std::size_t at = 0;
  auto cut = upstream.cuts.begin();
  if (is_bytewise(upstream)) cut = upstream.cuts.end();  // marks would hide the text
  const bool titled = upstream.cuts.size() <= kTitledCuts;
  std::vector<std::size_t> ends = ends_of_events(body);
  if (ends.empty() || ends.back() < body.size()) ends.push_back(body.size());
  for (const std::size_t end : ends) {
    out += fmt::format("<li><small>byte {}</small><pre>", at);
    for (; cut != upstream.cuts.end() && *cut < end; ++cut) {
      out += html_lines(body.substr(at, *cut - at));
      out += titled ? fmt::format("<b title=\"cut at byte {0}\">|</b>", *cut) : "<b>|</b>";
      at = *cut;
    }
    out += html_lines(body.substr(at, end - at)) + "</pre></li>\n";
    at = end;
  }
  if (upstream.body.size() > body.size())
    out += fmt::format("<li class=\"dim\">and {} more bytes</li>\n", upstream.body.size() - body.size());
  return out + fmt::format("<li class=\"dim\">end: {}</li></ol>\n", recording::name(upstream.end));
}

std::string downstream_html(const results::Reproducer& shown) {
  std::string out = "<ol class=\"lane\" tabindex=\"0\" aria-label=\"Client stream\">\n";
  const std::string first = "<strong>here: " + html(shown.message) + "</strong>";
  if (shown.body.empty() && !shown.downstream.empty()) {
    const std::string place = shown.of_request
                                  ? "request to the upstream"
                                  : fmt::format("bytes {} to {}", shown.place.begin, shown.place.end);
    return out + fmt::format("<li class=\"first\">{}<small>{}</small><pre>{}</pre></li></ol>\n", first, place,
                             html_lines(shown.downstream));
  }
  const observe::Trace trace = observe::read_trace(shown.body, observe::DataKind::text);
  bool marked = false;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const observe::Event& event = trace.events[i];
    const bool is_first =
        !marked && !shown.of_request &&
        (shown.place.event ? *shown.place.event == i
                           : shown.place.begin >= event.begin && shown.place.begin < event.end);
    marked |= is_first;
    out += fmt::format("<li{}>{}<small>{}{}, byte {}</small><pre>{}</pre></li>\n",
                       is_first ? " class=\"first\"" : "", is_first ? first : "", i,
                       event.event ? " " + html(*event.event) : "", event.begin, html(event.data));
  }
  if (trace.events.empty() && !shown.body.empty())
    out += "<li><pre>" + html_lines(shown.body) + "</pre></li>\n";
  if (shown.body.size() == results::kKeptBody)
    out += fmt::format("<li class=\"dim\">cut off: the report keeps only the first {} bytes</li>\n",
                       results::kKeptBody);
  if (!marked && !shown.of_request) out += "<li class=\"first\">" + first + "</li>\n";
  return out + "</ol>\n";
}

}  // namespace splitproof::report
