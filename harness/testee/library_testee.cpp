#include "harness/testee/library_testee.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/testee/client_request.hpp"
#include "harness/testee/library_stream.hpp"
#include "harness/testee/reported_request.hpp"

namespace splitproof::testee {
namespace {

// The host of version 1 of the interface.
struct HostWithoutSize {
  void* self;
  decltype(splitproof_host::out) out;
  decltype(splitproof_host::error) error;
  decltype(splitproof_host::skip) skip;
};

// Output of the library in one exchange.
struct Told {
  const std::string& upstream;
  Observation seen = {};
  Observation asks = {};  // its upstream request
  bool over = false;      // it has failed, or skips this case

  void end(Ending ending, std::string why) {
    if (over) return;
    over = true;
    seen.ending = ending;
    seen.detail = std::move(why);
  }
};

Told& told(void* self) { return *static_cast<Told*>(self); }

std::string words_of(const char* text) { return text != nullptr ? text : ""; }

void take_out(void* self, const char* bytes, std::size_t size) {
  if (!told(self).over) told(self).seen.body.append(bytes, size);
}

void take_error(void* self, const char* why) { told(self).end(Ending::crashed, words_of(why)); }

void take_skip(void* self, const char* why) { told(self).end(Ending::skipped, words_of(why)); }

void take_ask(void* self, const char* json) {
  Told& one = told(self);
  const std::string ask = words_of(json);
  if (const auto added = add_reported_request(ask, one.upstream, one.asks); !added)
    one.end(Ending::garbage, added.error() + ": `" + ask + "`");
}

// An open exchange, which its destructor closes. `told` must outlive it.
class OpenExchange {
 public:
  OpenExchange(const Library& library, const std::string& variant, const std::string& opening, Told& told)
      : library_(library), old_host_{&told, take_out, take_error, take_skip}, host_{sizeof host_, &told,
                                                                                    take_out,     take_error,
                                                                                    take_skip,    take_ask} {
    const bool is_old = library.abi() == 1;
    stream_ = library.begin(variant.empty() ? nullptr : variant.c_str(), opening.c_str(),
                            is_old ? reinterpret_cast<const splitproof_host*>(&old_host_) : &host_);
    if (stream_ == nullptr) told.end(Ending::crashed, "the library opened no exchange and gave no reason");
  }
  ~OpenExchange() {
    if (stream_ != nullptr) library_.close(stream_);
  }
  OpenExchange(const OpenExchange&) = delete;
  OpenExchange& operator=(const OpenExchange&) = delete;

  void* stream() const { return stream_; }

 private:
  const Library& library_;
  const HostWithoutSize old_host_;
  const splitproof_host host_;
  void* stream_ = nullptr;
};

}  // namespace

Observation LibraryTestee::asks(const recording::Recording& recording) const {
  const Result<std::string> request = client_request(target_.client, &recording, "", "");
  if (!request || library_->abi() == 1) return {};
  Told told{target_.upstream};
  { const OpenExchange exchange(*library_, target_.variant, opening(*request), told); }
  if (told.over || (told.asks.calls.empty() && !told.asks.http)) return {};
  told.asks.request = *request;
  return std::move(told.asks);
}

Observation LibraryTestee::observe(const Exchange& exchange) const {
  Told told{target_.upstream};
  const Result<std::string> request = client_request(target_.client, exchange.recording, "", "");
  if (!request) {
    told.seen.ending = Ending::unavailable;
    told.seen.detail = describe(request.error());
    return std::move(told.seen);
  }
  bool cut = false;
  {
    const OpenExchange opened(*library_, target_.variant, opening(*request), told);
    for (const std::string_view chunk : exchange.chunks) {
      if (told.over) break;
      const auto exact = std::make_unique<char[]>(chunk.size());
      std::copy(chunk.begin(), chunk.end(), exact.get());
      library_->feed(opened.stream(), exact.get(), chunk.size());
      told.seen.after_chunk.push_back(told.seen.body.size());
    }
    if (!told.over) library_->finish(opened.stream(), std::string(recording::name(exchange.end)).c_str());
    cut = !told.over && library_->cut != nullptr && library_->cut(opened.stream()) != 0;
  }
  if (told.over) told.seen.after_chunk.clear();
  if (cut) {
    told.seen.ending = Ending::cut;
    told.seen.detail = "the library reports that the message to its client breaks off";
  }
  // RUN does not judge such a target: its failure is a fault of the harness.
  if (told.over && target_.deterministic) told.seen.ending = Ending::unavailable;
  return std::move(told.seen);
}

Result<std::unique_ptr<CopyableStream>> LibraryTestee::open(const recording::Recording& recording) const {
  const Result<std::string> request = client_request(target_.client, &recording, "", "");
  if (!request) return tl::unexpected(request.error());
  return open_library_stream(library_, target_.variant, opening(*request));
}

std::string LibraryTestee::opening(const std::string& request) const {
  const auto json = [](const auto& value) { return nlohmann::json(value).dump(); };
  return "{\"client\":" + json(target_.client) + ",\"upstream\":" + json(target_.upstream) +
         ",\"request\":" + request + ",\"knobs\":" + json(target_.knobs) + "}";
}

}  // namespace splitproof::testee
