#include "harness/observe/aws_frame_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "harness/observe/framing.hpp"
#include "tests/harness/aws_frame_bodies.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::aws_frame_reader_test {
namespace {

void feed(auto& reader, std::string_view chunk) {
  const auto exact = std::make_unique<char[]>(chunk.size());
  if (!chunk.empty()) std::memcpy(exact.get(), chunk.data(), chunk.size());
  reader.feed({exact.get(), chunk.size()});
}

std::vector<SseEvent> read(std::string_view body) {
  AwsFrameReader reader;
  feed(reader, body);
  reader.finish();
  return std::move(reader).take_events();
}

bool is_sound(const std::vector<SseEvent>& frames) {
  return std::all_of(frames.begin(), frames.end(),
                     [](const SseEvent& frame) { return frame.broken.empty() && frame.terminated; });
}

TEST(AwsFrameReader, GivesEveryByteOfASoundBodyToAFrame) {
  std::size_t frames = 0;
  for (const std::string& body : sampled(aws_frame_bodies(), 3)) {
    const std::vector<SseEvent> read_frames = read(body);
    ASSERT_TRUE(is_sound(read_frames));
    std::size_t at = 0;
    std::string again;
    for (const SseEvent& frame : read_frames) {
      EXPECT_EQ(frame.begin, at);
      at = frame.end;
      const std::string_view payload =
          std::string_view(body).substr(frame.data_at.at(0), frame.end - kAwsCrc - frame.data_at.at(0));
      if (!frame.ill_formed_data) {
        EXPECT_EQ(frame.data, payload);
      }
      again += write_aws_frame(frame.headers, payload);
    }
    EXPECT_EQ(at, body.size());
    EXPECT_EQ(again, body) << "headers and payload do not make the same bytes";
    frames += read_frames.size();
  }
  EXPECT_GT(frames, 5U);
}

TEST(AwsFrameReader, DoesNotShowHowABodyWasCut) {
  for (const std::string& sound : sampled(aws_frame_bodies(), 3)) {
    std::string damaged = sound;
    if (!damaged.empty()) damaged[damaged.size() / 2] ^= 1;
    for (const std::string& body : {sound, damaged, sound.substr(0, sound.size() / 2)}) {
      FrameReader whole(Framing::aws_frames);
      feed(whole, body);
      const FrameReader unfinished = whole;
      whole.finish();
      const std::size_t stride = 1 + body.size() / 64;
      for (std::size_t cut = 0; cut < body.size(); cut += stride) {
        FrameReader reader(Framing::aws_frames);
        if (cut > 0) {
          feed(reader, std::string_view(body).substr(0, cut));
          feed(reader, std::string_view(body).substr(cut));
        } else {
          for (std::size_t at = 0; at < body.size(); ++at) feed(reader, std::string_view(body).substr(at, 1));
        }
        EXPECT_EQ(reader, unfinished) << cut;
        reader.finish();
        EXPECT_EQ(reader, whole) << cut;
      }
    }
  }
}

TEST(AwsFrameReader, FindsAnyDamagedByte) {
  std::size_t flips = 0;
  for (const std::string& body : sampled(aws_frame_bodies(), 3)) {
    const std::vector<SseEvent> sound = read(body);
    const std::size_t stride = 1 + body.size() / 512;
    for (std::size_t at = 0; at < body.size(); at += stride) {
      std::string damaged = body;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
      const std::vector<SseEvent> frames = read(damaged);
      ASSERT_FALSE(frames.empty());
      EXPECT_FALSE(frames.back().broken.empty()) << at;
      for (std::size_t i = 0; i + 1 < frames.size(); ++i) ASSERT_EQ(frames[i], sound[i]) << at;
      EXPECT_LE(frames.back().begin, at) << "what came before the damage was lost, or what is behind it read";
      ++flips;
    }
  }
  EXPECT_GT(flips, kSanitized ? 150U : 500U);
}

TEST(AwsFrameReader, SaysWhereABodyWasTorn) {
  for (const std::string& body : sampled(aws_frame_bodies(), 3)) {
    const std::vector<SseEvent> sound = read(body);
    const std::size_t stride = 1 + body.size() / 512;
    for (std::size_t size = 0; size < body.size(); size += stride) {
      const std::vector<SseEvent> frames = read(std::string_view(body).substr(0, size));
      const bool at_boundary =
          size == 0 ||
          std::any_of(sound.begin(), sound.end(), [&](const SseEvent& frame) { return frame.end == size; });
      EXPECT_EQ(is_sound(frames), at_boundary) << size;
      if (!at_boundary) {
        EXPECT_FALSE(frames.back().terminated);
        EXPECT_EQ(frames.back().end, size);
      }
    }
  }
}

/// Returns `frame` with correct CRCs; its other faults stay.
std::string mended(std::string frame) {
  const auto put = [&](std::size_t at, std::string_view of) {
    // Computes the CRC bit by bit, independently of the code under test.
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : of) {
      crc ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
    }
    crc = ~crc;
    for (std::size_t i = 0; i < 4; ++i) frame[at + i] = static_cast<char>(crc >> (24 - 8 * i) & 0xFF);
  };
  put(kAwsPreludeCrc, std::string_view(frame).substr(0, kAwsPreludeCrc));
  put(frame.size() - kAwsCrc, std::string_view(frame).substr(0, frame.size() - kAwsCrc));
  return frame;
}

TEST(AwsFrameReader, RefusesWhatRightCrcsDoNotMakeRight) {
  const auto changed = [](std::size_t at, char byte) {
    std::string frame = write_aws_frame({{"name", kAwsText, "value"}}, "{}");
    frame[at] = byte;
    return mended(frame);
  };
  ASSERT_EQ(changed(0, '\0'), write_aws_frame({{"name", kAwsText, "value"}}, "{}"));
  struct Row {
    std::string body;
    std::string fault;
  };
  const std::vector<Row> rows = {
      {changed(3, 15), "a frame of 15 bytes cannot be"},
      {changed(0, 2), "a frame of 33554463 bytes cannot be"},
      {changed(7, 17), "17 bytes of headers in a frame of 31 cannot be"},
      {changed(12, 0), "header 0 of the frame has no name"},
      {changed(12, 15), "header 0 of the frame goes beyond the headers"},
      {changed(17, 10), "header 0 of the frame has the type 10, which there is not"},
      {changed(19, 6), "header 0 of the frame goes beyond the headers"},
  };
  for (const Row& row : rows) {
    const std::vector<SseEvent> frames = read(row.body);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].broken, row.fault);
  }
}

TEST(AwsFrameReader, OfSeveralHeadersOfOneNameTheLastCounts) {
  const AwsHeader text{":event-type", kAwsText, "first"};
  const AwsHeader number{":event-type", 4, "1234"};
  for (const bool last_is_text : {false, true}) {
    AwsFrameReader reader;
    reader.feed(last_is_text ? write_aws_frame({number, text}, "{}") : write_aws_frame({text, number}, "{}"));
    reader.finish();
    ASSERT_EQ(reader.events().size(), 1u);
    EXPECT_EQ(reader.events().front().event.has_value(), last_is_text);
  }
}

}  // namespace
}  // namespace splitproof::observe::aws_frame_reader_test
