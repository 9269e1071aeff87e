#include "harness/testee/library_stream.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <utility>

namespace splitproof::testee {
namespace {

constexpr const char* kStray = "it sends output while no chunk is fed";
constexpr const char* kNoCopy = "it made no copy";

// The library's calls to its host, for an exchange and all its copies. A library may break the rules and call from
// another thread, so a mutex protects it.
class SharedHost {
 public:
  explicit SharedHost(std::shared_ptr<const Library> library)
      : library_(std::move(library)), host_{sizeof host_, this, take_out, take_error, take_error, take_ask} {}
  SharedHost(const SharedHost&) = delete;
  SharedHost& operator=(const SharedHost&) = delete;

  const Library& library() const { return *library_; }
  const splitproof_host* host() const { return &host_; }

  // Calls the library and appends its output. Returns the failure that it reports, or "".
  template <class Call>
  std::string call(std::string& out, Call call) {
    sink(&out);
    call();
    sink(nullptr);
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, std::string());
  }

  // True if it sent output outside such calls.
  bool is_stray() const {
    const std::lock_guard lock(mutex_);
    return stray_;
  }

 private:
  static SharedHost& of(void* self) { return *static_cast<SharedHost*>(self); }

  static void take_out(void* self, const char* bytes, std::size_t size) {
    SharedHost& host = of(self);
    const std::lock_guard lock(host.mutex_);
    if (host.out_ == nullptr)
      host.stray_ = true;
    else if (host.failure_.empty())
      host.out_->append(bytes, size);
  }
  static void take_error(void* self, const char* why) {
    SharedHost& host = of(self);
    const std::lock_guard lock(host.mutex_);
    if (host.failure_.empty()) host.failure_ = why != nullptr && *why != '\0' ? why : "it gives no reason";
  }
  static void take_ask(void*, const char*) {}

  void sink(std::string* out) {
    const std::lock_guard lock(mutex_);
    out_ = out;
  }

  const std::shared_ptr<const Library> library_;
  const splitproof_host host_;
  mutable std::mutex mutex_;
  std::string* out_ = nullptr;
  std::string failure_;
  bool stray_ = false;
};

class LibraryStream final : public CopyableStream {
 public:
  LibraryStream(std::shared_ptr<SharedHost> host, void* exchange, std::string failure, std::string opening)
      : host_(std::move(host)),
        exchange_(exchange),
        failure_(std::move(failure)),
        opening_(std::move(opening)) {}
  ~LibraryStream() override { close(); }
  LibraryStream(const LibraryStream&) = delete;
  LibraryStream& operator=(const LibraryStream&) = delete;

  std::unique_ptr<CopyableStream> copy() const override {
    void* copied = fork();
    return std::make_unique<LibraryStream>(host_, copied, copied != nullptr ? failure_ : kNoCopy, opening_);
  }

  void become(const CopyableStream& other) override {
    const LibraryStream& from = of(other);
    close();
    exchange_ = from.fork();
    failure_ = exchange_ != nullptr ? from.failure_ : kNoCopy;
    digest_.clear();
  }

  bool equals(const CopyableStream& other) const override {
    const LibraryStream& from = of(other);
    return failure_ == from.failure_ && !digest().empty() && digest() == from.digest();
  }

  void feed(std::string_view chunk, std::string& out) override {
    if (!failure_.empty()) return;
    digest_.clear();
    const auto exact = std::make_unique<char[]>(chunk.size());
    std::copy(chunk.begin(), chunk.end(), exact.get());
    failure_ = host_->call(out, [&] { library().feed(exchange_, exact.get(), chunk.size()); });
  }

  void finish(recording::End end, std::string& out) override {
    if (!failure_.empty()) return;
    digest_.clear();
    failure_ =
        host_->call(out, [&] { library().finish(exchange_, std::string(recording::name(end)).c_str()); });
    if (failure_.empty() && library().cut != nullptr && library().cut(exchange_) != 0)
      failure_ = "the message to its client breaks off";
  }

  std::string failure() const override { return host_->is_stray() ? kStray : failure_; }
  std::string opening() const override { return opening_; }

 private:
  static const LibraryStream& of(const CopyableStream& stream) {
    return static_cast<const LibraryStream&>(stream);
  }
  const Library& library() const { return host_->library(); }

  void* fork() const { return exchange_ != nullptr ? library().fork(exchange_) : nullptr; }

  void close() {
    if (exchange_ != nullptr) library().close(exchange_);
    exchange_ = nullptr;
  }

  // Empty if the library has none.
  const std::string& digest() const {
    if (!digest_.empty() || library().digest == nullptr || exchange_ == nullptr) return digest_;
    std::array<char, 64> most{};
    const std::size_t size = library().digest(exchange_, most.data(), most.size());
    digest_.assign(most.data(), std::min(size, most.size()));
    if (size <= most.size()) return digest_;
    digest_.resize(size);
    digest_.resize(std::min(size, library().digest(exchange_, digest_.data(), size)));
    return digest_;
  }

  const std::shared_ptr<SharedHost> host_;
  void* exchange_;
  std::string failure_;
  const std::string opening_;
  mutable std::string digest_;  // of the current state; empty: not known
};

}  // namespace

Result<std::unique_ptr<CopyableStream>> open_library_stream(std::shared_ptr<const Library> library,
                                                            const std::string& variant,
                                                            const std::string& opening) {
  auto host = std::make_shared<SharedHost>(std::move(library));
  void* exchange = nullptr;
  std::string out;
  const std::string failure = host->call(out, [&] {
    exchange =
        host->library().begin(variant.empty() ? nullptr : variant.c_str(), opening.c_str(), host->host());
  });
  if (exchange != nullptr && failure.empty())
    return std::make_unique<LibraryStream>(std::move(host), exchange, std::string(), std::move(out));
  if (exchange != nullptr) host->library().close(exchange);
  const std::string why = failure.empty() ? "it opens no exchange and gives no reason" : failure;
  return tl::unexpected(Error{why, {}, 0, {}});
}

}  // namespace splitproof::testee
