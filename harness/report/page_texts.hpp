#pragma once

namespace splitproof::report {

// Generated from page.css and page.js.
extern const char* const kPageStyle;   ///< CSS of the page.
extern const char* const kPageScript;  ///< JavaScript of the page, which is readable without it.

}  // namespace splitproof::report
