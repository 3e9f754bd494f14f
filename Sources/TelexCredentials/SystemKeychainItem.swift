#if canImport(Security)
    import Foundation
    import Security

    /// A generic password of this device in the data protection keychain.
    package struct SystemKeychainItem: KeychainItem {
        package let service: String

        package func read() -> (status: Int32, content: [UInt8]) {
            var query = self.query
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            return (status, [UInt8](found as? Data ?? Data()))
        }

        package func update(_ content: [UInt8]) -> Int32 {
            let change: [CFString: Any] = [kSecValueData: Data(content)]
            return SecItemUpdate(query as CFDictionary, change as CFDictionary)
        }

        package func add(_ content: [UInt8]) -> Int32 {
            var item = query
            item[kSecValueData] = Data(content)
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            return SecItemAdd(item as CFDictionary, nil)
        }

        package func delete() -> Int32 { SecItemDelete(query as CFDictionary) }

        package func message(for status: Int32) -> String? {
            SecCopyErrorMessageString(status, nil) as String?
        }

        private var query: [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service,
                kSecAttrAccount: "telex", kSecUseDataProtectionKeychain: true,
            ]
        }
    }
#endif
