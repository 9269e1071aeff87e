#include "harness/campaign/normal_form.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "harness/aws_document.hpp"
#include "harness/line_end.hpp"
#include "harness/observe/framing.hpp"

namespace splitproof::campaign {
namespace {

// A scalar in a JSON text, and its place.
struct Scalar {
  std::string pointer;  // "/a/*/b"
  std::size_t begin = 0;
  std::size_t end = 0;  // including the quotes of a string
};

// Walks one JSON text and returns its scalars with their pointers. Stops at malformed JSON.
class Scalars {
 public:
  explicit Scalars(std::string_view text) : text_(text) {}

  std::optional<Scalar> next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '{' || c == '[') {
        levels_.push_back({c == '[', path_.size()});
        if (c == '[') path_ += "/*";
        expects_key_ = c == '{';
        ++at_;
      } else if (c == '}' || c == ']') {
        if (levels_.empty()) return std::nullopt;
        path_.resize(levels_.back().path);
        levels_.pop_back();
        ++at_;
      } else if (c == ',') {
        expects_key_ = !levels_.empty() && !levels_.back().array;
        ++at_;
      } else if (c == '"' && expects_key_) {
        const std::size_t begin = at_;
        skip_string();
        path_.resize(levels_.back().path);
        path_.append("/").append(text_.substr(begin + 1, at_ - begin - 2));
        expects_key_ = false;
      } else if (c == ':' || c == ' ' || c == '\t') {
        ++at_;
      } else {
        const std::size_t begin = at_;
        if (c == '"') {
          skip_string();
        } else {
          at_ = std::min(text_.find_first_of(",]} \t", at_), text_.size());
        }
        return Scalar{path_, begin, at_};
      }
    }
    return std::nullopt;
  }

 private:
  struct Level {
    bool array;
    std::size_t path;  // length of the path to it
  };

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string path_;
  std::vector<Level> levels_;
  bool expects_key_ = false;
};

bool among(const std::vector<std::string_view>& pointers, const std::string& pointer) {
  return std::find(pointers.begin(), pointers.end(), pointer) != pointers.end();
}

struct FrameLine {
  std::size_t begin;  // in the body
  std::string_view text;
  std::string_view end;  // CRLF, LF, CR, or empty at the body's end
};

class Normaliser {
 public:
  Normaliser(const dialect::ChosenFields& chosen, KeepAlives keep_alives)
      : chosen_(chosen), keep_alives_(keep_alives) {}

  NormalForm read(std::string_view body) && {
    if (begins_with_aws_frame(body)) {
      observe::for_each_frame(body, Framing::aws_frames, [this](const observe::SseEvent& frame) {
        add(frame);
        return true;
      });
      return std::move(form_);
    }
    std::vector<FrameLine> block;
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t stop = find_line_end(body, at);
      std::size_t next = std::min(stop + 1, body.size());
      if (body.substr(stop, 2) == "\r\n") next = stop + 2;
      block.push_back({at, body.substr(at, stop - at), body.substr(stop, next - stop)});
      if (stop == at) {
        add(block);
        block.clear();
      }
      at = next;
    }
    add(block);
    return std::move(form_);
  }

 private:
  // Adds a frame of an AWS event stream as an event with the frame's document. The checksums depend on the content.
  void add(const observe::SseEvent& frame) {
    form_.lines.emplace_back(form_.bytes.size(), frame.begin);
    add("data:" + (frame.broken.empty() ? aws_document(frame.headers, frame.data) : frame.broken));
    form_.bytes += "\n\n";
  }

  // Adds a block of lines with the blank line that ends it.
  void add(const std::vector<FrameLine>& block) {
    if (keep_alives_ == KeepAlives::left_out) {
      const auto is_comment = [](const FrameLine& line) { return line.text.starts_with(":"); };
      const bool comments = std::any_of(block.begin(), block.end(), is_comment);
      const bool others = std::any_of(block.begin(), block.end(), [&](const FrameLine& line) {
        return !line.text.empty() && !is_comment(line);
      });
      if ((comments && !others) || is_ping(block)) return;
    }
    for (const FrameLine& line : block) {
      if (keep_alives_ == KeepAlives::left_out && line.text.starts_with(":")) continue;
      form_.lines.emplace_back(form_.bytes.size(), line.begin);
      add(line.text);
      form_.bytes += line.end;
    }
  }

  static bool is_ping(const std::vector<FrameLine>& block) {
    return std::any_of(block.begin(), block.end(), [](const FrameLine& line) {
      return line.text == "event: ping" || line.text == "event:ping";
    });
  }

  void add(std::string_view line) {
    constexpr std::string_view kData = "data:";
    if (!line.starts_with(kData)) {
      form_.bytes += line;
      return;
    }
    const std::string_view text = line.substr(kData.size());
    form_.bytes += kData;
    Scalars scalars(text);
    std::size_t copied = 0;
    while (const auto scalar = scalars.next()) {
      const std::string_view value = text.substr(scalar->begin, scalar->end - scalar->begin);
      const bool is_string = value.starts_with("\"");
      const bool is_id = is_string && among(chosen_.ids, scalar->pointer);
      const bool is_time = !is_string && value != "null" && among(chosen_.times, scalar->pointer);
      if (!is_id && !is_time) continue;
      form_.bytes += text.substr(copied, scalar->begin - copied);
      form_.bytes += is_id ? name_of(value) : number_of(value);
      copied = scalar->end;
    }
    form_.bytes += text.substr(copied);
  }

  std::string name_of(std::string_view id) {
    if (id == "\"\"") return std::string(id);  // an empty id is kept
    const auto [known, is_new] = names_.try_emplace(std::string(id), names_.size() + 1);
    if (is_new) form_.ids.emplace_back(id);
    return "\"id-" + std::to_string(known->second) + "\"";
  }

  std::string number_of(std::string_view time) {
    return std::to_string(numbers_.try_emplace(std::string(time), numbers_.size() + 1).first->second);
  }

  const dialect::ChosenFields& chosen_;
  const KeepAlives keep_alives_;
  NormalForm form_;
  std::map<std::string, std::size_t> names_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

std::size_t NormalForm::original(std::size_t at) const {
  const auto after =
      std::upper_bound(lines.begin(), lines.end(), at,
                       [](std::size_t offset, const auto& line) { return offset < line.first; });
  return after == lines.begin() ? 0 : std::prev(after)->second;
}

NormalForm normal_form(std::string_view body, const dialect::ChosenFields& chosen, KeepAlives keep_alives) {
  return Normaliser(chosen, keep_alives).read(body);
}

}  // namespace splitproof::campaign
