#pragma once
/// The one place that names Catch: version 3 where installed, else version 2 (Debian 12).
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
