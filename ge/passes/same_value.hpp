#pragma once
#include "ge/base/attributes.hpp"
#include "ge/ops/schema.hpp"

/// Equality to the bit, and hashes that agree with it, for passes that look for things that are there twice.
namespace ge {

/// Same kind and same bits: 0.0 is not -0.0, and a NaN is itself.
bool same_bits(const AttributeValue& a, const AttributeValue& b);

/// Same names and bits. An attribute that has its default counts as absent.
bool same_attributes(const OpSchema& schema, const Attributes& a, const Attributes& b);
size_t hash_of(const OpSchema& schema, const Attributes& attributes);

/// Looks at dtype, dims and at most 512 bytes: cheap for weights, which seldom agree in these.
size_t quick_hash(const Tensor& tensor);
/// Looks at every byte.
size_t full_hash(const Tensor& tensor);

inline size_t mix(size_t hash, size_t more) { return (hash ^ more) * 0x9E3779B97F4A7C15u + (hash >> 29); }

}  // namespace ge
