// <CoreFoundation/CoreFoundation.h>: the types that Security speaks in.
#pragma once
#include "Darwin.h"
#pragma clang assume_nonnull begin

#define CF_BRIDGED(T) __attribute__((objc_bridge(T)))
typedef const CF_BRIDGED(id) void *CFTypeRef;
typedef const struct CF_BRIDGED(NSString) __CFString *CFStringRef;
typedef const struct CF_BRIDGED(NSDictionary) __CFDictionary *CFDictionaryRef;

#pragma clang assume_nonnull end
