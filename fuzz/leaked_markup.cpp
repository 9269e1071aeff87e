// Any cut of a text gives the calls and the text that the whole of it gives, and leaves the same state. No byte is read
// more often than is promised.
//
// The first four bytes choose two cuts.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fuzz/input.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/leaked_calls.hpp"

using namespace splitproof;

namespace {

constexpr std::uint64_t kReads = 45;  // of a byte

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "a cut changes " << what << "\n";
  std::abort();
}

struct Reading {
  text::LeakedCalls calls;
  std::vector<text::TextPiece> pieces;

  void feed(std::string_view piece, const text::Functions& functions) {
    std::vector<text::TextPiece> said;
    fuzz::with_exact_copy(piece, [&](std::string_view exact) { calls.feed(exact, functions, said); });
    take(said);
  }
  void finish(const text::Functions& functions) {
    std::vector<text::TextPiece> said;
    calls.finish(functions, said);
    take(said);
  }
  // Joins neighbouring texts.
  void take(const std::vector<text::TextPiece>& said) {
    for (const text::TextPiece& piece : said) {
      const auto* more = std::get_if<std::string>(&piece);
      auto* last = pieces.empty() ? nullptr : std::get_if<std::string>(&pieces.back());
      if (more != nullptr && last != nullptr)
        *last += *more;
      else
        pieces.push_back(piece);
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const text::Functions kFunctions(
      {{"f", R"({"properties":{"n":{"type":"integer"},"o":{"type":"object"}}})"},
       {"fetch", "{}"},
       {"ns:g", "{}"}});
  const fuzz::CutInput input = fuzz::cut_input(data, size);
  Reading whole;
  whole.feed(input.body, kFunctions);
  Reading cut;
  for (const std::string_view piece : input.pieces()) cut.feed(piece, kFunctions);
  require(whole.calls == cut.calls, "the state");
  require(whole.pieces == cut.pieces, "what is certain");
  whole.finish(kFunctions);
  cut.finish(kFunctions);
  require(whole.pieces == cut.pieces, "what is said");
  require(whole.calls.reads() <= kReads * (input.body.size() + 1), "nothing, but a byte is read too often");
  return 0;
}
