// What the build reads once for all tests. No file includes it, and none depends on it (`meson configure -Db_pch=false`).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

// Costs those nothing that do not need it. With g++ it would cost them a third of a second.
#ifdef __clang__
#include <nlohmann/json.hpp>
#endif
