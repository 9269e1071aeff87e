/* The file of the program that reports its counters. */
#include "harness/coverage/splitproof_coverage.h"
