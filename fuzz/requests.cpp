// Feeds any bytes to the proxy's readers of requests, whole and with two cuts. The results are the same requests, or
// the same fault. Accepted requests are valid HTTP, and bytes after a request remain for the next.
//
// Bytes 0-3 choose the cuts, the rest is the input.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/input.hpp"
#include "proxy/server/body_reader.hpp"
#include "proxy/server/request_head.hpp"

using namespace splitproof;

namespace {

constexpr std::size_t kMost = 512;  // size of a body in bytes

// Returns the result: a line for each request, and the fault that ended them.
std::string understood(const std::vector<std::string_view>& pieces) {
  std::string said;
  server::RequestHeadReader heads;
  server::RequestHead head;
  std::optional<server::BodyReader> bodies;
  std::string body;
  for (const std::string_view piece : pieces) {
    fuzz::with_exact_copy(piece, [&](std::string_view bytes) {
      while (!bytes.empty() && !said.ends_with("fault\n")) {
        if (!bodies) {
          auto read = heads.take(bytes);
          if (!read) continue;
          if (!*read) {
            said += std::to_string(read->error().status) + " fault\n";
            return;
          }
          head = std::move(**read);
          for (const auto& [name, value] : head.fields) {
            if (!server::is_field(name + ":" + value)) std::abort();
          }
          if (head.path.empty() || (head.chunked && head.length)) std::abort();
          bodies.emplace(head, kMost);
        }
        using State = server::BodyReader::State;
        const State state = bodies->take(bytes, body);
        if (body.size() > kMost) std::abort();
        if (state == State::more) continue;
        said += head.method + " " + head.path + " " + body + (state == State::whole ? "\n" : " fault\n");
        bodies.reset();
        body.clear();
      }
    });
  }
  return said;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const fuzz::CutInput input = fuzz::cut_input(data, size);
  const std::string whole = understood({input.body});
  const std::string cut = understood(input.pieces());
  if (whole == cut) return 0;
  std::fprintf(stderr, "whole:\n%s\ncut:\n%s\n", whole.c_str(), cut.c_str());
  std::abort();
}
