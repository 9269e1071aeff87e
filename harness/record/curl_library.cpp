#include "harness/record/curl_library.hpp"

#include <dlfcn.h>

#include <string>

namespace splitproof::record {
namespace {

struct Loaded {
  CurlLibrary functions;
  std::string failure;  // empty: it is loaded
};

template <class Function>
void find(void* library, const char* name, Function& function, std::string& failure) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) failure = std::string("libcurl has no function ") + name;
}

Loaded load() {
  Loaded loaded;
  void* library = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    const char* why = dlerror();
    loaded.failure = why == nullptr ? "libcurl was not found" : why;
    return loaded;
  }
  CurlLibrary& curl = loaded.functions;
  std::string& failure = loaded.failure;
  find(library, "curl_global_init", curl.global_init, failure);
  find(library, "curl_easy_init", curl.easy_init, failure);
  find(library, "curl_easy_setopt", curl.set, failure);
  find(library, "curl_easy_getinfo", curl.get, failure);
  find(library, "curl_easy_send", curl.send, failure);
  find(library, "curl_easy_recv", curl.receive, failure);
  find(library, "curl_easy_strerror", curl.error_text, failure);
  find(library, "curl_easy_cleanup", curl.easy_cleanup, failure);
  find(library, "curl_slist_append", curl.list_append, failure);
  find(library, "curl_slist_free_all", curl.list_free, failure);
  find(library, "curl_multi_init", curl.multi_init, failure);
  find(library, "curl_multi_add_handle", curl.multi_add, failure);
  find(library, "curl_multi_remove_handle", curl.multi_remove, failure);
  find(library, "curl_multi_perform", curl.multi_perform, failure);
  find(library, "curl_multi_poll", curl.multi_poll, failure);
  find(library, "curl_multi_info_read", curl.multi_info_read, failure);
  find(library, "curl_multi_cleanup", curl.multi_cleanup, failure);
  find(library, "curl_url", curl.url, failure);
  find(library, "curl_url_cleanup", curl.url_cleanup, failure);
  find(library, "curl_url_set", curl.url_set, failure);
  find(library, "curl_url_get", curl.url_get, failure);
  find(library, "curl_free", curl.free, failure);
  if (failure.empty() && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) failure = "libcurl cannot start";
  return loaded;
}

}  // namespace

Result<const CurlLibrary*> curl_library() {
  static const Loaded kLoaded = load();
  if (kLoaded.failure.empty()) return &kLoaded.functions;
  return tl::unexpected(Error{"splitproof record needs libcurl 7.66 or newer: " + kLoaded.failure,
                              {},
                              0,
                              "install it, for example with apt-get install libcurl4"});
}

}  // namespace splitproof::record
