#pragma once

namespace splitproof::ui {

// Generated from ui.html, ui.css and ui.js.
extern const char* const kUiPage;    ///< The page of `splitproof ui`, without any data.
extern const char* const kUiStyle;   ///< Its CSS, besides the style of a report's page.
extern const char* const kUiScript;  ///< Its JavaScript. It gets the data and shows it as text.

}  // namespace splitproof::ui
