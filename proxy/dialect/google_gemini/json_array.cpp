#include "proxy/dialect/google_gemini/json_array.hpp"

#include <utility>

#include "proxy/wire/ascii.hpp"
#include "proxy/wire/empty.hpp"

namespace splitproof::proxy::dialect {

void JsonArrayFramer::feed(std::string_view bytes, std::vector<wire::Frame>& frames) {
  while (place_ != Place::over && !bytes.empty()) {
    if (place_ != Place::inside) {
      take_between(bytes.front(), frames);
      if (place_ != Place::inside) bytes.remove_prefix(1);
      continue;
    }
    const std::size_t size = take_inside(bytes);
    if (object_.size() + size > limit_) return give_up({{}, {}, true, true}, frames);
    object_ += bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (depth_ > 0) continue;
    frames.push_back(wire::Frame{{}, std::move(object_)});
    wire::empty(object_);
    place_ = Place::after_object;
  }
}

void JsonArrayFramer::finish(std::vector<wire::Frame>& frames) {
  if (place_ != Place::over && place_ != Place::end) {
    wire::Frame rest{{}, std::move(object_), false};
    rest.unclosed = true;
    frames.push_back(std::move(rest));
  }
  stop();
}

void JsonArrayFramer::stop() {
  *this = JsonArrayFramer(limit_);
  place_ = Place::over;
}

// Takes a character outside of the objects. The first of an object stays for `take_inside`.
void JsonArrayFramer::take_between(char c, std::vector<wire::Frame>& frames) {
  if (wire::is_blank(c)) return;
  if (c == '[' && place_ == Place::bracket) {
    place_ = Place::first;
  } else if (c == ']' && (place_ == Place::first || place_ == Place::after_object)) {
    place_ = Place::end;
  } else if (c == ',' && place_ == Place::after_object) {
    place_ = Place::object;
  } else if (c == '{' && (place_ == Place::first || place_ == Place::object)) {
    place_ = Place::inside;
  } else {
    give_up({{}, std::string(1, c)}, frames);
  }
}

// Returns the number of bytes that belong to the object. It ends where `depth_` falls to 0.
std::size_t JsonArrayFramer::take_inside(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (std::exchange(escaped_, false)) continue;
    if (in_string_) {
      at = bytes.find_first_of("\"\\", at);
      if (at == std::string_view::npos) break;
    }
    switch (bytes[at]) {
      case '"':
        in_string_ = !in_string_;
        break;
      case '\\':
        escaped_ = in_string_;
        break;
      case '{':
      case '[':
        ++depth_;
        break;
      case '}':
      case ']':
        if (--depth_ == 0) return at + 1;
        break;
      default:
        break;
    }
  }
  return bytes.size();
}

void JsonArrayFramer::give_up(const wire::Frame& frame, std::vector<wire::Frame>& frames) {
  stop();
  frames.push_back(frame);
}

}  // namespace splitproof::proxy::dialect
