// Precompiled for the session.
#include "ge/kernels/kernel.hpp"
#include "ge/session/compile.hpp"
#include "ge/pch/std.hpp"
