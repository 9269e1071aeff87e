#include "harness/observe/open_prose.hpp"

#include <string>
#include <utility>

namespace splitproof::observe {

void OpenProse::add(PartKind kind, std::string_view piece, Answer& answer) {
  change_to(kind, answer);
  const std::string said = surrogates_.join(piece);
  if (!said.empty()) place(answer).text += said;
}

Part& OpenProse::begin(PartKind kind, Answer& answer) {
  change_to(kind, answer);
  return place(answer);
}

void OpenProse::end(Answer& answer) {
  if (!kind_) return;
  const std::string rest = surrogates_.close();
  if (!rest.empty()) place(answer).text += rest;
  *this = {};
}

void OpenProse::change_to(PartKind kind, Answer& answer) {
  if (kind_ == kind) return;
  end(answer);
  kind_ = kind;
}

Part& OpenProse::place(Answer& answer) {
  if (!std::exchange(placed_, true)) answer.parts.emplace_back().kind = *kind_;
  return answer.parts.back();
}

}  // namespace splitproof::observe
