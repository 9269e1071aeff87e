#include <algorithm>
#include <set>

#include "harness/recording/quoted_text.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::recording {
namespace {

constexpr const char* kPrefixedLog = "a log with a prefix before each line";
constexpr const char* kQuotedStrings = "quoted strings that a program printed";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

// Returns the end of the number at `at`: digits, with the separators of times and versions.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (at < text.size() &&
         (is_digit(text[at]) || std::string_view(".,:+-").find(text[at]) != std::string_view::npos))
    if (is_digit(text[at++])) end = at;
  return end;
}

std::size_t end_of_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

// Returns the form of a log prefix: every number is 0, every run of blanks is one blank.
std::string form_of(std::string_view text) {
  std::string form;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at])) {
      form += '0';
      at = end_of_number(text, at);
    } else if (is_space(text[at])) {
      form += ' ';
      at = end_of_spaces(text, at);
    } else {
      form += text[at++];
    }
  }
  return form;
}

// Returns the length of the prefix of `line` with this form, or nullopt. Blanks at the end of a line may be
// missing.
std::optional<std::size_t> match_form(std::string_view line, std::string_view form) {
  std::size_t at = 0;
  for (const char& c : form) {
    if (at == line.size() && c == ' ' && &c == &form.back()) return at;
    if (at == line.size()) return std::nullopt;
    const bool number = c == '0' && is_digit(line[at]);
    const bool blank = c == ' ' && is_space(line[at]);
    if (!number && !blank && (c == '0' || c == ' ' || line[at] != c)) return std::nullopt;
    at = number ? end_of_number(line, at) : blank ? end_of_spaces(line, at) : at + 1;
  }
  return at;
}

// Returns the possible prefixes before a stream's lines among the first lines of a log, the shortest first.
std::vector<std::string> prefix_forms(const CapturedFile& file) {
  constexpr std::size_t kLooked = 8;
  std::set<std::pair<std::size_t, std::string>> forms;
  for (std::size_t i = 0; i < std::min(kLooked, file.lines.size()); ++i) {
    const std::string_view line = file.lines[i];
    for (const std::string_view field : {"event:", "data:", "id:", "retry:"}) {
      for (std::size_t at = line.find(field); at != std::string_view::npos; at = line.find(field, at + 1)) {
        if (at == 0 || std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0 || line[at - 1] == '_')
          continue;
        std::string form = form_of(line.substr(0, at));
        forms.emplace(form.size(), std::move(form));
      }
    }
  }
  std::vector<std::string> all;
  for (const auto& [size, form] : forms) all.push_back(form);
  return all;
}

// True if numbers in the prefixes of a log, such as times, never grow and sometimes fall. Compares prefixes as text, so
// all must have one length.
bool is_newest_first(const std::vector<std::string_view>& prefixes) {
  bool falls = false;
  for (std::size_t i = 1; i < prefixes.size(); ++i) {
    if (prefixes[i].size() != prefixes[0].size() || prefixes[i] > prefixes[i - 1]) return false;
    falls = falls || prefixes[i] < prefixes[i - 1];
  }
  return falls;
}

// True if the values of the stream's fields are lines of a stream: then its prefix is longer.
bool is_nested(std::string_view stream) {
  const std::vector<std::string_view> lines = lines_of(stream);
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    if (!has_data(line)) return is_blank(line);
    line.remove_prefix(std::min(line.find_first_not_of(' ', 5), line.size()));
    return is_field(line) || is_blank(line);
  });
}

// Extracts the stream from texts that each fill a line. `foreign` is the number of the first other line, or
// 0.
Found of_log(const CapturedFile& file, std::string stream, std::size_t foreign, const std::string& wrapper) {
  stream = without_head(stream);
  if (!is_stream(stream) || is_nested(stream)) return std::nullopt;
  if (foreign == 0) return file.take_text(std::move(stream), wrapper);
  return file.refuse("is " + wrapper + ", and has other lines between those of the stream", kCaptureRawBody,
                     foreign);
}

struct Literal {
  std::string prefix;  // form of the text before its opening quote
  std::string suffix;  // form of the text after the closing quote
};

// Returns the first string in a line that is part of a stream.
std::optional<Literal> literal_in(std::string_view line) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    const auto quoted = read_quoted(line, at);
    if (!quoted || !is_field(without_head(quoted->text))) continue;
    return Literal{form_of(line.substr(0, at)), form_of(line.substr(quoted->end))};
  }
  return std::nullopt;
}

// A part of Markdown that may be a stream.
struct Block {
  std::vector<std::string_view> lines;
  std::size_t number = 0;  // of its first line
};

// A fence: three or more equal characters, perhaps indented.
struct Fence {
  char mark = '\0';
  std::size_t length = 0;
  std::size_t indent = 0;
  bool can_close = false;
};

std::optional<Fence> fence_in(std::string_view line) {
  const std::size_t indent = end_of_spaces(line, 0);
  const std::string_view rest = line.substr(indent);
  for (const char mark : {'`', '~'}) {
    const std::size_t length = std::min(rest.find_first_not_of(mark), rest.size());
    if (length >= 3) return Fence{mark, length, indent, is_blank(rest.substr(length))};
  }
  return std::nullopt;
}

std::string_view dedent(std::string_view line, std::size_t indent) {
  return line.substr(std::min({indent, end_of_spaces(line, 0), line.size()}));
}

struct Fences {
  std::vector<Block> blocks;
  bool any = false;
  bool is_open = false;  // the last one has no end
};

Fences read_fences(const std::vector<std::string_view>& lines) {
  Fences found;
  std::optional<Fence> open;
  Block block;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto fence = fence_in(lines[i]);
    if (!open && fence) {
      open = fence;
      block = {{}, i + 2};
    } else if (open && fence && fence->can_close && fence->mark == open->mark &&
               fence->length >= open->length) {
      found.blocks.push_back(block);
      open.reset();
    } else if (open) {
      block.lines.push_back(dedent(lines[i], open->indent));
    }
  }
  if (open) found.blocks.push_back(block);
  found.is_open = open.has_value();
  found.any = !found.blocks.empty();
  return found;
}

// Returns the runs of lines that `is_part` accepts.
template <class IsPart>
std::vector<Block> runs_of(const std::vector<std::string_view>& lines, const IsPart& is_part) {
  std::vector<Block> blocks;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool part = is_part(i);
    if (part && !inside) blocks.push_back({{}, i + 1});
    if (part) blocks.back().lines.push_back(lines[i]);
    inside = part;
  }
  return blocks;
}

std::vector<Block> indented_blocks(const std::vector<std::string_view>& lines) {
  const auto is_indented = [](std::string_view line) {
    return line.starts_with("    ") || line.starts_with('\t');
  };
  std::vector<Block> blocks =
      runs_of(lines, [&](std::size_t i) { return is_indented(lines[i]) || is_blank(lines[i]); });
  for (Block& block : blocks) {
    std::size_t indent = std::string_view::npos;
    for (const std::string_view line : block.lines)
      if (!is_blank(line)) indent = std::min(indent, end_of_spaces(line, 0));
    for (std::string_view& line : block.lines) line = dedent(line, indent);
  }
  return blocks;
}

// Returns the number of a block's first line that belongs to no stream.
std::size_t foreign_line(const Block& block) {
  const auto found = std::find_if(block.lines.begin(), block.lines.end(),
                                  [](std::string_view line) { return !line.empty() && !is_field(line); });
  return block.number + static_cast<std::size_t>(found - block.lines.begin());
}

Result<Capture> of_blocks(const CapturedFile& file, std::vector<Block> blocks, const std::string& wrapper) {
  std::erase_if(blocks, [](const Block& block) {
    return std::none_of(block.lines.begin(), block.lines.end(),
                        [](std::string_view line) { return has_data(line) || line.starts_with("event:"); });
  });
  if (blocks.empty()) return file.refuse("is a text with no event stream between fences", kSaveStreamAlone);
  if (blocks.size() > 1) {
    return file.refuse("is a text with several event streams, in lines " + std::to_string(blocks[0].number) +
                           " and " + std::to_string(blocks[1].number),
                       "save one stream as a file of its own", blocks[0].number);
  }
  const std::string text(without_head(joined(blocks[0].lines)));
  if (is_stream(text)) return file.take_text(text, wrapper);
  const CapturedFile inner(file.name, text);
  for (const auto kind : {http_response, curl_log, command_output})
    if (auto found = kind(inner)) return *std::move(found);
  return file.refuse("is " + wrapper + " with other lines between those of the stream", kSaveStreamAlone,
                     foreign_line(blocks[0]));
}

}  // namespace

Found markdown(const CapturedFile& file) {
  std::vector<std::string_view> lines = file.lines;
  std::vector<bool> quoted(lines.size(), false);
  bool quotes_stream = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with('>')) continue;
    quoted[i] = true;
    lines[i].remove_prefix(lines[i].starts_with("> ") ? 2 : 1);
    quotes_stream = quotes_stream || has_data(lines[i]) || fence_in(lines[i]);
  }
  if (!quotes_stream) lines = file.lines;
  const Fences fences = read_fences(lines);
  if (fences.is_open)
    return file.refuse("is a text that breaks off in a fence: the capture is cut",
                       "save the whole stream as a file of its own", fences.blocks.back().number);
  if (fences.any) return of_blocks(file, fences.blocks, "a fence in Markdown");
  if (quotes_stream)
    return of_blocks(file, runs_of(lines, [&](std::size_t i) { return quoted[i]; }), "a quote in Markdown");
  std::vector<Block> blocks = indented_blocks(lines);
  const bool has_prose = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return !is_blank(line) && !is_space(line.front()) && !is_field(line);
  });
  const bool has_stream = std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
    return is_stream(without_head(joined(block.lines)));
  });
  if (!has_prose || !has_stream) return std::nullopt;
  return of_blocks(file, std::move(blocks), "an indented block in Markdown");
}

Found prefixed_lines(const CapturedFile& file) {
  Found mixed;
  for (const std::string& form : prefix_forms(file)) {
    std::vector<std::string_view> rest;
    std::vector<std::string_view> prefixes;
    std::size_t alike = 0;
    std::size_t foreign = 0;
    std::size_t bare = 0;  // lines of a stream without the prefix
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto length = match_form(file.lines[i], form);
      alike += length && !is_blank(file.lines[i]) ? 1 : 0;
      bare += !length && has_data(file.lines[i]) ? 1 : 0;
      if (length && !is_blank(file.lines[i])) prefixes.push_back(file.lines[i].substr(0, *length));
      if (length || is_blank(file.lines[i]))
        rest.push_back(file.lines[i].substr(length.value_or(file.lines[i].size())));
      else if (foreign == 0)
        foreign = i + 1;
    }
    if (alike < 2 || alike <= bare) continue;  // one line does not prove a prefix
    std::string stream = joined(rest);
    if (!file.text.ends_with('\n') && !stream.empty()) stream.pop_back();
    Found found = of_log(file, std::move(stream), foreign, kPrefixedLog);
    if (found && is_newest_first(prefixes))
      return file.refuse("is a log with its newest line first", "reverse its lines: tac " + file.name);
    if (const std::size_t line = foreign == 0 ? shortened_line(rest, file.lines) : 0; found && line > 0) {
      return file.refuse("is a log that shortens long lines", kCaptureRawBody, line);
    }
    if (found && foreign == 0) return found;
    if (found && !mixed) mixed = std::move(found);
  }
  return mixed;
}

Found quoted_strings(const CapturedFile& file) {
  if (const auto all = read_quoted_list(file.text)) {
    std::string stream(without_head(joined_chunks(*all)));
    if (is_stream(stream)) return file.take_text(std::move(stream), kQuotedStrings);
  }
  const auto literal = literal_in(file.first);
  if (!literal) return std::nullopt;
  std::vector<std::string> chunks;
  std::size_t foreign = 0;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view line = file.lines[i];
    if (is_blank(line)) continue;
    const auto length = match_form(line, literal->prefix);
    auto quoted = length ? read_quoted(line, *length) : std::nullopt;  // of either quote
    if (quoted && form_of(line.substr(quoted->end)) == literal->suffix)
      chunks.push_back(std::move(quoted->text));
    else if (foreign == 0)
      foreign = i + 1;
  }
  const bool is_cut = foreign == file.lines.size() && !file.text.ends_with('\n') && !chunks.empty();
  if (is_cut) {
    return file.refuse(
        std::string("is ") + kQuotedStrings + ", and its last line breaks off: the capture is cut",
        kCaptureRawBody, foreign);
  }
  if (chunks.size() < 2) return std::nullopt;  // one string does not prove a log
  return of_log(file, joined_chunks(chunks), foreign, kQuotedStrings);
}

Found escaped_line(const CapturedFile& file) {
  const std::size_t lines = static_cast<std::size_t>(std::count_if(
      file.lines.begin(), file.lines.end(), [](std::string_view line) { return !is_blank(line); }));
  const bool escapes_quotes = file.first.find("data: {\\\"") != std::string_view::npos ||
                              file.first.find("data:{\\\"") != std::string_view::npos;
  if (lines != 1 || (!escapes_quotes && file.first.find("\\n") == std::string_view::npos))
    return std::nullopt;
  std::string_view line = file.first;
  while (line.ends_with(' ')) line.remove_suffix(1);
  // The text may end inside an escape.
  auto stream = unescaped(line);
  for (std::size_t lost = 1; !stream && lost < 12 && lost < line.size(); ++lost)
    stream = unescaped(line.substr(0, line.size() - lost));
  if (!stream || !is_stream(*stream)) return std::nullopt;
  // Data that is complete JSON only with its escapes is not an escaped text.
  const std::string_view head = std::string_view(*stream).substr(0, stream->find('\n'));
  if (!escapes_quotes && has_data(head) && !ends_in_whole_line(head)) return std::nullopt;
  if (!stream->ends_with('\n') && !ends_in_whole_line(*stream))
    return file.refuse("is a text with escapes that breaks off inside an event: the capture is cut",
                       kCaptureRawBody);
  return file.take_text(*std::move(stream), "a text with escapes");
}

}  // namespace splitproof::recording
