#pragma once

namespace splitproof::coverage {

// Generated from node_agent.js and python_agent.py.
extern const char* const kNodeAgent;    ///< A CommonJS module for `node --require`.
extern const char* const kPythonAgent;  ///< A module `sitecustomize`.

}  // namespace splitproof::coverage
