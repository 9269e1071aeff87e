#include "harness/testee/reference_stream.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/testee/copyable.hpp"
#include "harness/testee/reference_options.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/sse_pieces.hpp"

namespace splitproof::testee {
namespace {

turn::BodyEnd body_end(recording::End end) {
  switch (end) {
    case recording::End::closed:
      return turn::BodyEnd::closed;
    case recording::End::reset:
      return turn::BodyEnd::reset;
    case recording::End::stall:
      return turn::BodyEnd::stall;
    case recording::End::complete:
      break;
  }
  return turn::BodyEnd::complete;
}

// The fixed part of a frame's description. It has no padding.
struct FrameHead {
  std::uint64_t sizes[4];
  std::uint64_t flags;
};

// The framer of a translation. Its output is an unambiguous list of the frames.
class FramerStream final : public CopyableStream {
 public:
  explicit FramerStream(proxy::dialect::Framer framer) : framer_(std::move(framer)) {}

  std::unique_ptr<CopyableStream> copy() const override { return std::make_unique<FramerStream>(framer_); }
  void become(const CopyableStream& other) override { framer_ = of(other); }
  bool equals(const CopyableStream& other) const override { return framer_ == of(other); }
  void feed(std::string_view chunk, std::string& out) override {
    std::visit([&](auto& framer) { framer.feed(chunk, frames_); }, framer_);
    write(out);
  }
  void finish(recording::End, std::string& out) override {
    std::visit([&](auto& framer) { framer.finish(frames_); }, framer_);
    write(out);
  }

 private:
  static const proxy::dialect::Framer& of(const CopyableStream& stream) {
    return static_cast<const FramerStream&>(stream).framer_;
  }

  void write(std::string& out) {
    for (const wire::Frame& frame : frames_) {
      const FrameHead head{
          {frame.event.size(), frame.data.size(), frame.error.size(), frame.damage.size()},
          (frame.terminated ? 1U : 0U) | (frame.oversized ? 2U : 0U) | (frame.bare ? 4U : 0U)};
      out.append(reinterpret_cast<const char*>(&head), sizeof head);
      for (const std::string* text : {&frame.event, &frame.data, &frame.error, &frame.damage})
        if (!text->empty()) out += *text;
    }
    frames_.clear();
  }

  proxy::dialect::Framer framer_;
  std::vector<wire::Frame> frames_;  // always empty between calls; it keeps its memory
};

// The pieces of a relayed stream.
class RelayPieces final : public PieceFinder {
 public:
  Taken take(std::string_view bytes) override {
    const wire::SsePieces::Piece piece = pieces_.take(bytes);
    return {piece.size, piece.whole};
  }
  std::unique_ptr<PieceFinder> copy() const override { return std::make_unique<RelayPieces>(*this); }
  void become(const PieceFinder& other) override { *this = static_cast<const RelayPieces&>(other); }
  bool equals(const PieceFinder& other) const override {
    return pieces_ == static_cast<const RelayPieces&>(other).pieces_;
  }

 private:
  wire::SsePieces pieces_;
};

class Reference final : public TranslatorStream, public CopyableStream {
 public:
  explicit Reference(const TranslatorOptions& options) : options_(options), translator_(options) {}

  bool reads_request() const override { return testee::reads_request(options_); }
  // The client's tool names decide about the calls in the answer.
  void asked(const std::string& request) override {
    if (take_request(options_, request)) translator_ = Translator(options_);
  }
  Asking asks(const std::string& request) const override {
    const auto call = reference_request(options_, request);
    return call ? Asking{*call, {}} : Asking{{}, call.error()};
  }
  void feed(std::string_view chunk, std::string& out) override { translator_.feed(chunk, out); }
  void finish(recording::End end, std::string& out) override { translator_.finish(body_end(end), out); }

  std::unique_ptr<CopyableStream> copy() const override { return std::make_unique<Reference>(*this); }
  // The options of an exchange never change.
  void become(const CopyableStream& other) override { translator_ = of(other); }
  bool equals(const CopyableStream& other) const override { return translator_ == of(other); }
  std::unique_ptr<CopyableStream> framer() const override {
    if (options_.relays()) return nullptr;
    return std::make_unique<FramerStream>(options_.upstream->framer(options_.rules.limits));
  }
  std::unique_ptr<PieceFinder> pieces() const override {
    return options_.relays() ? std::make_unique<RelayPieces>() : nullptr;
  }

 private:
  static const Translator& of(const CopyableStream& stream) {
    return static_cast<const Reference&>(stream).translator_;
  }

  TranslatorOptions options_;
  Translator translator_;
};

}  // namespace

std::unique_ptr<TranslatorStream> reference_stream(const TranslatorOptions& options) {
  return std::make_unique<Reference>(options);
}

}  // namespace splitproof::testee
