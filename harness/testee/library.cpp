#include "harness/testee/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "harness/testee/load_library.hpp"

namespace splitproof::testee {
namespace {

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

// Finds functions, and remembers the first missing one.
class Symbols {
 public:
  explicit Symbols(void* handle) : handle_(handle) {}

  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }

  const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

}  // namespace

Result<std::shared_ptr<const Library>> Library::open(const std::string& path) {
  const auto wrong = [&](std::string what, std::string hint = {}) {
    return tl::unexpected(Error{std::move(what), path, 0, std::move(hint)});
  };
  std::error_code failed;
  const std::filesystem::path whole =
      std::filesystem::absolute(path, failed);  // a bare name would be searched elsewhere
  if (failed || !std::filesystem::exists(whole, failed)) return wrong("the library does not exist");
  const auto handle = load_library(whole.string());
  if (!handle) return wrong(handle.error().what, handle.error().hint);

  Symbols symbols(*handle);
  decltype(&splitproof_abi) abi = nullptr;
  symbols.find("splitproof_abi", abi);
  std::shared_ptr<Library> library(new Library);
  symbols.find("splitproof_open", library->begin);
  symbols.find("splitproof_feed", library->feed);
  symbols.find("splitproof_finish", library->finish);
  symbols.find("splitproof_close", library->close);
  if (!symbols.missing().empty()) {
    return wrong("the library does not export " + symbols.missing(),
                 "docs/without-http.md lists the exports of a library");
  }
  library->abi_ = abi();
  if (library->abi_ < 1 || library->abi_ > SPLITPROOF_TESTEE_ABI) {
    return wrong(
        "the library was made for version " + std::to_string(library->abi_) + " of splitproof_testee.h",
        "compile it with version " + std::to_string(SPLITPROOF_TESTEE_ABI));
  }
  decltype(&splitproof_variants) variants = nullptr;
  Symbols(*handle).find("splitproof_variants", variants);
  decltype(&splitproof_protocols_of) protocols_of = nullptr;
  Symbols(*handle).find("splitproof_protocols_of", protocols_of);
  decltype(&splitproof_profile_of) profile_of = nullptr;
  Symbols(*handle).find("splitproof_profile_of", profile_of);
  Symbols(*handle).find("splitproof_cut", library->cut);
  Symbols(*handle).find("splitproof_fork", library->fork);
  Symbols(*handle).find("splitproof_digest", library->digest);
  const splitproof_variant* variant = variants != nullptr ? variants() : nullptr;
  for (; variant != nullptr && variant->name != nullptr; ++variant) {
    library->variants_.push_back(
        {variant->name, text_of(variant->says), text_of(variant->obligation), text_of(variant->seen)});
    if (profile_of != nullptr) library->variants_.back().profile = text_of(profile_of(variant->name));
    const splitproof_protocols* made_for = protocols_of != nullptr ? protocols_of(variant->name) : nullptr;
    if (made_for == nullptr) continue;
    library->variants_.back().upstream = text_of(made_for->upstream);
    library->variants_.back().client = text_of(made_for->client);
  }
  library->path_ = path;
  return library;
}

Result<void> Library::check_variant(const std::string& name) const {
  if (std::any_of(variants_.begin(), variants_.end(), [&](const Variant& v) { return v.name == name; }))
    return {};
  std::string hint = variants_.empty() ? "the library has no variants" : "use one of";
  for (const Variant& variant : variants_)
    hint += (&variant == &variants_.front() ? " " : ", ") + variant.name;
  return tl::unexpected(Error{"the library has no variant '" + name + "'", path_, 0, std::move(hint)});
}

}  // namespace splitproof::testee
