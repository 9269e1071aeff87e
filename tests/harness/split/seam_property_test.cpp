#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "harness/split/seam.hpp"
#include "tests/harness/split/formats.hpp"
#include "tests/harness/split/seam_definition.hpp"
#include "tests/harness/split/shared_recordings.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::split::seam_property_test {
namespace {

/// Calls `find_seams` on an allocation of exactly the body's size, so that AddressSanitizer detects an overrun.
std::vector<Seam> seams_of(std::string_view body) {
  const auto exact = std::make_unique<char[]>(body.size());
  if (!body.empty()) std::memcpy(exact.get(), body.data(), body.size());
  return find_seams({exact.get(), body.size()}, kEvents);
}

bool in_order(const Seam& a, const Seam& b) {
  return a.offset != b.offset ? a.offset < b.offset : a.kind < b.kind;
}

/// Returns empty if the seams are in range, in order and unique.
std::string shape_fault(const std::vector<Seam>& seams, std::size_t size) {
  for (std::size_t i = 0; i < seams.size(); ++i) {
    const bool ordered = i == 0 || in_order(seams[i - 1], seams[i]);
    if (ordered && seams[i].offset > 0 && seams[i].offset < size) continue;
    return std::string(name(seams[i].kind)) + " at " + std::to_string(seams[i].offset);
  }
  return {};
}

std::string around(std::string_view body, std::size_t offset) {
  const std::size_t from = offset > 40 ? offset - 40 : 0;
  return std::string(body.substr(from, offset - from)) + "|" + std::string(body.substr(offset, 40));
}

/// True for kinds whose definition is also sufficient if JSON is well-formed.
bool exactly_defined(SeamKind kind) { return kind < SeamKind::inner_escape; }

/// Returns a possible broken stream: pieces that make every kind likely, in any order, with stray bytes between.
std::string soup(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"data: ",
                                                   "data:",
                                                   "event: ",
                                                   ":",
                                                   "\n",
                                                   "\n\n",
                                                   "\r",
                                                   "\r\n",
                                                   "\r\n\r\n",
                                                   " ",
                                                   "[DONE]",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ",",
                                                   "\"",
                                                   "\"a\":",
                                                   "\"b\"",
                                                   "\\",
                                                   "\\n",
                                                   "\\\"",
                                                   "\\u00e9",
                                                   "\\ud83d",
                                                   "\\ude00",
                                                   "\\\\n",
                                                   "\\\\\\\"",
                                                   "\\\\ud83d",
                                                   "\\\\ude00",
                                                   "\\\\ud83d\\\\ude00",
                                                   "true",
                                                   "fals",
                                                   "null",
                                                   "-1.5e3",
                                                   "0",
                                                   "x",
                                                   "\xC3\xA9",
                                                   "\xE2\x82\xAC",
                                                   "\xF0\x9F\x98\x80",
                                                   "\xEF\xBB\xBF",
                                                   "\xE2",
                                                   "\x82",
                                                   "data: {\"a\":\"",
                                                   "\"}\n\n",
                                                   "data: [1,true,\""};
  std::string body;
  const std::size_t pieces = random() % 24;
  for (std::size_t i = 0; i < pieces; ++i) {
    if (random() % 16 == 0) {
      body += static_cast<char>(random() % 256);
    } else {
      body += kPieces[random() % kPieces.size()];
    }
  }
  return body;
}

TEST(SeamProperty, RecordingsHaveExactlyTheSeamsThatTheDefinitionsSay) {
  SKIP_WITHOUT_SHARED_RECORDINGS();
  constexpr std::size_t kPlaces = kSanitized ? 512 : 4096;  // of larger bodies, about this many, evenly
  std::array<std::size_t, kSeamKinds> recordings{};
  std::array<std::size_t, kSeamKinds> total{};
  for (const SharedBody& recording : sampled(shared_chat_bodies(), 4)) {
    SCOPED_TRACE(recording.name);
    const std::string& body = recording.body;
    const std::vector<Seam> seams = seams_of(body);
    ASSERT_EQ(shape_fault(seams, body.size()), "");
    std::array<std::size_t, kSeamKinds> here{};
    for (const Seam& seam : seams) ++here[static_cast<std::size_t>(seam.kind)];

    const std::size_t stride = 1 + body.size() / kPlaces;
    auto seam = seams.begin();
    for (std::size_t offset = 1; offset < body.size(); offset += stride) {
      while (seam != seams.end() && seam->offset < offset) ++seam;
      const Place place(body, offset);
      for (std::size_t i = 0; i < kSeamKinds; ++i) {
        const auto kind = static_cast<SeamKind>(i);
        const bool found = seam != seams.end() && *seam == Seam{kind, offset};
        if (found) ++seam;
        if (exactly_defined(kind) || found) {
          ASSERT_EQ(found, place.is(kind)) << name(kind) << " at " << offset << ": " << around(body, offset);
        }
      }
    }
    for (std::size_t i = 0; i < kSeamKinds; ++i) {
      recordings[i] += here[i] > 0 ? 1 : 0;
      total[i] += here[i];
    }
  }
  std::cout << "kind, recordings of " << shared_chat_bodies().size() << " that have it, seams\n";
  for (std::size_t i = 0; i < kSeamKinds; ++i) {
    std::cout << name(static_cast<SeamKind>(i)) << ' ' << recordings[i] << ' ' << total[i] << '\n';
  }
}

TEST(SeamProperty, SoupHasNoSeamThatTheDefinitionsForbid) {
  constexpr unsigned kSeed = 20240607;
  constexpr int kBodies = 20000;
  std::mt19937 random(kSeed);
  std::array<std::size_t, kSeamKinds> total{};
  for (int i = 0; i < kBodies; ++i) {
    const std::string body = soup(random);
    const std::vector<Seam> seams = seams_of(body);
    ASSERT_EQ(shape_fault(seams, body.size()), "") << body;
    auto seam = seams.begin();
    for (std::size_t offset = 1; offset < body.size(); ++offset) {
      const Place place(body, offset);
      for (std::size_t k = 0; k < kSeamKinds; ++k) {
        const auto kind = static_cast<SeamKind>(k);
        const bool found = seam != seams.end() && *seam == Seam{kind, offset};
        if (found) {
          ++seam;
          ++total[k];
        }
        const bool of_json = kind >= SeamKind::structure;
        // Broken JSON leaves nesting open, and so the strings that are keys.
        const bool either = kind == SeamKind::key || kind == SeamKind::string;
        const bool allowed = either ? place.is(SeamKind::key) || place.is(SeamKind::string) : place.is(kind);
        if (found || !of_json) {
          ASSERT_EQ(found, allowed) << "body " << i << ' ' << name(kind) << " at " << offset << ": "
                                    << around(body, offset);
        }
      }
    }
  }
  std::cout << kBodies << " bodies, seed " << kSeed << '\n';
  for (std::size_t k = 0; k < kSeamKinds; ++k) {
    const auto kind = static_cast<SeamKind>(k);
    EXPECT_NE(total[k] > 0, is_of_frames(kind)) << name(kind);
  }
}

TEST(SeamProperty, EventBoundariesAreThoseOfAllSeams) {
  std::mt19937 random(7);
  std::size_t boundaries = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string body = soup(random);
    for (const Framing framing :
         {Framing::sse, Framing::sse_or_array, Framing::json_lines, Framing::json_array}) {
      const BodyFormat format = {framing, "[DONE]"};
      std::vector<Seam> wanted = find_seams(body, format);
      std::erase_if(wanted, [](const Seam& seam) { return seam.kind != SeamKind::event_boundary; });
      ASSERT_EQ(find_event_boundaries(body, format), wanted) << body;
      boundaries += wanted.size();
    }
  }
  EXPECT_GT(boundaries, 20'000U);
}

TEST(SeamProperty, BytesAtRandomDoNoHarm) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string body(random() % 200, '\0');
    for (char& byte : body) byte = static_cast<char>(random() % 256);
    const std::vector<Seam> seams = seams_of(body);
    ASSERT_EQ(shape_fault(seams, body.size()), "");
    for (const Seam& seam : seams) {
      ASSERT_TRUE(Place(body, seam.offset).is(seam.kind)) << name(seam.kind) << " at " << seam.offset;
    }
  }
}

/// A truncated body has the seams of the whole body, apart from its own last byte. Incomplete tokens have none.
TEST(SeamProperty, TruncationLosesSeamsAndAddsNone) {
  SKIP_WITHOUT_SHARED_RECORDINGS();
  constexpr std::size_t kLargest = kSanitized ? 700 : 2048;
  std::size_t truncations = 0;
  for (const SharedBody& recording : sampled(shared_chat_bodies(), 4)) {
    if (recording.body.size() > kLargest) continue;
    SCOPED_TRACE(recording.name);
    const std::vector<Seam> whole = find_seams(recording.body, kEvents);
    for (std::size_t size = 0; size < recording.body.size(); ++size, ++truncations) {
      const std::string_view body = std::string_view(recording.body).substr(0, size);
      // Only its end shows that [DONE] is not broken JSON.
      if (body.ends_with("[D") || body.ends_with("[DO") || body.ends_with("[DON") || body.ends_with("[DONE"))
        continue;
      std::vector<Seam> part = seams_of(body);
      ASSERT_EQ(shape_fault(part, size), "");
      std::erase_if(part, [](const Seam& seam) { return seam.kind == SeamKind::last_byte; });
      ASSERT_TRUE(std::includes(whole.begin(), whole.end(), part.begin(), part.end(), in_order))
          << "cut off at " << size;
    }
  }
  std::cout << truncations << " truncations\n";
}

TEST(SeamProperty, DeepNestingIsOnlyMemory) {
  std::string body = "data: ";
  for (int i = 0; i < 160000; ++i) body += "{\"a\":[";
  const std::vector<Seam> seams = find_seams(body, kEvents);
  EXPECT_EQ(
      std::count_if(seams.begin(), seams.end(), [](const Seam& seam) { return seam.kind == SeamKind::key; }),
      320000);
}

}  // namespace
}  // namespace splitproof::split::seam_property_test
