#include "harness/shrink/pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "harness/observe/framing.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::shrink {
namespace {

using observe::WireJson;

constexpr std::string_view kBlanks = " \t\r\n";

/// Calls `take` for every value below `value`, with its parent, its index there and its path.
template <class Take>
void walk(const WireJson& value, const std::string& path, const Take& take) {
  for (std::size_t i = 0; i < value.children.size(); ++i) {
    const WireJson& child = value.children[i];
    const bool member = value.kind == WireJson::Kind::object;
    const std::string place = path + "/" + (member ? child.key : std::to_string(i));
    take(value, i, place);
    walk(child, place, take);
  }
}

std::size_t offset_of(std::string_view part, std::string_view body) {
  return static_cast<std::size_t>(part.data() - body.data());
}

/// Returns the bytes of a child with its key and one comma.
PieceRange child_range(const WireJson& parent, std::size_t number, std::string_view body) {
  const auto end_of = [&](const WireJson& value) { return offset_of(value.raw, body) + value.raw.size(); };
  const WireJson& child = parent.children[number];
  if (number > 0) return {end_of(parent.children[number - 1]), end_of(child)};
  const std::size_t begin = offset_of(parent.raw, body) + 1;
  if (parent.children.size() == 1) return {begin, end_of(parent) - 1};
  const std::size_t comma = body.find_first_not_of(kBlanks, end_of(child));
  return {begin, body.find_first_not_of(kBlanks, comma + 1)};
}

constexpr std::size_t kUnicode = 6;  // \u00e9
constexpr std::string_view kFirstHalves = "89abAB";
constexpr std::string_view kSecondHalves = "cdefCDEF";

bool is_unicode(std::string_view text) { return text.size() >= kUnicode && text.substr(0, 2) == "\\u"; }

/// True if the text begins with the escape of such a surrogate.
bool is_half(std::string_view text, std::string_view kinds) {
  return is_unicode(text) && (text[2] == 'd' || text[2] == 'D') && kinds.find(text[3]) != kinds.npos;
}

std::size_t escape_size(std::string_view text) {
  if (!is_unicode(text)) return 2;
  const bool pair = is_half(text, kFirstHalves) && is_half(text.substr(kUnicode), kSecondHalves);
  return pair ? 2 * kUnicode : kUnicode;
}

/// Returns the characters between the quotes of a JSON string.
std::vector<PieceRange> characters(std::string_view text) {
  std::vector<PieceRange> all;
  for (std::size_t at = 0; at < text.size(); at = all.back().end) {
    const std::string_view rest = text.substr(at);
    const std::size_t size = rest.front() == '\\' ? escape_size(rest) : utf8_step(rest).length;
    all.push_back({at, at + std::min(size, rest.size())});
  }
  return all;
}

}  // namespace

std::vector<Document> documents_of(std::string_view body, Framing framing) {
  std::vector<Document> documents;
  if (framing == Framing::aws_frames) return documents;
  observe::for_each_frame(body, framing, [&](const observe::SseEvent& event) {
    if (event.data_at.size() != 1) return true;
    const std::string_view text = body.substr(event.data_at.front(), event.data.size());
    if (text != event.data) return true;
    if (auto json = observe::parse_wire_json(text)) documents.push_back({text, *std::move(json)});
    return true;
  });
  return documents;
}

std::size_t count_events(std::string_view body, Framing framing) {
  return event_pieces(body, framing).size();
}

Pieces event_pieces(std::string_view body, Framing framing) {
  Pieces pieces;
  std::size_t begin = 0;
  observe::for_each_frame(body, framing, [&](const observe::SseEvent& event) {
    pieces.push_back({{begin, event.end}});
    begin = event.end;
    return true;
  });
  if (!pieces.empty()) pieces.back().back().end = body.size();
  return pieces;
}

Pieces line_pieces(std::string_view body, Framing framing) {
  Pieces pieces;
  if (framing_of(framing, body) != Framing::sse) return pieces;
  for (std::size_t begin = 0; begin < body.size();) {
    std::size_t end = std::min(body.find_first_of("\r\n", begin), body.size());
    const std::string_view line = body.substr(begin, end - begin);
    if (end < body.size()) end += body.substr(end, 2) == "\r\n" ? 2 : 1;
    if (!line.empty() && !line.starts_with("data")) pieces.push_back({{begin, end}});
    begin = end;
  }
  return pieces;
}

std::vector<Pieces> member_pieces(std::string_view body, Framing framing) {
  std::vector<Piece> alone;
  std::map<std::string, Piece> together;
  std::vector<std::string> paths;
  for (const Document& document : documents_of(body, framing)) {
    walk(document.json, "", [&](const WireJson& parent, std::size_t number, const std::string& path) {
      const PieceRange range = child_range(parent, number, body);
      alone.push_back({range});
      Piece& same = together[path];
      if (same.empty()) paths.push_back(path);
      // A key that occurs twice in one object counts once.
      if (same.empty() || same.back().end <= range.begin) same.push_back(range);
    });
  }
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  std::stable_sort(paths.begin(), paths.end(),
                   [&](const std::string& a, const std::string& b) { return depth(a) < depth(b); });
  std::vector<Pieces> sets;
  for (const std::string& path : paths)
    if (together[path].size() > 1) sets.push_back({together[path]});
  for (Piece& piece : alone) sets.push_back({std::move(piece)});
  return sets;
}

std::vector<Pieces> text_pieces(std::string_view body, Framing framing,
                                const std::function<bool(std::string_view)>& is_text) {
  std::map<std::string_view, std::vector<std::size_t>> places;  // offsets after the quote
  std::vector<std::string_view> texts;
  for (const Document& document : documents_of(body, framing)) {
    walk(document.json, "", [&](const WireJson& parent, std::size_t number, const std::string&) {
      const WireJson& value = parent.children[number];
      if (value.kind != WireJson::Kind::string || value.text.empty() || !is_text(value.text)) return;
      const std::string_view text = value.raw.substr(1, value.raw.size() - 2);
      std::vector<std::size_t>& found = places[text];
      if (found.empty()) texts.push_back(text);
      found.push_back(offset_of(text, body));
    });
  }
  const auto pieces_at = [](std::string_view text, const std::vector<std::size_t>& at) {
    Pieces pieces;
    for (const PieceRange& character : characters(text)) {
      Piece& piece = pieces.emplace_back();
      for (const std::size_t begin : at) piece.push_back({begin + character.begin, begin + character.end});
    }
    return pieces;
  };
  std::vector<Pieces> sets;
  for (const std::string_view text : texts) sets.push_back(pieces_at(text, places[text]));
  for (const std::string_view text : texts) {
    if (places[text].size() == 1) continue;
    for (const std::size_t at : places[text]) sets.push_back(pieces_at(text, {at}));
  }
  return sets;
}

std::vector<Pieces> halved_pieces(std::string_view body, Framing framing) {
  const Pieces events = event_pieces(body, framing);
  const auto with_its_event = [&](const PieceRange& half) {
    const auto around = std::find_if(events.begin(), events.end(), [&](const Piece& event) {
      return event.front().begin <= half.begin && half.end <= event.front().end;
    });
    return around == events.end() ? Pieces{{half}} : Pieces{{half}, *around};
  };
  std::vector<PieceRange> first_halves;
  std::vector<Pieces> sets;
  for (const Document& document : documents_of(body, framing)) {
    walk(document.json, "", [&](const WireJson& parent, std::size_t number, const std::string&) {
      const WireJson& value = parent.children[number];
      if (value.kind != WireJson::Kind::string || value.text.empty()) return;
      const std::string_view text = value.raw.substr(1, value.raw.size() - 2);
      const std::size_t at = offset_of(text, body);
      if (is_half(text, kSecondHalves)) {
        for (const PieceRange& first : first_halves)
          for (const Piece& a : with_its_event(first))
            for (const Piece& b : with_its_event({at, at + kUnicode}))
              if (a.front().end <= b.front().begin) sets.push_back({{a.front(), b.front()}});
      }
      const PieceRange last = characters(text).back();
      if (last.end - last.begin == kUnicode && is_half(text.substr(last.begin), kFirstHalves))
        first_halves.push_back({at + last.begin, at + last.end});
    });
  }
  return sets;
}

}  // namespace splitproof::shrink
