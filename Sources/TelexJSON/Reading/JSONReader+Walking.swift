/// Walks along paths into a document.
extension JSONReader {
    /// Calls `visit` at each value that a path leads to, until it returns false. A value on the way
    /// that is not the expected container is a violation; so is a missing one, unless `mayMiss`.
    ///
    /// - Returns: Whether to go on; false after a syntax error.
    mutating func walk(
        _ path: ArraySlice<JSONStep>, _ visit: (inout JSONReader) -> Bool
    ) -> Bool {
        guard let step = path.first else {
            top.pointee.valueStart = next
            return visit(&self)
        }
        if mayMiss, isNull() { return true }
        let rest = path.dropFirst()
        switch step {
        case .key(let key): return walk(key: key, rest, visit)
        case .index(let index): return walkList(at: index, step, rest, visit)
        case .each, .first: return walkList(at: 0, step, rest, visit)
        }
    }

    private mutating func walk(
        key: String, _ rest: ArraySlice<JSONStep>, _ visit: (inout JSONReader) -> Bool
    ) -> Bool {
        guard kind == .object else { return stop("an object with the key `\(key)`") }
        guard beginMap() else { return false }
        // The keys of the value itself are those of level 0.
        top.pointee.objectLevel = -1
        var wasFound = false
        while let isFound = nextKey(is: key) {
            guard isFound else {
                isOnlyMember = false
                continue
            }
            if wasFound { reportDuplicate(key) }
            guard !wasFound else { continue }
            wasFound = true
            guard walk(rest, visit) else { return false }
        }
        if !wasFound, !mayMiss, report.syntaxError == nil { reportMissing(key) }
        _ = endMap()
        return report.syntaxError == nil
    }

    /// Walks into the elements of a list that a step leads to.
    private mutating func walkList(
        at index: Int, _ step: JSONStep, _ rest: ArraySlice<JSONStep>,
        _ visit: (inout JSONReader) -> Bool
    ) -> Bool {
        guard kind == .array else { return stop("an array") }
        var wanted = index
        if index < 0 {
            guard let count = elementCount() else { return false }
            wanted += count
        }
        guard beginList() else { return false }
        let mayMiss = mayMiss
        if step == .each { self.mayMiss = true }
        defer { self.mayMiss = mayMiss }
        var wasFound = false
        while nextElement() {
            switch step {
            case .index where top.pointee.index != wanted: continue
            case .first where wasFound || !leads(rest): continue
            default: wasFound = true
            }
            guard walk(rest, visit) else { return false }
        }
        let count = top.pointee.count
        _ = endList()
        if !wasFound, !self.mayMiss, report.syntaxError == nil {
            let expected = step == .first ? "an element with the value" : "an element \(index)"
            reportMissing(element: expected, among: count)
        }
        return report.syntaxError == nil
    }

    /// Skips a value that is not the container that a path leads through, and records a violation.
    private mutating func stop(_ expected: String) -> Bool {
        mismatch(expected)
        return report.syntaxError == nil
    }

    /// The number of elements of the list at the current position, which is not consumed.
    private mutating func elementCount() -> Int? {
        let (first, level) = (next, level)
        guard beginList() else { return nil }
        while nextElement() {}
        let count = top.pointee.count
        return goBack(to: first, level: level) ? count : nil
    }

    /// Whether a path leads from the current value, which is not consumed, to one other than null.
    private mutating func leads(_ path: ArraySlice<JSONStep>) -> Bool {
        let (first, level, mayMiss) = (next, level, mayMiss)
        self.mayMiss = true
        defer { self.mayMiss = mayMiss }
        var isFound = false
        _ = walk(path) { json in
            isFound = json.kind != .null
            return !isFound
        }
        return goBack(to: first, level: level) && isFound
    }
}

extension JSONReader {
    /// Reads all values that a path leads to, and builds nothing else.
    ///
    /// - Parameters:
    ///   - bytes: The document, UTF-8.
    ///   - envelope: The steps to the value that the path begins at; a missing one is a violation.
    ///   - path: The further steps.
    ///   - mayMiss: Whether the path may end before a value: null or nothing at one of its steps.
    ///     Otherwise that is a violation, which names the step. A value of another type always is.
    ///   - limits: Limits of size, depth and number of violations.
    ///   - body: Reads one value; nil if it cannot be read.
    /// - Returns: The values in the order of the document; nil after any violation or syntax error.
    @inlinable
    public static func values<T>(
        _ bytes: [UInt8], in envelope: [JSONStep], at path: [JSONStep], mayMiss: Bool,
        limits: JSONLimits = JSONLimits(), _ body: (inout JSONReader) -> T?
    ) -> JSONResult<[T]> {
        var values: [T] = []
        let (report, _) = run(bytes, at: envelope, limits: limits, checks: .all) { json in
            json.readAll(at: path, mayMiss: mayMiss) { json in
                if let value = json.readValue(body) { values.append(value) }
            }
            return true
        }
        return JSONResult(value: report.isValid ? values : nil, report: report)
    }

    @usableFromInline
    mutating func readAll(
        at path: [JSONStep], mayMiss: Bool, _ body: (inout JSONReader) -> Void
    ) {
        self.mayMiss = mayMiss
        _ = walk(path[...]) { json in
            if !json.mayMiss || !json.isNull() { body(&json) }
            return true
        }
        self.mayMiss = false
    }

    /// The bytes of all values at a path, in the order of the document.
    ///
    /// - Parameters:
    ///   - path: The steps; empty for the whole document.
    ///   - limit: The most values to find.
    /// - Returns: The values up to the first syntax error.
    public static func bytes(
        atEach path: [JSONStep], in bytes: [UInt8], limits: JSONLimits = JSONLimits(),
        upTo limit: Int = 100
    ) -> [ArraySlice<UInt8>] {
        var ranges: [Range<Int>] = []
        probe(bytes, limits: limits) { json in
            _ = json.walk(path[...]) { json in
                let first = json.next - json.start
                json.skipValue()
                guard json.report.syntaxError == nil else { return false }
                ranges.append(first..<json.next - json.start)
                return ranges.count < limit
            }
        }
        return ranges.map { bytes[$0] }
    }
}
