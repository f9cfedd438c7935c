// Precompiled: what tests of whole models include.
#include "executor/model_case.hpp"
#include "pch/graphs.hpp"
