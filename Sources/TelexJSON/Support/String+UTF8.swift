extension String {
    /// Creates the text of bytes; nil if they are not UTF-8. The standard library's initializer
    /// needs newer systems than this package.
    package init?(validUTF8 bytes: ArraySlice<UInt8>) {
        let text = bytes.withUnsafeBufferPointer { bytes -> String? in
            guard let start = bytes.baseAddress else { return "" }
            let isValid = UTF8Validator.isValid(start, start + bytes.count)
            return isValid ? JSONReader.makeString(bytes) : nil
        }
        guard let text else { return nil }
        self = text
    }
}
