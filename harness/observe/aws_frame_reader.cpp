#include "harness/observe/aws_frame_reader.hpp"

#include <algorithm>

#include "harness/utf8.hpp"

namespace splitproof::observe {

void AwsFrameReader::feed(std::string_view bytes) {
  while (!broken_ && !bytes.empty()) {
    const std::string_view piece = bytes.substr(0, wanted_ - frame_.size());
    frame_ += piece;
    bytes.remove_prefix(piece.size());
    if (frame_.size() < wanted_) return;
    if (wanted_ > kAwsPrelude) {
      read_frame();
    } else if (AwsPrelude prelude = read_aws_prelude(frame_); prelude.fault.empty()) {
      wanted_ = prelude.size;
    } else {
      keep_broken(std::move(prelude.fault), true);
    }
  }
}

void AwsFrameReader::finish() {
  if (!broken_ && !frame_.empty()) keep_broken("the body ends inside a frame", false);
}

void AwsFrameReader::read_frame() {
  ReadAwsFrame read = read_aws_frame(frame_);
  if (!read.fault.empty()) return keep_broken(std::move(read.fault), true);
  SseEvent event;
  event.begin = begin_;
  event.end = begin_ + frame_.size();
  event.data_at = {begin_ + read.frame.payload_begin};
  const std::string_view payload = std::string_view(frame_).substr(
      read.frame.payload_begin, frame_.size() - kAwsCrc - read.frame.payload_begin);
  event.data = decode_utf8(payload);
  const std::size_t ill_formed = find_ill_formed_utf8(payload);
  event.ill_formed_data = ill_formed != payload.npos;
  if (event.ill_formed_data) event.ill_formed_at = event.data_at.front() + ill_formed;
  for (const AwsHeader& header : read.frame.headers) {
    if (header.name != ":event-type") continue;
    event.event.reset();
    if (header.type == kAwsText) event.event = decode_utf8(header.value);
  }
  event.headers = std::move(read.frame.headers);
  begin_ = event.end;
  events_.push_back(std::move(event));
  frame_.clear();
  wanted_ = kAwsPrelude;
}

void AwsFrameReader::keep_broken(std::string fault, bool terminated) {
  SseEvent event;
  event.begin = begin_;
  event.end = begin_ + frame_.size();
  event.terminated = terminated;
  event.broken = std::move(fault);
  events_.push_back(std::move(event));
  frame_.clear();
  broken_ = true;
}

}  // namespace splitproof::observe
