// A library of the user's own with an op in it, loaded at run time by loads_plugin.
#include "ge/ops/schema.hpp"

static void infer_refused(ge::InferContext& context) { context.fail("refused by the plugin"); }

REGISTER_OP("plugin", "Refused", 1, "an op that nothing fits", ge::OpSchema().in("X").out("Y").infer(infer_refused));
