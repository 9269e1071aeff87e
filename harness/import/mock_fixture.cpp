#include <string_view>

#include "harness/import/collector.hpp"
#include "harness/import/readers.hpp"
#include "harness/recording/stream_lines.hpp"

namespace splitproof::imports {

bool is_mock_fixture(const ImportSource& source) {
  constexpr std::size_t kLooked = 4096;
  const std::string_view begin = std::string_view(source.bytes).substr(0, kLooked);
  return recording::without_head(begin).starts_with('{') && begin.find("\"fixtures\"") != begin.npos &&
         begin.find("\"match\"") != begin.npos && begin.find("\"response\"") != begin.npos;
}

Result<ImportedFile> read_mock_fixture(const ImportSource& source) {
  return refuse(source, "is a fixture of aimock: it has the text of an answer and delays, but no stream",
                "start aimock with it, and capture its stream: curl --trace-time --trace FILE -sN URL");
}

}  // namespace splitproof::imports
