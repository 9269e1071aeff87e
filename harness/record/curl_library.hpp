#pragma once

#include <curl/curl.h>

#include <string>

#include "harness/result.hpp"

namespace splitproof::record {

/// Functions of libcurl. The library is loaded when a recording starts, so splitproof itself needs no shared
/// library. A static program contains them (linked_curl.cpp).
struct CurlLibrary {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_setopt) set = nullptr;
  decltype(&::curl_easy_getinfo) get = nullptr;
  decltype(&curl_easy_send) send = nullptr;
  decltype(&curl_easy_recv) receive = nullptr;
  decltype(&curl_easy_strerror) error_text = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_slist_append) list_append = nullptr;
  decltype(&curl_slist_free_all) list_free = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_add_handle) multi_add = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_url) url = nullptr;
  decltype(&curl_url_cleanup) url_cleanup = nullptr;
  decltype(&curl_url_set) url_set = nullptr;
  decltype(&curl_url_get) url_get = nullptr;
  decltype(&curl_free) free = nullptr;
  std::string ca_file = {};  ///< Certificates to trust; empty: those that the library finds itself.
};

/// Loads libcurl once, and initialises it. The Error has the package to install.
Result<const CurlLibrary*> curl_library();

}  // namespace splitproof::record
