// The same for tests.
#pragma once

#include <gtest/gtest.h>

#include "../harness/precompiled.hpp"
