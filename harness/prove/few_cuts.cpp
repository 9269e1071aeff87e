#include "harness/prove/few_cuts.hpp"

#include <memory>
#include <string>

namespace splitproof::prove {
namespace {

using split::Cuts;
using testee::CopyableStream;

// A search over the cuts, which copies states.
class CutSearch {
 public:
  CutSearch(std::string_view body, recording::End end, std::uint64_t& feeds)
      : body_(body), end_(end), feeds_(feeds) {}

  // Feeds the rest of the body in one piece, and compares the output with the expected one. The first one is expected.
  bool is_expected(CopyableStream& stream, std::string out) {
    stream.feed(body_.substr(at()), out);
    ++feeds_;
    stream.finish(end_, out);
    out += '\0' + stream.failure();
    if (!expected_) expected_ = out;
    return out == *expected_;
  }

  // Tries all splits with the cuts so far and at most `more` later ones.
  bool all_expected(const CopyableStream& stream, const std::string& out, std::size_t more) {
    const std::unique_ptr<CopyableStream> rest = stream.copy();
    if (!is_expected(*rest, out)) return false;
    if (more == 0) return true;
    const std::size_t begin = at();
    for (std::size_t cut = begin + 1; cut < body_.size(); ++cut) {
      const std::unique_ptr<CopyableStream> next = stream.copy();
      std::string said = out;
      next->feed(body_.substr(begin, cut - begin), said);
      ++feeds_;
      cuts.push_back(cut);
      if (!all_expected(*next, said, more - 1)) return false;
      cuts.pop_back();
    }
    return true;
  }

  Cuts cuts;  // so far

 private:
  std::size_t at() const { return cuts.empty() ? 0 : cuts.back(); }

  const std::string_view body_;
  const recording::End end_;
  std::uint64_t& feeds_;
  std::optional<std::string> expected_;
};

// Changes `cuts` to the next split with at most `most` cuts. Returns false after the last.
bool next_cuts(Cuts& cuts, std::size_t size, std::size_t most) {
  const std::size_t last = cuts.empty() ? 0 : cuts.back();
  if (cuts.size() < most && last + 1 < size) {
    cuts.push_back(last + 1);
    return true;
  }
  while (!cuts.empty() && cuts.back() + 1 >= size) cuts.pop_back();
  if (cuts.empty()) return false;
  ++cuts.back();
  return true;
}

}  // namespace

std::optional<Cuts> first_different_cuts(CopyableStream& stream, std::string_view body, recording::End end,
                                         std::size_t most, std::uint64_t& feeds) {
  CutSearch search(body, end, feeds);
  if (search.all_expected(stream, stream.opening(), most)) return std::nullopt;
  return search.cuts;
}

std::optional<Cuts> first_different_cuts(const RunSplit& run, std::size_t size, std::size_t most,
                                         std::uint64_t& feeds) {
  const Outcome expected = run({});
  for (Cuts cuts; next_cuts(cuts, size, most);) {
    feeds += cuts.size() + 1;
    if (run(cuts) != expected) return cuts;
  }
  return std::nullopt;
}

}  // namespace splitproof::prove
