// Precompiled for the kernels.
#include "ge/kernels/kernel.hpp"
#include "ge/pch/std.hpp"
