#include "ge/kernels/kernel.hpp"

REGISTER_ENGINE("host", 100, "shape arithmetic on small integer tensors, done before the run");
