#include "ge/kernels/kernel.hpp"

namespace ge {

// Slow, obvious, complete: the AI CPU of the documents, and what every other engine is tested against.
REGISTER_ENGINE("reference", 0, "slow, obvious, complete");

}  // namespace ge
