#include "harness/coverage/library_coverage.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace splitproof::coverage {
namespace {

namespace fs = std::filesystem;

// An entry of clang's pc-table: the address of an edge's first instruction, and 1 at the entry of a function.
struct PcEntry {
  std::uintptr_t address;
  std::uintptr_t flags;
};

// The counters of one library, and the addresses of their edges. Both live as long as the library, which is never unloaded.
struct Counters {
  std::uint8_t* begin = nullptr;
  std::uint8_t* end = nullptr;
  const PcEntry* first = nullptr;
};

// All counters that loaded libraries have reported, in this order. A library reports them twice or more.
class Registry {
 public:
  void add_counters(std::uint8_t* begin, std::uint8_t* end) {
    const std::lock_guard lock(mutex_);
    if (begin == end || is_known(begin)) return;
    all_.push_back({begin, end, nullptr});
  }

  // The table belongs to the counters of the same library that lack one and have as many edges.
  void add_table(const PcEntry* begin, const PcEntry* end) {
    const std::lock_guard lock(mutex_);
    for (Counters& one : all_) {
      if (one.first != nullptr || one.end - one.begin != end - begin) continue;
      one.first = begin;
      return;
    }
  }

  std::vector<Counters> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  bool is_known(const std::uint8_t* begin) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Counters& one) { return one.begin == begin; });
  }

  mutable std::mutex mutex_;
  std::vector<Counters> all_;
};

// Libraries report while they are loaded, so it is made at the first call.
Registry& registry() {
  static Registry all;
  return all;
}

// Returns the path of the object file that contains an address, and its offset in it.
std::pair<std::string, std::uintptr_t> place_of(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return {info.dli_fname,
          reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(info.dli_fbase)};
}

class LibraryCoverage final : public Coverage {
 public:
  explicit LibraryCoverage(const std::string& path) : path_(path) {
    std::error_code failed;
    for (const Counters& one : registry().all())
      if (fs::equivalent(place_of(one.begin).first, path, failed)) counters_.push_back(one);
  }

  Result<std::vector<std::uint32_t>> take() override {
    if (counters_.empty())
      return tl::unexpected(Error{"coverage: sancov gives nothing: the library has no counters", path_, 0,
                                  "compile it with clang -fsanitize-coverage=inline-8bit-counters,pc-table"});
    std::vector<std::uint32_t> reached;
    std::uint32_t place = 0;
    for (const Counters& one : counters_) {
      for (std::uint8_t* counter = one.begin; counter != one.end; ++counter, ++place)
        if (std::exchange(*counter, std::uint8_t{0}) != 0) reached.push_back(place);
    }
    return reached;
  }

  std::string name(std::uint32_t place) const override {
    const std::string library = fs::path(path_).filename().string();
    std::size_t edge = place;
    for (const Counters& one : counters_) {
      const auto count = static_cast<std::size_t>(one.end - one.begin);
      if (edge >= count) {
        edge -= count;
        continue;
      }
      if (one.first == nullptr) break;
      const auto* address = reinterpret_cast<const void*>(one.first[edge].address);
      Dl_info info{};
      const bool is_named = dladdr(address, &info) != 0 && info.dli_sname != nullptr;
      return fmt::format("{}{}+{:#x}", library, is_named ? fmt::format(":{}", info.dli_sname) : "",
                         place_of(address).second);
    }
    return fmt::format("{}:edge {}", library, place);
  }

  std::vector<std::uint32_t> known() const override {
    std::size_t count = 0;
    for (const Counters& one : counters_) count += static_cast<std::size_t>(one.end - one.begin);
    std::vector<std::uint32_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::uint32_t>(i);
    return all;
  }

 private:
  const std::string path_;
  std::vector<Counters> counters_;
};

}  // namespace

std::shared_ptr<Coverage> coverage_of_library(const std::string& path) {
  return std::make_shared<LibraryCoverage>(path);
}

}  // namespace splitproof::coverage

// The functions that clang's code calls when a library with counters is loaded. The program exports them (meson.build). In a
// program with libFuzzer, libFuzzer's own functions replace them. -fsanitize=fuzzer-no-link also reports compared values and
// the depth of the stack, which only libFuzzer uses.
#define EXPORTED extern "C" __attribute__((weak, visibility("default")))
// AddressSanitizer has weak functions of this name, which do nothing.
#if defined(__SANITIZE_ADDRESS__)
#define OWN extern "C" __attribute__((visibility("default")))
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWN extern "C" __attribute__((visibility("default")))
#endif
#endif
#ifndef OWN
#define OWN EXPORTED
#endif
// clang-format off
EXPORTED thread_local std::uintptr_t __sancov_lowest_stack;
thread_local std::uintptr_t __sancov_lowest_stack;

OWN void __sanitizer_cov_8bit_counters_init(std::uint8_t* begin, std::uint8_t* end) {
  splitproof::coverage::registry().add_counters(begin, end);
}
OWN void __sanitizer_cov_pcs_init(const std::uintptr_t* begin, const std::uintptr_t* end) {
  using splitproof::coverage::PcEntry;
  splitproof::coverage::registry().add_table(reinterpret_cast<const PcEntry*>(begin), reinterpret_cast<const PcEntry*>(end));
}
EXPORTED void __sanitizer_cov_trace_cmp1(std::uint8_t, std::uint8_t) {}
EXPORTED void __sanitizer_cov_trace_cmp2(std::uint16_t, std::uint16_t) {}
EXPORTED void __sanitizer_cov_trace_cmp4(std::uint32_t, std::uint32_t) {}
EXPORTED void __sanitizer_cov_trace_cmp8(std::uint64_t, std::uint64_t) {}
EXPORTED void __sanitizer_cov_trace_const_cmp1(std::uint8_t, std::uint8_t) {}
EXPORTED void __sanitizer_cov_trace_const_cmp2(std::uint16_t, std::uint16_t) {}
EXPORTED void __sanitizer_cov_trace_const_cmp4(std::uint32_t, std::uint32_t) {}
EXPORTED void __sanitizer_cov_trace_const_cmp8(std::uint64_t, std::uint64_t) {}
EXPORTED void __sanitizer_cov_trace_switch(std::uint64_t, std::uint64_t*) {}
EXPORTED void __sanitizer_cov_trace_div4(std::uint32_t) {}
EXPORTED void __sanitizer_cov_trace_div8(std::uint64_t) {}
EXPORTED void __sanitizer_cov_trace_gep(std::uintptr_t) {}
EXPORTED void __sanitizer_cov_trace_pc_indir(std::uintptr_t) {}
// clang-format on
