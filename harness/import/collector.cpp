#include "harness/import/collector.hpp"

#include <utility>

#include "harness/recording/wrappers.hpp"

namespace splitproof::imports {

StreamCollector::StreamCollector(const ImportSource& source, std::string format)
    : source_(source), format_(std::move(format)) {}

void StreamCollector::add(ImportedResponse response) {
  if (is_stream_of(source_.framing, response.body)) {
    found_.streams.push_back(std::move(response));
  } else {
    ++others_;
  }
}

void StreamCollector::leave(const std::string& place, const UnusableBody& body) {
  const std::string at = place.empty() ? "" : " in " + place;
  if (first_defect_.empty()) first_defect_ = "is " + format_ + " with " + body.what + at + ": " + body.reason;
  note(body.what + at + " (" + body.reason + ")");
}

Result<ImportedFile> StreamCollector::finish() && {
  if (found_.streams.empty()) {
    const std::string what =
        first_defect_.empty() ? "is " + format_ + " without the body of an event stream" : first_defect_;
    return refuse(source_, what, recording::kCaptureRawBody);
  }
  if (others_ > 0)
    note(std::to_string(others_) + (others_ == 1 ? " response that is" : " responses that are") +
         " not a stream");
  found_.wrapper = std::move(format_);
  if (found_.streams.size() == 1 && !found_.streams[0].place.empty())
    found_.wrapper += " (" + found_.streams[0].place + ")";
  found_.left = std::move(left_);
  return std::move(found_);
}

tl::unexpected<Error> refuse(const ImportSource& source, std::string what, std::string hint,
                             std::size_t line) {
  return tl::unexpected(Error{std::move(what), source.path, line, std::move(hint)});
}

}  // namespace splitproof::imports
