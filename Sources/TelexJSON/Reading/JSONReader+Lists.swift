extension JSONReader {
    // MARK: Lists

    /// Reads an array of `JSONReadable` values.
    ///
    /// - Returns: false, with the variable unchanged, if the value is not an array or an element
    ///   cannot be read.
    @inlinable
    @discardableResult
    public mutating func list<T: JSONReadable>(_ values: inout [T]) -> Bool {
        guard let read: [T] = list() else { return false }
        values = read
        return true
    }

    /// Reads an array of `JSONReadable` values.
    @inlinable
    @discardableResult
    public mutating func list<T: JSONReadable>(_ values: inout [T]?) -> Bool {
        guard let read: [T] = list() else { return false }
        values = read
        return true
    }

    /// Reads an array with a closure that reads one element and returns nil if it cannot be read.
    @inlinable
    @discardableResult
    public mutating func list<T>(
        _ values: inout [T], _ element: (inout JSONReader) -> T?
    ) -> Bool {
        guard let read: [T] = self.list(element) else { return false }
        values = read
        return true
    }

    /// Reads an array with a closure that reads one element and returns nil if it cannot be read.
    @inlinable
    @discardableResult
    public mutating func list<T>(
        _ values: inout [T]?, _ element: (inout JSONReader) -> T?
    ) -> Bool {
        guard let read: [T] = self.list(element) else { return false }
        values = read
        return true
    }

    /// Reads an array of `JSONReadable` values; nil if it cannot be read.
    @inlinable
    public mutating func list<T: JSONReadable>() -> [T]? {
        if T.self == Int.self, let numbers = ints() { return unsafeBitCast(numbers, to: [T].self) }
        if T.self == Double.self, let numbers = doubles() {
            return unsafeBitCast(numbers, to: [T].self)
        }
        return list(T.read)
    }

    /// Reads an array with a closure that reads one element; nil if it cannot be read.
    @inlinable
    public mutating func list<T>(_ element: (inout JSONReader) -> T?) -> [T]? {
        guard beginList() else { return nil }
        var values: [T] = []
        let level = self.level
        while nextElement() {
            let value = element(&self)
            if self.level != level { finishValue(level) }
            guard let value else {
                markFailed()
                continue
            }
            if values.isEmpty { values.reserveCapacity(expectedCount) }
            values.append(value)
        }
        return endList() ? values : nil
    }

    /// Enters an array.
    ///
    /// - Returns: false if the value is of another type; a violation was recorded and the value
    ///   skipped.
    public mutating func beginList() -> Bool {
        guard next < end, next.pointee == ASCII.openBracket else {
            mismatch("an array")
            return false
        }
        guard push(.list) else { return false }
        next += 1
        return true
    }

    /// Moves to the next element of an array; false at its end.
    public mutating func nextElement() -> Bool {
        guard top.pointee.kind == .list, !top.pointee.isClosed else { return false }
        // The usual case: behind a value that was read.
        if next < end, next.pointee == ASCII.comma, next != top.pointee.valueStart,
            top.pointee.count > 0
        {
            next += 1
            skipSpace()
            return beginElement()
        }
        if top.pointee.count > 0, next == top.pointee.valueStart { skipValue() }
        skipSpace()
        guard next < end else {
            fail(.unexpectedEnd)
            return false
        }
        if next.pointee == ASCII.closeBracket {
            next += 1
            top.pointee.isClosed = true
            return false
        }
        if top.pointee.count > 0 {
            guard next.pointee == ASCII.comma else {
                failUnexpected("`,` or `]`", at: next)
                return false
            }
            next += 1
            skipSpace()
        }
        return beginElement()
    }

    @inline(__always)
    private mutating func beginElement() -> Bool {
        top.pointee.index = top.pointee.count
        top.pointee.count &+= 1
        top.pointee.valueStart = next
        return true
    }

    /// The number of elements to make room for in the current array: that of the last array on this
    /// level, up to 16.
    @usableFromInline
    var expectedCount: Int {
        min(max(top.pointee.lastCount, 1), 16)
    }

    /// Leaves an array and skips the remaining elements.
    ///
    /// - Returns: false if an element could not be read.
    public mutating func endList() -> Bool {
        guard top.pointee.kind == .list else { return false }
        while nextElement() {}
        top.pointee.lastCount = top.pointee.count
        let isWhole = !top.pointee.hasFailed && report.syntaxError == nil
        pop()
        return isWhole
    }

    // MARK: Maps

    /// Reads an object as a dictionary of `JSONReadable` values.
    ///
    /// - Returns: false, with the variable unchanged, if the value is not an object, or a key or
    ///   value cannot be read.
    @inlinable
    @discardableResult
    public mutating func map<K: JSONMapKey, V: JSONReadable>(_ values: inout [K: V]) -> Bool {
        map(&values, V.read)
    }

    /// Reads an object as a dictionary of `JSONReadable` values.
    @inlinable
    @discardableResult
    public mutating func map<K: JSONMapKey, V: JSONReadable>(_ values: inout [K: V]?) -> Bool {
        map(&values, V.read)
    }

    /// Reads an object as a dictionary with a closure that reads one value.
    @inlinable
    @discardableResult
    public mutating func map<K: JSONMapKey, V>(
        _ values: inout [K: V], _ value: (inout JSONReader) -> V?
    ) -> Bool {
        guard let read: [K: V] = dictionary(value) else { return false }
        values = read
        return true
    }

    /// Reads an object as a dictionary with a closure that reads one value.
    @inlinable
    @discardableResult
    public mutating func map<K: JSONMapKey, V>(
        _ values: inout [K: V]?, _ value: (inout JSONReader) -> V?
    ) -> Bool {
        guard let read: [K: V] = dictionary(value) else { return false }
        values = read
        return true
    }

    /// Reads an object as a dictionary of `JSONReadable` values; nil if it cannot be read.
    @inlinable
    public mutating func dictionary<K: JSONMapKey, V: JSONReadable>() -> [K: V]? {
        dictionary(V.read)
    }

    /// Reads an object as a dictionary with a closure that reads one value; nil if it cannot be
    /// read. A duplicate key violates the rule `duplicate`, and its last value is kept. This
    /// includes keys with different code units that are equal in Swift, because a dictionary cannot
    /// hold both.
    @inlinable
    public mutating func dictionary<K: JSONMapKey, V>(
        _ value: (inout JSONReader) -> V?
    ) -> [K: V]? {
        guard beginMap() else { return nil }
        var values: [K: V] = [:]
        let level = self.level
        while let text = nextKey() {
            guard let key = mapKey(text, K.self) else { continue }
            let value = value(&self)
            if self.level != level { finishValue(level) }
            guard let value else {
                markFailed()
                continue
            }
            if values.updateValue(value, forKey: key) != nil {
                reportDuplicate(text, in: values, key: key)
            }
        }
        return endMap() ? values : nil
    }

    /// Enters an object whose keys are data.
    ///
    /// - Returns: false if the value is of another type; a violation was recorded and the value
    ///   skipped.
    public mutating func beginMap() -> Bool {
        guard next < end, next.pointee == ASCII.openBrace else {
            mismatch("an object")
            return false
        }
        guard push(.map) else { return false }
        next += 1
        return true
    }

    /// Moves to the value of the next key of a map; nil at its end.
    public mutating func nextKey() -> String? {
        nextRawKey().map { Self.text(raw: $0.0) }
    }

    /// Moves to the value of the next key of a map; whether it is this one, or nil at the end.
    mutating func nextKey(is key: String) -> Bool? {
        guard let (raw, hasEscape) = nextRawKey() else { return nil }
        if hasEscape { return Self.text(raw: raw).isExactly(key) }
        guard let start = raw.baseAddress, raw.count == key.utf8.count else { return false }
        var key = key
        return key.withUTF8 { text in
            text.baseAddress.map { JSONBytes.isEqual($0, start, length: raw.count) } ?? true
        }
    }

    private mutating func nextRawKey() -> (UnsafeBufferPointer<UInt8>, hasEscape: Bool)? {
        guard top.pointee.kind == .map, nextMember() else { return nil }
        guard let (key, hasEscape) = rawString() else { return nil }
        top.pointee.key = key
        top.pointee.index = top.pointee.count - 1
        guard colon() else { return nil }
        top.pointee.valueStart = next
        return (key, hasEscape)
    }

    /// Leaves a map and skips the remaining members.
    ///
    /// - Returns: false if a key or value could not be read.
    public mutating func endMap() -> Bool {
        guard top.pointee.kind == .map else { return false }
        while nextRawKey() != nil {}
        let isWhole = !top.pointee.hasFailed && report.syntaxError == nil
        pop()
        return isWhole
    }

    /// Reports a duplicate key, even if it has another spelling.
    @usableFromInline
    @inline(never)
    mutating func reportDuplicate<K: JSONMapKey, V>(_ text: String, in values: [K: V], key: K) {
        // A dictionary keeps the first of two equal keys.
        let first = values.index(forKey: key).map { values.keys[$0].jsonKey }
        let isSame = first?.isExactly(text) ?? true
        reportDuplicate(text, found: isSame ? "it again" : "it again, spelt otherwise")
    }

    /// The typed form of a map's key. If there is none, the key violates its type.
    @usableFromInline
    mutating func mapKey<K: JSONMapKey>(_ text: String, _ type: K.Type) -> K? {
        if let key = K(jsonKey: text) { return key }
        fail(expected: "a key that is \(K.jsonKeyForm)", found: text)
        return nil
    }
}
