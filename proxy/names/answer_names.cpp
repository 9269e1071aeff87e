#include "proxy/names/answer_names.hpp"

#include <utility>
#include <variant>

#include "proxy/names/arguments.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::names {

using turn::Event;

void AnswerNames::accept(Event event, std::vector<Event>& events) {
  if (auto* piece = std::get_if<turn::CallPiece>(&event)) {
    Call& call = calls_[piece->call];
    call.rank = piece->rank;
    if (call.name.empty()) call.name = piece->name;
    piece->arguments = take(call, std::move(piece->arguments));
  } else if (std::holds_alternative<turn::Done>(event) || std::holds_alternative<turn::Failure>(event)) {
    finish(events);
  }
  events.push_back(std::move(event));
  // Bounds the memory of calls that wait. Another limit counts the calls that pass.
  if (waiting_ > most_) finish(events);
}

void AnswerNames::finish(std::vector<Event>& events) {
  for (auto& [number, call] : calls_) {
    if (std::string rest = release(call); !rest.empty())
      events.push_back(turn::CallPiece{number, call.rank, {}, {}, std::move(rest)});
  }
}

// Returns the arguments of a call that can leave now.
std::string AnswerNames::take(Call& call, std::string arguments) {
  if (call.passes) return arguments;
  call.progress.feed(arguments);
  call.held += arguments;
  waiting_ += arguments.size();
  if (call.name.empty()) return {};
  const MappedTool* tool = by_upstream_name(map_, call.name);
  if (tool == nullptr || !tool->changes_arguments() || call.progress.lost()) return release(call);
  if (!call.progress.complete()) return {};
  const std::string came = wire::whole(call.held);
  std::string told = told_arguments(*tool, Towards::client, came, depth_);
  const std::string held = release(call);
  return told == came ? held : told;
}

std::string AnswerNames::release(Call& call) {
  call.passes = true;
  waiting_ -= call.held.size();
  call.progress = {};
  return std::exchange(call.held, {});
}

}  // namespace splitproof::names
