#pragma once
/// GE_API marks what a component shows to its users; everything else is compiled with hidden visibility.
#if defined(_WIN32)
#define GE_API __declspec(dllexport)
#else
#define GE_API __attribute__((visibility("default")))
#endif
