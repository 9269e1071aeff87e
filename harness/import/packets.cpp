#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "harness/import/collector.hpp"
#include "harness/import/hexadecimal.hpp"
#include "harness/import/readers.hpp"
#include "harness/import/wire_response.hpp"
#include "harness/recording/stream_lines.hpp"

namespace splitproof::imports {
namespace {

constexpr const char* kTshark =
    "tshark -r FILE -Y tcp.payload -T fields -e tcp.stream -e frame.time_epoch -e tcp.srcport -e tcp.dstport -e "
    "tcp.seq_raw -e tcp.payload > segments.tsv";

/// One TCP segment, as a line of tshark's fields.
struct TcpSegment {
  std::string stream;
  double at = 0;
  std::string source;          ///< Port.
  std::uint32_t sequence = 0;  ///< Number of its first byte.
  std::string bytes;
};

std::optional<TcpSegment> segment_of(std::string_view line) {
  std::array<std::string_view, 6> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t tab = line.find('\t');
    if ((tab == line.npos) != (i + 1 == fields.size())) return std::nullopt;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(tab == line.npos ? line.size() : tab + 1);
  }
  TcpSegment segment;
  segment.stream = fields[0];
  segment.source = fields[2];
  const auto reads = [](std::string_view field, auto& number) {
    const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), number);
    return failed == std::errc() && end == field.data() + field.size();
  };
  std::uint32_t port = 0;
  auto bytes = bytes_of_hexadecimal(fields[5]);
  if (!reads(fields[1], segment.at) || !reads(fields[2], port) || !reads(fields[3], port) ||
      !reads(fields[4], segment.sequence) || !bytes || bytes->empty())
    return std::nullopt;
  segment.bytes = *std::move(bytes);
  return segment;
}

/// One connection: exchanges of HTTP/1.1, one after the other.
class TcpConnection {
 public:
  /// Takes the next segment. The side that sends first is the client.
  void take(TcpSegment segment) {
    if (client_.empty()) client_ = segment.source;
    const bool is_request = segment.source == client_;
    if (!drop_repeated(is_request ? request_next_ : response_next_, segment)) return;
    if (exchanges_.empty() || (is_request && exchanges_.back().has_response)) {
      exchanges_.emplace_back();
      exchanges_.back().began = segment.at;
    }
    TcpExchange& one = exchanges_.back();
    if (is_request) {
      one.request += segment.bytes;
    } else {
      take_response(one, segment);
    }
  }

  struct TcpExchange {
    std::string request;
    double began = 0;
    bool has_response = false;
    std::string head;  // until it is complete
    bool has_head = false;
    WireResponse response;
    double last = 0;
  };

  std::vector<TcpExchange>& exchanges() { return exchanges_; }
  bool has_gap() const { return has_gap_; }

 private:
  /// Removes bytes that were sent before; false if none are left.
  bool drop_repeated(std::optional<std::uint32_t>& next, TcpSegment& segment) {
    const std::uint32_t size = static_cast<std::uint32_t>(segment.bytes.size());
    const auto ahead = static_cast<std::int32_t>(segment.sequence - next.value_or(segment.sequence));
    if (ahead > 0) has_gap_ = true;
    const auto repeated = static_cast<std::uint32_t>(std::max(0, -ahead));
    if (repeated >= size) return false;
    segment.bytes.erase(0, repeated);
    next = segment.sequence + size;
    return true;
  }

  static void take_response(TcpExchange& one, const TcpSegment& segment) {
    one.has_response = true;
    one.last = segment.at;
    std::string_view body = segment.bytes;
    if (!one.has_head) {
      one.head += segment.bytes;
      const std::size_t end = one.head.find("\r\n\r\n");
      if (end == std::string::npos) return;
      one.has_head = true;
      one.response.take_head(std::string_view(one.head).substr(0, end + 2));
      const std::size_t rest = one.head.size() - (end + 4);
      body = body.substr(body.size() - std::min(rest, body.size()));
    }
    if (!body.empty()) one.response.take_body(segment.at - one.began, body);
  }

  std::string client_;
  std::optional<std::uint32_t> request_next_;
  std::optional<std::uint32_t> response_next_;
  std::vector<TcpExchange> exchanges_;
  bool has_gap_ = false;
};

void take_tcp_exchange(const ImportSource& source, TcpConnection::TcpExchange& one, const std::string& place,
                       StreamCollector& streams) {
  if (!one.has_head || !one.head.starts_with("HTTP/")) return streams.add({});
  auto body = one.response.finish();
  if (!body.fault.empty()) return streams.leave(place, {"a body in broken chunks", body.fault});
  if (const std::string coding = one.response.coding();
      !coding.empty() && !is_stream_of(source.framing, body.bytes))
    return streams.leave(place,
                         {"a body compressed with " + coding, "let the client ask for no compression"});
  ImportedResponse response;
  response.place = place;
  const std::string_view line = std::string_view(one.request).substr(0, one.request.find('\r'));
  const std::size_t begin = std::min(line.find(' ') + 1, line.size());
  const std::string_view target = line.substr(begin, line.find(' ', begin) - begin);
  response.url = without_secrets(header_of(one.request, "host") + std::string(target));
  response.status = one.response.status();
  response.body = std::move(body.bytes);
  response.arrivals = std::move(body.arrivals);
  response.segments = Segments::exact;
  response.ended_at = response.arrivals.empty() ? 0 : one.last - one.began;
  if (body.needs_end && !body.is_over) response.end = recording::End::closed;
  streams.add(std::move(response));
}

bool is_raw_capture(std::string_view bytes) {
  constexpr std::array<std::string_view, 5> kMagic = {
      "\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1", "\xa1\xb2\x3c\x4d", "\x0a\x0d\x0d\x0a"};
  return std::any_of(kMagic.begin(), kMagic.end(),
                     [&](std::string_view magic) { return bytes.starts_with(magic); });
}

}  // namespace

bool is_packet_capture(const ImportSource& source) {
  const std::string_view text = source.bytes;
  return is_raw_capture(text) || segment_of(text.substr(0, text.find_first_of("\r\n"))).has_value();
}

Result<ImportedFile> read_segments(const ImportSource& source) {
  if (is_raw_capture(source.bytes)) {
    std::string command = kTshark;
    command.replace(command.find("FILE"), 4, source.path);
    return refuse(source, "is a capture of packets", "write its segments as text: " + command);
  }
  std::map<std::string, TcpConnection> connections;
  std::vector<std::string> order;
  std::size_t number = 0;
  for (const std::string_view line : recording::lines_of(source.bytes)) {
    ++number;
    if (recording::is_blank(line)) continue;
    auto segment = segment_of(line);
    if (!segment) {
      return refuse(source,
                    "has a line that is not a segment: the capture is cut, or other fields were written",
                    kTshark, number);
    }
    if (!connections.contains(segment->stream)) order.push_back(segment->stream);
    connections[segment->stream].take(*std::move(segment));
  }
  StreamCollector streams(source, "TCP segments of tshark");
  for (const std::string& name : order) {
    TcpConnection& connection = connections[name];
    const std::string place = "TCP stream " + name;
    if (connection.has_gap()) {
      streams.leave(place, {"segments that are missing or not in order", "capture again"});
      continue;
    }
    for (TcpConnection::TcpExchange& one : connection.exchanges())
      take_tcp_exchange(source, one, place, streams);
  }
  return std::move(streams).finish();
}

}  // namespace splitproof::imports
