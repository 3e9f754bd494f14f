// <Security/SecItem.h>, <Security/SecBase.h>
// https://developer.apple.com/documentation/security/keychain-services
#pragma once
#include "CoreFoundation.h"
#pragma clang assume_nonnull begin

typedef int32_t OSStatus;
enum __attribute__((enum_extensibility(open))) : OSStatus {
    errSecSuccess = 0,
    errSecDuplicateItem = -25299,
    errSecItemNotFound = -25300,
    errSecMissingEntitlement = -34018,
};

extern const CFStringRef kSecClass, kSecClassGenericPassword;
extern const CFStringRef kSecAttrService, kSecAttrAccount, kSecAttrAccessible;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecReturnData, kSecMatchLimit, kSecMatchLimitOne, kSecValueData;
// https://developer.apple.com/documentation/security/ksecusedataprotectionkeychain
extern const CFStringRef kSecUseDataProtectionKeychain
    __attribute__((availability(macos, introduced = 10.15)))
    __attribute__((availability(ios, introduced = 13.0)))
    __attribute__((availability(tvos, introduced = 13.0)))
    __attribute__((availability(watchos, introduced = 6.0)));

#define CF_RETURNED CFTypeRef _Nullable *_Nullable __attribute__((cf_returns_retained))
OSStatus SecItemCopyMatching(CFDictionaryRef query, CF_RETURNED result);
OSStatus SecItemAdd(CFDictionaryRef attributes, CF_RETURNED result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
OSStatus SecItemDelete(CFDictionaryRef query);
__attribute__((cf_returns_retained)) CFStringRef _Nullable SecCopyErrorMessageString(
    OSStatus status, void *_Nullable reserved);

#pragma clang assume_nonnull end
