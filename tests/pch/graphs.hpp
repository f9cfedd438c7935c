// Precompiled: what tests of graphs include.
#include "passes/graph_case.hpp"
#include "pch/catch.hpp"
