#include "harness/testee/response_script.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace splitproof::testee {
namespace {

template <class Value>
using Named = std::pair<std::string_view, Value>;

constexpr std::array<Named<BodyFraming>, 3> kBodyFramings{{{"chunked", BodyFraming::chunked},
                                                           {"content-length", BodyFraming::content_length},
                                                           {"close", BodyFraming::close_delimited}}};

constexpr std::array<Named<WritePacking>, 8> kWritePackings{{{"piece", WritePacking::piece},
                                                             {"one-chunk", WritePacking::one_chunk},
                                                             {"two-pieces", WritePacking::two_pieces},
                                                             {"in-size", WritePacking::in_size},
                                                             {"in-size-end", WritePacking::in_size_end},
                                                             {"before-end", WritePacking::before_end},
                                                             {"in-end", WritePacking::in_end},
                                                             {"bytes", WritePacking::bytes}}};

template <class Value, std::size_t N>
std::string_view name_of(const std::array<Named<Value>, N>& names, Value value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& named) { return named.second == value; })
      ->first;
}

template <class Value, std::size_t N>
Result<Value> value_of(const std::array<Named<Value>, N>& names, std::string_view what,
                       std::string_view name) {
  std::string known;
  for (const auto& [word, value] : names) {
    if (word == name) return value;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  return tl::unexpected(Error{
      "there is no " + std::string(what) + " '" + std::string(name) + "'", {}, 0, "use one of " + known});
}

constexpr std::array<Named<int>, 13> kReasons{{{"OK", 200},
                                               {"Bad Request", 400},
                                               {"Unauthorized", 401},
                                               {"Forbidden", 403},
                                               {"Not Found", 404},
                                               {"Request Timeout", 408},
                                               {"Content Too Large", 413},
                                               {"Too Many Requests", 429},
                                               {"Internal Server Error", 500},
                                               {"Not Implemented", 501},
                                               {"Bad Gateway", 502},
                                               {"Service Unavailable", 503},
                                               {"Gateway Timeout", 504}}};

std::string_view reason(int status) {
  const auto found = std::find_if(kReasons.begin(), kReasons.end(),
                                  [&](const auto& named) { return named.second == status; });
  return found == kReasons.end() ? std::string_view() : found->first;
}

std::string in_hexadecimal(std::size_t value) {
  std::array<char, 16> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return std::string(digits.data(), end);
}

// Encodes a script. It appends the bytes to the plan, and records the ends of writes and the places of the pieces.
class Encoder {
 public:
  explicit Encoder(const ResponseScript& script) : script_(script) {
    for (const std::string& piece : script.pieces) {
      if (piece.empty()) continue;
      pieces_.push_back(piece);
      size_ += piece.size();
    }
  }

  WritePlan encode() {
    put_head();
    if (script_.framing == BodyFraming::chunked) {
      put_chunks();
    } else {
      for (const std::string_view piece : pieces_) {
        put_body(piece);
        end_write();
      }
    }
    const std::size_t ended = plan_.bytes.size();
    if (ended_at_ == 0) ended_at_ = ended;
    if (script_.end == recording::End::complete) plan_.bytes += script_.trailing;
    cut_off();
    place_ends(ended);
    return std::move(plan_);
  }

 private:
  bool complete() const { return script_.end == recording::End::complete; }

  void put_head() {
    std::string& out = plan_.bytes;
    out.append("HTTP/1.1 ").append(std::to_string(script_.status)).append(" ");
    out.append(reason(script_.status)).append("\r\n");
    for (const Header& header : script_.headers)
      out.append(header.name).append(": ").append(header.value).append("\r\n");
    if (script_.framing == BodyFraming::chunked) out += "transfer-encoding: chunked\r\n";
    if (script_.framing == BodyFraming::content_length)
      out += "content-length: " + std::to_string(size_ + (complete() ? 0 : 1)) + "\r\n";
    // A response that breaks off must not announce the close. Clients take an announced close for a proper end.
    if (!script_.keep_alive || script_.framing == BodyFraming::close_delimited)
      out += "connection: close\r\n";
    out += "\r\n";
    plan_.head = out.size();
    if (script_.head_apart) end_write();
  }

  void put_chunks() {
    if (script_.packing == WritePacking::one_chunk) {
      if (!pieces_.empty()) plan_.bytes += in_hexadecimal(size_) + "\r\n";
      for (const std::string_view piece : pieces_) {
        put_body(piece);
        end_write();
      }
      ended_at_ = plan_.bytes.size();
      if (complete()) plan_.bytes += pieces_.empty() ? "0\r\n\r\n" : "\r\n0\r\n\r\n";
      return;
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i) put_chunk(pieces_[i], i);
    if (!complete()) return;
    ended_at_ = plan_.bytes.size();
    const std::size_t begin = plan_.bytes.size();
    plan_.bytes += "0\r\n\r\n";
    switch (script_.packing) {
      case WritePacking::in_size:
        return end_write(begin + 1);
      case WritePacking::in_size_end:
        return end_write(begin + 2);
      case WritePacking::before_end:
        return end_write(begin + 3);
      case WritePacking::in_end:
        return end_write(begin + 4);
      default:
        return;
    }
  }

  void put_chunk(std::string_view piece, std::size_t index) {
    const std::string size = in_hexadecimal(piece.size());
    const std::size_t begin = plan_.bytes.size();
    chunks_.push_back(begin);
    plan_.bytes += size + "\r\n";
    put_body(piece);
    plan_.bytes += "\r\n";
    const std::size_t end = plan_.bytes.size();
    switch (script_.packing) {
      case WritePacking::in_size:
        return end_write(begin + 1);
      case WritePacking::in_size_end:
        return end_write(begin + size.size() + 1);
      case WritePacking::before_end:
        return end_write(end - 2);
      case WritePacking::in_end:
        return end_write(end - 1);
      case WritePacking::two_pieces:
        return index % 2 == 1 || index + 1 == pieces_.size() ? end_write() : void();
      default:
        return end_write();
    }
  }

  void put_body(std::string_view piece) {
    spans_.push_back({said_, plan_.bytes.size(), piece.size()});
    said_ += piece.size();
    plan_.bytes += piece;
  }

  void end_write() { end_write(plan_.bytes.size()); }
  void end_write(std::size_t at) { plan_.ends.push_back(at); }

  // Returns the offset in the response of a byte of the body. If the byte begins a chunk, the result is the offset of
  // the size line of the chunk. At or beyond the end of the body, it is the start of the final chunk or of the end.
  std::size_t place_of(std::size_t offset) const {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const Span& span = spans_[i];
      if (offset >= span.body + span.size) continue;
      if (offset == span.body && i < chunks_.size()) return chunks_[i];
      return span.at + (offset - span.body);
    }
    return ended_at_;
  }

  void cut_off() {
    if (script_.cut_off && *script_.cut_off < plan_.bytes.size()) plan_.bytes.resize(*script_.cut_off);
  }

  void place_ends(std::size_t ended) {
    const std::size_t size = plan_.bytes.size();
    std::vector<std::size_t>& ends = plan_.ends;
    ends.insert(ends.end(), script_.cuts.begin(), script_.cuts.end());
    for (const std::size_t hold : script_.holds) {
      plan_.holds.push_back(std::min(place_of(hold), size));
      ends.push_back(plan_.holds.back());
    }
    place_pauses();
    for (const Pause& pause : plan_.pauses) ends.push_back(pause.at);
    ends.push_back(ended);
    ends.push_back(size);
    if (script_.packing == WritePacking::bytes) {
      for (std::size_t at = plan_.head; at < size; ++at) ends.push_back(at + 1);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    ends.erase(std::upper_bound(ends.begin(), ends.end(), size), ends.end());
    if (!ends.empty() && ends.front() == 0) ends.erase(ends.begin());
  }

  void place_pauses() {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < script_.pauses.size(); ++i) {
      const Pause pause{std::min(place_of(offset), plan_.bytes.size()), script_.pauses[i]};
      if (i < script_.pieces.size()) offset += script_.pieces[i].size();
      if (pause.seconds <= 0) continue;
      if (!plan_.pauses.empty() && plan_.pauses.back().at == pause.at) {
        plan_.pauses.back().seconds += pause.seconds;
      } else {
        plan_.pauses.push_back(pause);
      }
    }
  }

  struct Span {
    std::size_t body;  // offset in the body
    std::size_t at;    // offset in the response
    std::size_t size;
  };

  const ResponseScript& script_;
  std::vector<std::string_view> pieces_;
  std::size_t size_ = 0;
  std::size_t said_ = 0;
  std::size_t ended_at_ = 0;         // offset of the final chunk, or one past the body
  std::vector<Span> spans_;          // one for each piece
  std::vector<std::size_t> chunks_;  // offset of the chunk of each piece, if there are chunks
  WritePlan plan_;
};

}  // namespace

std::string_view name(BodyFraming framing) { return name_of(kBodyFramings, framing); }
Result<BodyFraming> parse_framing(std::string_view name) { return value_of(kBodyFramings, "framing", name); }

std::string_view name(WritePacking packing) { return name_of(kWritePackings, packing); }
Result<WritePacking> parse_packing(std::string_view name) {
  return value_of(kWritePackings, "packing", name);
}

WritePlan plan_writes(const ResponseScript& script) { return Encoder(script).encode(); }

bool leaves_open(const ResponseScript& script) {
  return script.keep_alive && script.framing != BodyFraming::close_delimited && script.trailing.empty() &&
         !script.cut_off && script.end == recording::End::complete;
}

ResponseScript json_response(int status, std::string json) {
  ResponseScript script;
  script.status = status;
  script.headers = {{"content-type", "application/json"}};
  script.pieces = {std::move(json)};
  script.framing = BodyFraming::content_length;
  return script;
}

ResponseScript response_of(const recording::Recording& recording, const Exchange& exchange) {
  ResponseScript script;
  script.status = recording.status;
  for (const auto& [name, value] : recording.headers) {
    if (same_name(name, "content-length") || same_name(name, "transfer-encoding") ||
        same_name(name, "connection") || same_name(name, "keep-alive")) {
      continue;
    }
    script.headers.push_back({name, value});
  }
  script.pieces.assign(exchange.chunks.begin(), exchange.chunks.end());
  script.end = exchange.end;
  script.pauses = exchange.pauses;
  script.frames = exchange.frames;
  return script;
}

}  // namespace splitproof::testee
