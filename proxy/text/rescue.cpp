#include "proxy/text/rescue.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace splitproof::text {

using turn::Event;

void Rescue::accept(Event event, std::vector<Event>& events) {
  if (auto* prose = std::get_if<turn::Prose>(&event)) {
    if (prose->text.empty()) return;
    if (prose->kind == turn::BlockKind::text) return take(std::move(*prose), events);
    end_part(events);
  } else if (auto* piece = std::get_if<turn::CallPiece>(&event)) {
    if (piece->call >= made_) {
      end_part(events);
      made_ = piece->call + 1;
    }
    return once_.take(std::move(*piece), events);
  } else if (const auto* close = std::get_if<turn::Close>(&event)) {
    if (close->part == part_) end_part(events);
  } else if (std::holds_alternative<turn::Done>(event) || std::holds_alternative<turn::Failure>(event)) {
    finish(events);
  } else if (const auto* signature = std::get_if<turn::Signature>(&event)) {
    if (signature->ends) end_part(events);  // it may be a block by itself
  } else if (std::holds_alternative<turn::Sealed>(event)) {
    end_part(events);
  } else {
    events.push_back(std::move(event));  // it has no position in the content
    return;
  }
  once_.take(std::move(event), events);
}

void Rescue::finish(std::vector<Event>& events) {
  end_part(events);
  once_.finish(events);
}

void Rescue::take(turn::Prose prose, std::vector<Event>& events) {
  if (prose.part != part_) end_part(events);
  in_part_ = true;
  part_ = prose.part;
  read(false, pairs_.take(std::move(prose.text)), events);
}

void Rescue::end_part(std::vector<Event>& events) {
  if (!std::exchange(in_part_, false)) return;
  std::string text;
  pairs_.finish(text);
  read(true, std::move(text), events);
}

void Rescue::read(bool over, std::string text, std::vector<Event>& events) {
  std::vector<TextPiece> pieces;
  calls_.feed(std::move(text), functions_, pieces);
  if (over) calls_.finish(functions_, pieces);
  for (TextPiece& piece : pieces) {
    if (auto* said = std::get_if<std::string>(&piece))
      once_.take(Event(turn::Prose{turn::BlockKind::text, std::move(*said), part_}), events);
    else
      once_.take(std::get<WrittenCall>(std::move(piece)), events);
  }
}

}  // namespace splitproof::text
