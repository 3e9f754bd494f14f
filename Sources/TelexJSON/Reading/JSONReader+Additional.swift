extension JSONReader {
    /// Reads the value of a key that an open model keeps.
    ///
    /// - Returns: false, with the dictionary unchanged, if the value cannot be read.
    @inlinable
    @discardableResult
    public mutating func additional<V: JSONReadable>(_ values: inout [String: V]) -> Bool {
        additional(&values, V.read)
    }

    /// Reads the value of a key that an open model keeps with a closure, which returns nil if it
    /// cannot be read. A duplicate key violates the rule `duplicate`, and its last value is kept.
    ///
    /// - Returns: false, with the dictionary unchanged, if the value cannot be read.
    @inlinable
    @discardableResult
    public mutating func additional<V>(
        _ values: inout [String: V], _ value: (inout JSONReader) -> V?
    ) -> Bool {
        let key = keptKey
        guard let value = readValue(value) else { return false }
        if values.updateValue(value, forKey: key) != nil {
            reportDuplicate(key, in: values, key: key)
        }
        return true
    }

    /// The key that was kept last.
    @usableFromInline var keptKey: String { Self.text(raw: top.pointee.key) }
}
