// Precompiled for what works on graphs.
#include "ge/graph/graph.hpp"
#include "ge/base/registry.hpp"
#include "ge/pch/std.hpp"
