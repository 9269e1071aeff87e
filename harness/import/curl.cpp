#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "harness/import/collector.hpp"
#include "harness/import/curl_blocks.hpp"
#include "harness/import/readers.hpp"
#include "harness/import/wire_response.hpp"
#include "harness/recording/capture.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::imports {
namespace {

using recording::End;

/// One request and its response in a trace.
struct TracedExchange {
  std::string request_head;
  std::string request_body;
  double began = 0;  ///< Seconds since midnight, as all times below.
  WireResponse response;
  bool has_response = false;
  std::optional<End> end;  ///< As curl reports it; nullopt: the trace has no end of this response.
  double last = 0;
};

/// Divides the blocks of a trace into exchanges.
class ExchangeReader {
 public:
  void take(const CurlBlock& block) {
    TracedExchange& one = exchange_of(block);
    const double at = time_of(block);
    switch (block.kind) {
      case CurlBlock::Kind::sent_head:
        if (one.request_head.empty()) one.began = at;
        one.request_head += block.bytes;
        break;
      case CurlBlock::Kind::sent_data:
        one.request_body += block.bytes;
        break;
      case CurlBlock::Kind::received_head:
        one.has_response = true;
        one.response.take_head(block.bytes);
        break;
      case CurlBlock::Kind::received_data:
        one.response.take_body(at - one.began, block.bytes);
        break;
      case CurlBlock::Kind::info:
        if (const auto end = end_in(block.bytes); end && one.has_response && !one.end) one.end = end;
        break;
      case CurlBlock::Kind::other:
        return;
    }
    if (block.kind != CurlBlock::Kind::info || one.end) one.last = std::max(one.last, at);
  }

  std::vector<TracedExchange>& all() { return exchanges_; }

 private:
  TracedExchange& exchange_of(const CurlBlock& block) {
    const auto current = current_.find(block.transfer);
    const bool is_new = current == current_.end() || (block.kind == CurlBlock::Kind::sent_head &&
                                                      exchanges_[current->second].has_response);
    if (!is_new) return exchanges_[current->second];
    current_[block.transfer] = exchanges_.size();
    return exchanges_.emplace_back();
  }

  // The clock of a trace begins again at midnight.
  double time_of(const CurlBlock& block) {
    constexpr double kDay = 86400;
    double at = block.at.value_or(0) + days_ * kDay;
    if (at + kDay / 2 < latest_) {
      at += kDay;
      ++days_;
    }
    latest_ = std::max(latest_, at);
    return latest_;
  }

  std::vector<TracedExchange> exchanges_;
  std::map<std::string, std::size_t> current_;  // by transfer
  double latest_ = 0;
  int days_ = 0;
};

std::string url_of(std::string_view head) {
  std::string_view target = head.substr(0, head.find('\r'));
  target.remove_prefix(std::min(target.find(' ') + 1, target.size()));
  target = target.substr(0, target.find(' '));
  return without_secrets(header_of(head, "host") + std::string(target));
}

/// Adds the response of an exchange to the streams.
void take_exchange(const ImportSource& source, TracedExchange& one, bool is_ascii, const std::string& place,
                   StreamCollector& streams) {
  if (!one.has_response) return;
  auto body = one.response.finish();
  if (!body.fault.empty()) return streams.leave(place, {"a body in broken chunks", body.fault});
  if (const std::string coding = one.response.coding();
      !coding.empty() && !is_stream_of(source.framing, body.bytes))
    return streams.leave(place,
                         {"a body compressed with " + coding, "repeat the request without --compressed"});
  if (is_ascii) {
    auto text = with_line_ends(std::move(body.bytes));
    if (!text) {
      return streams.leave(
          place, {"a body whose dots may be other characters", "--trace-ascii hides them; use --trace"});
    }
    body.bytes = *std::move(text);
  }
  ImportedResponse response;
  response.place = place;
  response.url = url_of(one.request_head);
  response.status = one.response.status();
  response.body = std::move(body.bytes);
  response.arrivals = std::move(body.arrivals);
  response.segments = Segments::exact;
  response.ended_at =
      std::max(one.last - one.began, response.arrivals.empty() ? 0 : response.arrivals.back().at);
  if (const auto parsed = parse_strict_json(one.request_body);
      parsed && !one.request_body.empty() && one.request_body.front() == '{')
    response.request = one.request_body;
  response.end = body.is_over ? End::complete : one.end.value_or(End::reset);
  if (!body.is_over && body.needs_end && response.end == End::complete) response.end = End::closed;
  if (!body.is_over && !one.end && is_stream_of(source.framing, response.body))
    streams.note("the end of the response" + (place.empty() ? "" : " in " + place) +
                 ", which is after the end of the trace, so the stream ends with a reset");
  streams.add(std::move(response));
}

Result<ImportedFile> read_trace(const ImportSource& source) {
  const CurlTrace trace = read_curl_trace(source.bytes);
  const std::string format = trace.is_ascii ? "a trace of curl in ASCII" : "a trace of curl";
  if (!trace.fault.empty())
    return refuse(source, "is " + format + " that " + trace.fault + ": the capture is cut or mixed",
                  "write the trace to a file of its own: curl --trace-time --trace FILE -sN URL > BODY",
                  trace.line);
  ExchangeReader exchanges;
  bool has_times = true;
  for (const CurlBlock& block : trace.blocks) {
    exchanges.take(block);
    has_times = has_times && block.at.has_value();
  }
  std::vector<TracedExchange>& all = exchanges.all();
  std::erase_if(all, [](const TracedExchange& one) { return !one.has_response; });
  StreamCollector streams(source, format);
  for (std::size_t i = 0; i < all.size(); ++i)
    take_exchange(source, all[i], trace.is_ascii, all.size() == 1 ? "" : "response " + std::to_string(i + 1),
                  streams);
  if (trace.other_lines > 0)
    streams.note(std::to_string(trace.other_lines) + (trace.other_lines == 1 ? " line" : " lines") +
                 " of other output");
  if (!has_times) streams.note("times, because curl had no --trace-time");
  if (trace.is_ascii) streams.note("bytes that are not printable: a dot may be another byte");
  return std::move(streams).finish();
}

/// True for a line of curl -v after the time of --trace-time: "10:00:00.123456 < HTTP/2 200".
bool is_timed(std::string_view line) {
  constexpr std::size_t kTime = 15;
  constexpr std::string_view kMarks = "*<>{}";
  return line.find(' ') == kTime && line[2] == ':' && line[8] == '.' && line.size() > kTime + 1 &&
         kMarks.find(line[kTime + 1]) != kMarks.npos;
}

std::string without_times(std::string_view text) {
  std::string made;
  for (const std::string_view line : recording::lines_of(text))
    made.append(line.substr(is_timed(line) ? line.find(' ') + 1 : 0)) += '\n';
  return made;
}

/// Returns the status of the last response head before the stream, or 200.
int status_in(std::string_view text) {
  int status = 200;
  for (std::string_view line : recording::lines_of(text)) {
    if (recording::is_field(line)) break;
    if (line.starts_with("< ")) line.remove_prefix(2);
    if (line.starts_with("HTTP/")) status = status_of_line(line).value_or(status);
  }
  return status;
}

}  // namespace

bool is_curl(const ImportSource& source) {
  const std::string_view text = recording::without_head(source.bytes);
  return begins_curl_trace(text) || is_timed(text.substr(0, text.find_first_of("\r\n")));
}

Result<ImportedFile> read_curl(const ImportSource& source) {
  if (begins_curl_trace(source.bytes)) return read_trace(source);
  ImportSource plain = source;
  if (is_curl(source)) plain.bytes = without_times(source.bytes);
  auto file = read_raw_body(plain);
  if (!file) return file;
  if (file->wrapper.empty()) {
    return refuse(source, "is not the output of curl -i, -v or --trace",
                  "leave out the kind, so that the format is recognised");
  }
  file->streams[0].status = status_in(plain.bytes);
  return file;
}

}  // namespace splitproof::imports
