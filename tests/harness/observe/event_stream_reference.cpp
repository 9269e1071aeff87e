#include "tests/harness/observe/event_stream_reference.hpp"

namespace splitproof::observe {

std::string decode_as_whatwg(std::string_view bytes) {
  std::string out;
  std::string pending;
  int needed = 0;
  int lower = 0x80;
  int upper = 0xBF;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int byte = static_cast<unsigned char>(bytes[i]);
    if (needed == 0) {
      if (byte <= 0x7F) {
        out += bytes[i];
      } else if (byte >= 0xC2 && byte <= 0xF4) {
        needed = byte <= 0xDF ? 1 : byte <= 0xEF ? 2 : 3;
        if (byte == 0xE0) lower = 0xA0;
        if (byte == 0xED) upper = 0x9F;
        if (byte == 0xF0) lower = 0x90;
        if (byte == 0xF4) upper = 0x8F;
        pending = bytes[i];
      } else {
        out += "\uFFFD";
      }
      continue;
    }
    const bool fits = byte >= lower && byte <= upper;
    lower = 0x80;
    upper = 0xBF;
    if (!fits) {
      needed = 0;
      out += "\uFFFD";
      --i;  // the byte is read again as a start
      continue;
    }
    pending += bytes[i];
    if (--needed == 0) out += pending;
  }
  if (needed != 0) out += "\uFFFD";
  return out;
}

std::vector<PlainEvent> interpret_event_stream(std::string_view body) {
  std::string text = decode_as_whatwg(body);
  if (text.rfind("\uFEFF", 0) == 0) text.erase(0, 3);
  std::vector<std::string> lines;
  std::string current;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' && text[i] != '\n') {
      current += text[i];
      continue;
    }
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
    lines.push_back(current);
    current.clear();
  }
  std::vector<PlainEvent> events;
  std::string data, type, id;
  for (const std::string& line : lines) {
    if (line.empty()) {
      if (!data.empty()) {
        data.pop_back();
        events.push_back({type.empty() ? "message" : type, data, id});
      }
      data = type = "";
      continue;
    }
    if (line[0] == ':') continue;
    const std::size_t colon = line.find(':');
    const std::string field = line.substr(0, colon);
    std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
    if (!value.empty() && value[0] == ' ') value.erase(0, 1);
    if (field == "event") type = value;
    if (field == "data") data += value + "\n";
    if (field == "id" && value.find('\0') == std::string::npos) id = value;
  }
  return events;
}

}  // namespace splitproof::observe
