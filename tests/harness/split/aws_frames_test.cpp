#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "harness/observe/framing.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "tests/harness/aws_frame_bodies.hpp"
#include "tests/harness/split/formats.hpp"
#include "tests/planned.hpp"

namespace splitproof::split::aws_frames_test {
namespace {

/// The field of each byte in a valid body, from one pass that only counts.
enum class Byte : char {
  length = 'l',
  crc = 'c',
  name = 'n',
  type = 't',
  size = 's',
  value = 'v',
  payload = 'p',
  end_crc = 'e'
};

std::string bytes_of(std::string_view body) {
  std::string all;
  const auto add = [&](Byte byte, std::size_t count) { all.append(count, static_cast<char>(byte)); };
  const auto at = [&](std::size_t offset) { return static_cast<unsigned char>(body[offset]); };
  while (all.size() < body.size()) {
    const std::size_t begin = all.size();
    const std::size_t size = at(begin + 1) << 16 | at(begin + 2) << 8 | at(begin + 3);
    const std::size_t headers_end = begin + 12 + (at(begin + 6) << 8 | at(begin + 7));
    add(Byte::length, 8);
    add(Byte::crc, 4);
    while (all.size() < headers_end) {
      add(Byte::name, 1U + at(all.size()));
      const unsigned type = at(all.size());
      add(Byte::type, 1);
      std::size_t value = std::string_view("\0\0\1\2\4\10\0\0\10\20", 10)[type];
      if (type == 6 || type == 7) {
        value = at(all.size()) << 8 | at(all.size() + 1);
        add(Byte::size, 2);
      }
      add(Byte::value, value);
    }
    add(Byte::payload, begin + size - 4 - headers_end);
    add(Byte::end_crc, 4);
  }
  return all;
}

bool is_cut(SeamKind kind, std::string_view bytes, std::size_t offset) {
  const char before = bytes[offset - 1];
  const char behind = bytes[offset];
  const auto of = [](Byte byte, char which) { return which == static_cast<char>(byte); };
  switch (kind) {
    case SeamKind::prelude:
      return of(Byte::length, before) && of(Byte::length, behind);
    case SeamKind::prelude_crc:
      return of(Byte::crc, behind);
    case SeamKind::header_name:
      return of(Byte::name, behind);
    case SeamKind::header_type:
      return of(Byte::type, before) || of(Byte::type, behind);
    case SeamKind::header_length:
      return of(Byte::size, before) && of(Byte::size, behind);
    case SeamKind::header_value:
      return of(Byte::value, behind);
    case SeamKind::payload:
      return of(Byte::payload, behind) && !of(Byte::payload, before);
    case SeamKind::message_crc:
      return of(Byte::end_crc, behind);
    case SeamKind::event_boundary:
      return of(Byte::end_crc, before) && of(Byte::length, behind);
    default:
      return false;
  }
}

TEST(AwsFrames, HaveTheSeamsOfTheirBytes) {
  std::array<std::size_t, kSeamKinds> total{};
  for (const std::string& body : aws_frame_bodies()) {
    const std::string bytes = bytes_of(body);
    ASSERT_EQ(bytes.size(), body.size());
    std::vector<Seam> wanted;
    for (std::size_t offset = 1; offset < body.size(); ++offset) {
      for (std::size_t k = 0; k < kSeamKinds; ++k)
        if (is_cut(static_cast<SeamKind>(k), bytes, offset))
          wanted.push_back({static_cast<SeamKind>(k), offset});
    }
    std::vector<Seam> found = find_seams(body, kFrames);
    std::erase_if(found, [](const Seam& seam) {
      return !is_of_frames(seam.kind) && seam.kind != SeamKind::event_boundary;
    });
    EXPECT_EQ(found, wanted);
    for (const Seam& seam : found) ++total[static_cast<std::size_t>(seam.kind)];
  }
  for (std::size_t k = 0; k < kSeamKinds; ++k)
    if (is_of_frames(static_cast<SeamKind>(k))) {
      EXPECT_GT(total[k], 0U) << name(static_cast<SeamKind>(k));
    }
}

TEST(AwsFrames, HaveTheSeamsOfTheirJson) {
  constexpr std::string_view kField = "data: ";
  std::size_t compared = 0;
  for (const std::string& body : aws_frame_bodies()) {
    std::vector<Seam> wanted;
    observe::for_each_frame(body, Framing::aws_frames, [&](const observe::SseEvent& frame) {
      if (frame.ill_formed_data || frame.data.find('\n') != frame.data.npos) return true;
      for (const Seam& seam : find_seams(std::string(kField) + frame.data + "\n\n", kEvents))
        if (seam.kind >= SeamKind::structure)
          wanted.push_back({seam.kind, seam.offset - kField.size() + frame.data_at.front()});
      return true;
    });
    std::vector<Seam> found = find_seams(body, kFrames);
    std::erase_if(found, [](const Seam& seam) { return seam.kind < SeamKind::structure; });
    EXPECT_EQ(found, wanted);
    compared += found.size();
  }
  EXPECT_GT(compared, 50U);
}

TEST(AwsFrames, EndAtTheEndsOfTheirReader) {
  for (const std::string& sound : aws_frame_bodies()) {
    std::string damaged = sound;
    if (!damaged.empty()) damaged[damaged.size() - 1] ^= 1;
    for (const std::string& body : {sound, damaged, sound.substr(0, sound.size() * 2 / 3)}) {
      Cuts wanted;
      observe::for_each_frame(body, Framing::aws_frames, [&](const observe::SseEvent& frame) {
        if (frame.broken.empty() && frame.end < body.size()) wanted.push_back(frame.end);
        return true;
      });
      EXPECT_EQ(survey(body, {}, kFrames).event_ends, wanted);
      EXPECT_EQ(event_ends_of(body, kFrames), wanted);
    }
  }
}

TEST(AwsFrames, ArePlannedWithEveryKindAlone) {
  const std::string body = frame_of_all_types() + event_frame("a", R"({"b":"c"})");
  const Subject subject = survey(body, {}, kFrames);
  const std::vector<Split> splits = planned(subject, {.random = 0, .sweep = false, .seed = 1});
  for (std::size_t k = 0; k < kSeamKinds; ++k) {
    const auto kind = static_cast<SeamKind>(k);
    if (!is_of_frames(kind)) continue;
    const bool alone = std::any_of(splits.begin(), splits.end(), [&](const Split& split) {
      return split.cuts.size() == 1 &&
             std::any_of(subject.seams.begin(), subject.seams.end(), [&](const Seam& seam) {
               return seam.kind == kind && seam.offset == split.cuts.front();
             });
    });
    EXPECT_TRUE(alone) << name(kind);
  }
}

}  // namespace
}  // namespace splitproof::split::aws_frames_test
