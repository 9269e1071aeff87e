#include "proxy/server/held_bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace splitproof::server::held_bodies_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A body that notes a request to give way.
struct Body {
  Body(HeldBodies& held, EventLoop& loop)
      : share(std::make_unique<HeldBodies::Share>(held, loop, [this] { ++calls; })) {}

  bool grow(std::size_t bytes, HeldBodies::Time now) {
    size += bytes;
    refused = !share->grow(bytes, now);
    return !refused;
  }

  std::unique_ptr<HeldBodies::Share> share;
  std::size_t size = 0;
  bool refused = false;
  int calls = 0;
};

// Returns the memory of bodies that were neither refused nor asked to give way.
std::size_t held_by(const std::vector<std::unique_ptr<Body>>& bodies) {
  std::size_t sum = 0;
  for (const auto& body : bodies) sum += body->refused || body->calls > 0 ? 0 : body->size;
  return sum;
}

TEST(HeldBodies, NeverHoldMoreThanTheyMayWhateverComes) {
  constexpr std::size_t kMost = 10'000;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    EventLoop loop;
    HeldBodies held(kMost);
    HeldBodies::Time now = loop.now();
    std::vector<std::unique_ptr<Body>> bodies;
    for (int step = 0; step < 2000; ++step) {
      now += milliseconds(random() % 50);
      const std::size_t what = random() % 10;
      if (what == 0 || bodies.empty()) bodies.push_back(std::make_unique<Body>(held, loop));
      const std::size_t which = random() % bodies.size();
      if (what == 1)
        bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(which));
      else
        bodies[which]->grow(random() % 500, now);
      loop.step(milliseconds(0));
      ASSERT_LE(held_by(bodies), kMost) << "seed " << seed << ", step " << step;
    }
  }
}

// While there is room, no body gives way, however slow it is.
TEST(HeldBodies, WhereThereIsRoomNobodyGivesWay) {
  EventLoop loop;
  HeldBodies held(1000);
  Body slow(held, loop);
  Body other(held, loop);
  HeldBodies::Time now = loop.now();
  for (int i = 0; i < 500; ++i) {
    now += seconds(60);
    EXPECT_TRUE(slow.grow(1, now));
    EXPECT_TRUE(other.grow(1, now));
  }
  loop.step(milliseconds(0));
  EXPECT_EQ(slow.calls + other.calls, 0);
}

// Slow bodies after a burst give way to a steady one, and to a small one.
TEST(HeldBodies, WhoHoldsMuchAndSendsLittleGivesWay) {
  for (const std::size_t hoarders : {1, 2, 7, 50}) {
    EventLoop loop;
    HeldBodies held(hoarders * 950 + 500);
    HeldBodies::Time now = loop.now();
    std::vector<std::unique_ptr<Body>> hoard;
    for (std::size_t i = 0; i < hoarders; ++i) {
      hoard.push_back(std::make_unique<Body>(held, loop));
      EXPECT_TRUE(hoard.back()->grow(950, now));
    }
    Body steady(held, loop);
    Body small(held, loop);
    EXPECT_TRUE(small.grow(1, now));
    for (int i = 0; i < 30; ++i) {
      now += seconds(1);
      for (const auto& body : hoard) {
        if (body->calls == 0 && !body->refused) body->grow(1, now);
      }
      EXPECT_TRUE(steady.grow(30, now));
      loop.step(milliseconds(0));
    }
    EXPECT_EQ(steady.calls + small.calls, 0);
    const auto gave_way = std::count_if(hoard.begin(), hoard.end(),
                                        [](const auto& body) { return body->calls == 1 || body->refused; });
    EXPECT_GE(gave_way, 1) << hoarders;
    EXPECT_LE(gave_way, 3) << hoarders;  // room for the bytes after the first 500
  }
}

TEST(HeldBodies, OneThatIsLargerThanAllMayBeIsRefused) {
  EventLoop loop;
  HeldBodies held(100);
  Body large(held, loop);
  EXPECT_TRUE(large.grow(100, loop.now()));
  EXPECT_FALSE(large.grow(1, loop.now()));
  EXPECT_FALSE(large.grow(1, loop.now()));  // permanently
  Body next(held, loop);
  EXPECT_TRUE(next.grow(100, loop.now()));
}

TEST(HeldBodies, NobodyIsCalledOnceItsShareIsGone) {
  EventLoop loop;
  HeldBodies held(100);
  Body slow(held, loop);
  EXPECT_TRUE(slow.grow(90, loop.now()));
  Body fast(held, loop);
  EXPECT_TRUE(fast.grow(95, loop.now() + seconds(5)));
  slow.share.reset();
  loop.step(milliseconds(0));
  EXPECT_EQ(slow.calls, 0);
}

// Each on its own loop and thread, as in workers.
TEST(HeldBodies, ManyThreadsShareThem) {
  constexpr std::size_t kMost = 50'000;
  HeldBodies held(kMost);
  std::atomic<int> gave_way = 0;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      EventLoop loop;
      std::vector<std::unique_ptr<Body>> bodies;
      for (int step = 0; step < 3000; ++step) {
        if (bodies.size() < 20) bodies.push_back(std::make_unique<Body>(held, loop));
        Body& body = *bodies[random() % bodies.size()];
        if (body.calls == 0 && !body.refused) body.grow(random() % 2000, loop.now());
        loop.step(milliseconds(0));
        const auto left = std::remove_if(bodies.begin(), bodies.end(), [&](const auto& at) {
          const bool ends = at->calls > 0 || at->refused || random() % 50 == 0;
          gave_way += at->calls;
          return ends;
        });
        bodies.erase(left, bodies.end());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(gave_way, 0);
  EventLoop loop;
  Body all(held, loop);  // no bytes stay accounted
  EXPECT_TRUE(all.grow(kMost, loop.now()));
}

}  // namespace
}  // namespace splitproof::server::held_bodies_test
