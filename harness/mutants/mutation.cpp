#include "harness/mutants/mutation.hpp"

#include "harness/utf8.hpp"

namespace splitproof::mutants {
namespace {

thread_local Mutation* active = nullptr;

}  // namespace

Switched::Switched(Mutation& mutation) { active = &mutation; }

Switched::~Switched() { active = nullptr; }

bool on(int number) { return active != nullptr && active->number == number; }

Memory& memory() { return active->memory; }

std::string decoded_alone(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Step step = utf8_step(bytes.substr(at));
    text += step.kind == Utf8Step::Kind::well_formed ? bytes.substr(at, step.length) : "\xEF\xBF\xBD";
    at += step.length;
  }
  return text;
}

}  // namespace splitproof::mutants
