// Precompiled for the operators.
#include "ge/ops/schema.hpp"
#include "ge/pch/std.hpp"
