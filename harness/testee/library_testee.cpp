#include "harness/testee/library_testee.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/testee/client_request.hpp"

namespace splitproof::testee {
namespace {

// What one exchange's library says.
struct Told {
  Observation seen;
  bool over = false;  // it has failed, or does not do this case

  void end(Ending ending, const char* why) {
    if (over) return;
    over = true;
    seen.ending = ending;
    seen.detail = why != nullptr ? why : "";
  }
};

Told& told(void* self) { return *static_cast<Told*>(self); }

void take_out(void* self, const char* bytes, std::size_t size) {
  if (!told(self).over) told(self).seen.body.append(bytes, size);
}

void take_error(void* self, const char* why) { told(self).end(Ending::crashed, why); }

void take_skip(void* self, const char* why) { told(self).end(Ending::skipped, why); }

}  // namespace

Observation LibraryTestee::observe(const Exchange& exchange) const {
  Told told;
  const Result<std::string> opening = this->opening(exchange.recording);
  if (!opening) {
    told.seen.ending = Ending::unavailable;
    told.seen.detail = describe(opening.error());
    return told.seen;
  }
  const splitproof_host host{&told, take_out, take_error, take_skip};
  const char* variant = target_.variant.empty() ? nullptr : target_.variant.c_str();
  void* stream = library_->begin(variant, opening->c_str(), &host);
  if (stream == nullptr) told.end(Ending::crashed, "it opened no exchange, and did not say why");
  for (const std::string_view chunk : exchange.chunks) {
    if (told.over) break;
    const auto exact = std::make_unique<char[]>(chunk.size());
    std::copy(chunk.begin(), chunk.end(), exact.get());
    library_->feed(stream, exact.get(), chunk.size());
    told.seen.after_chunk.push_back(told.seen.body.size());
  }
  if (!told.over) library_->finish(stream, std::string(recording::name(exchange.end)).c_str());
  const bool cut = !told.over && library_->cut != nullptr && library_->cut(stream) != 0;
  if (stream != nullptr) library_->close(stream);
  if (told.over) told.seen.after_chunk.clear();
  if (cut) {
    told.seen.ending = Ending::cut;
    told.seen.detail = "it says that the message to its client breaks off";
  }
  // Such a target is not judged by RUN: that it fails is a fault of the harness.
  if (told.over && target_.deterministic) told.seen.ending = Ending::unavailable;
  return std::move(told.seen);
}

Result<std::string> LibraryTestee::opening(const recording::Recording* recording) const {
  const Result<std::string> request = client_request(target_.client, recording, "", "");
  if (!request) return tl::unexpected(request.error());
  const auto json = [](const auto& value) { return nlohmann::json(value).dump(); };
  return "{\"client\":" + json(target_.client) + ",\"upstream\":" + json(target_.upstream) +
         ",\"request\":" + *request + ",\"knobs\":" + json(target_.knobs) + "}";
}

}  // namespace splitproof::testee
