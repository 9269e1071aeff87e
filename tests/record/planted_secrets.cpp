#include "tests/record/planted_secrets.hpp"

#include <string_view>

namespace splitproof::record {
namespace {

// Returns `size` letters and digits.
std::string random_text(std::size_t size, std::string_view letters, unsigned seed) {
  std::string text;
  for (unsigned state = seed * 2654435761U + 12345; text.size() < size;
       state = state * 1664525U + 1013904223U)
    text += letters[(state >> 16) % letters.size()];
  return text;
}

}  // namespace

const std::vector<std::string>& planted_secrets() {
  static const std::vector<std::string> kAll = [] {
    constexpr std::string_view kAny = "abcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVW23456789";
    constexpr std::string_view kHex = "23456789abcdef";
    constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVW234567";
    unsigned seed = 0;
    const auto any = [&](std::size_t size) { return random_text(size, kAny, ++seed) + "7"; };
    const auto hex = [&](std::size_t size) { return random_text(size, kHex, ++seed); };
    const auto from = [](std::string_view beginning, const std::string& rest) {
      return std::string(beginning) + rest;
    };
    return std::vector<std::string>{
        from("sk"
             "-",
             any(47)),
        from("sk"
             "-proj-",
             any(60)),
        from("sk"
             "-ant-api03-",
             any(90)),
        from("sk"
             "-or-v1-",
             hex(64)),
        from("AI"
             "za",
             any(34)),
        from("A"
             "Q.",
             any(40)),
        from("ya"
             "29.",
             any(60)),
        from("GOC"
             "SPX-",
             any(28)),
        from("gh"
             "p_",
             any(35)),
        from("github"
             "_pat_",
             any(60)),
        from("gl"
             "pat-",
             any(20)),
        from("AK"
             "IA",
             random_text(16, kUpper, 5)),
        from("ey"
             "JhbGciOiJIUzI1NiJ9.ey"
             "J",
             any(30) + "." + any(42)),
        from("xo"
             "xb-",
             any(40)),
        from("h"
             "f_",
             any(33)),
        from("gs"
             "k_",
             any(51)),
        from("xa"
             "i-",
             any(79)),
        from("pp"
             "lx-",
             any(47)),
        from("r"
             "8_",
             any(36)),
        from("nv"
             "api-",
             any(63)),
        from("np"
             "m_",
             random_text(36, kAny, 9)),
        from("S"
             "G.",
             any(21) + "." + any(42)),
        from("sk"
             "_live_",
             any(23)),
        from("whs"
             "ec_",
             any(31)),
        from("dop"
             "_v1_",
             hex(64)),
        from("da"
             "pi",
             hex(32)),
    };
  }();
  return kAll;
}

}  // namespace splitproof::record
