// If the kernel does not show the other side's socket, the stand-in works as before, and reports that it cannot prove
// boundaries.

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iostream>

#include "harness/testee/stand_in.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::testee::unproven_boundaries_test {
namespace {

// Forbids netlink sockets in this process. Returns false if the kernel has no such filters.
bool forbid_netlink() {
  std::array<sock_filter, 6> program{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog filter{program.size(), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

constexpr int kCannotForbid = 77;

[[noreturn]] void exchange_without_netlink() {
  if (!forbid_netlink()) std::_Exit(kCannotForbid);
  auto stand_in = StandIn::start({});
  if (!stand_in) std::_Exit(1);
  ResponseScript script;
  script.pieces = {"one, ", "two"};
  const auto answer = (*stand_in)->prepare("", script);
  ReadingClient client((*stand_in)->base_url());
  client.post("/", "{}");
  const HttpResponse response = client.read_one_response();
  if (!response.complete || response.body != "one, two") std::_Exit(2);
  if (!answer->wait_until_served(1, kTimeout) || answer->served()[0].exact) std::_Exit(3);
  std::cerr << (*stand_in)->unproven() << std::endl;
  std::_Exit(0);
}

TEST(UnprovenBoundaries, AreSaidAndPausesStandIn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto ended = [](int code) {
    return WIFEXITED(code) && (WEXITSTATUS(code) == 0 || WEXITSTATUS(code) == kCannotForbid);
  };
  EXPECT_EXIT(exchange_without_netlink(), ended, "the kernel does not show the socket of the other side|^$");
}

}  // namespace
}  // namespace splitproof::testee::unproven_boundaries_test
