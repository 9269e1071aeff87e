#include "proxy/turn/json_progress.hpp"

namespace splitproof::turn {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Returns a number's state after `c`. A state is its last character: sign, leading zero, digit, point, fraction,
// exponent, exponent sign or digit.
char after(char state, char c) {
  switch (state) {
    case '-':
      return c == '0' ? '0' : is_digit(c) ? 'd' : '\0';
    case 'd':
      if (is_digit(c)) return 'd';
      [[fallthrough]];
    case '0':
      return c == '.' ? '.' : c == 'e' || c == 'E' ? 'e' : '\0';
    case '.':
      return is_digit(c) ? 'f' : '\0';
    case 'f':
      return is_digit(c) ? 'f' : c == 'e' || c == 'E' ? 'e' : '\0';
    case 'e':
      if (c == '+' || c == '-') return '+';
      [[fallthrough]];
    default:
      return is_digit(c) ? 'x' : '\0';
  }
}

bool may_end(char state) { return state == '0' || state == 'd' || state == 'f' || state == 'x'; }

}  // namespace

void JsonProgress::take(char c) {
  switch (place_) {
    case Place::lost:
      return;
    case Place::string:
      if (c == '"') {
        if (key_) {
          place_ = Place::colon;
        } else {
          end_value();
        }
      } else if (c == '\\') {
        place_ = Place::escape;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        place_ = Place::lost;
      }
      return;
    case Place::escape:
      hex_digits_ = 4;
      place_ = c == 'u'                                                           ? Place::hex
               : std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos ? Place::string
                                                                                  : Place::lost;
      return;
    case Place::hex:
      if (!is_hex(c)) {
        place_ = Place::lost;
      } else if (--hex_digits_ == 0) {
        place_ = Place::string;
      }
      return;
    case Place::word:
      if (c != rest_.front()) {
        place_ = Place::lost;
        return;
      }
      rest_.erase(0, 1);
      if (rest_.empty()) end_value();
      return;
    case Place::number:
      take_number(c);
      return;
    default:
      if (kBlanks.find(c) == std::string_view::npos) move_on(c);
  }
}

void JsonProgress::take_number(char c) {
  const char next = after(rest_.front(), c);
  if (next != '\0') {
    rest_ = next;
  } else if (may_end(rest_.front())) {
    rest_.clear();
    end_value();
    take(c);
  } else {
    place_ = Place::lost;
  }
}

// Handles a token outside of strings, words and numbers.
void JsonProgress::move_on(char c) {
  switch (place_) {
    case Place::first_element:
    case Place::value:
      if (place_ == Place::first_element && c == ']') {
        end_container(c);
      } else {
        begin_value(c);
      }
      return;
    case Place::first_key:
    case Place::key:
      if (c == '"') {
        key_ = true;
        place_ = Place::string;
      } else if (place_ == Place::first_key && c == '}') {
        end_container(c);
      } else {
        place_ = Place::lost;
      }
      return;
    case Place::colon:
      place_ = c == ':' ? Place::value : Place::lost;
      return;
    default:  // after a value
      if (c == ',' && !inside_.empty()) {
        place_ = inside_.back() == '{' ? Place::key : Place::value;
      } else {
        end_container(c);
      }
  }
}

void JsonProgress::begin_value(char c) {
  if (c == '{' || c == '[') {
    inside_ += c;
    place_ = c == '{' ? Place::first_key : Place::first_element;
  } else if (c == '"') {
    key_ = false;
    place_ = Place::string;
  } else if (c == 'n' || c == 't' || c == 'f') {
    rest_ = c == 'n' ? "ull" : c == 't' ? "rue" : "alse";
    place_ = Place::word;
  } else if (c == '-' || is_digit(c)) {
    rest_ = is_digit(c) && c != '0' ? 'd' : c;
    place_ = Place::number;
  } else {
    place_ = Place::lost;
  }
}

void JsonProgress::end_container(char c) {
  const char open = c == '}' ? '{' : c == ']' ? '[' : '\0';
  if (inside_.empty() || inside_.back() != open) {
    place_ = Place::lost;
    return;
  }
  inside_.pop_back();
  end_value();
}

}  // namespace splitproof::turn
