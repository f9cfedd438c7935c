// Precompiled for the executor.
#include "ge/kernels/kernel.hpp"
#include "ge/model/om.hpp"
#include "ge/ops/schema.hpp"
#include "ge/pch/std.hpp"
