extension JSONReader {
    /// The value at a key path, without reading anything else. If a key is duplicate, its first
    /// value.
    ///
    /// - Parameters:
    ///   - path: keys of nested objects; empty for the whole document.
    ///   - bytes: the document.
    ///   - limits: bounds of its size and depth.
    /// - Returns: nil if there is no such path, or if the document up to the value's end is not
    ///   JSON.
    public static func value(
        at path: [String], in bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) -> JSONValue? {
        probe(at: path, in: bytes, limits: limits) { json in json.value() }
    }

    /// The bytes of the value at a key path, without reading anything else.
    ///
    /// - Returns: nil if there is no such path, or if the document up to the value's end is not
    ///   JSON.
    public static func bytes(
        at path: [String], in bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) -> ArraySlice<UInt8>? {
        let range = probe(at: path, in: bytes, limits: limits) { json -> Range<Int>? in
            let first = json.next - json.start
            json.skipValue()
            return json.report.syntaxError == nil ? first..<json.next - json.start : nil
        }
        return range.map { bytes[$0] }
    }

    /// The syntax error of a document; nil if it is JSON within the limits.
    public static func syntaxError(
        in bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) -> JSONSyntaxError? {
        read(bytes, limits: limits, checks: []) { json -> Bool? in true }.report.syntaxError
    }

    private static func probe<T>(
        at path: [String], in bytes: [UInt8], limits: JSONLimits,
        _ body: (inout JSONReader) -> T?
    ) -> T? {
        var found: T?
        let steps = path.map(JSONStep.key)
        probe(bytes, limits: limits) { json in
            _ = json.walk(steps[...]) { json in
                let value = body(&json)
                if json.report.syntaxError == nil { found = value }
                return false
            }
        }
        return found
    }

    /// Reads a document as far as `body` does.
    static func probe(
        _ bytes: [UInt8], limits: JSONLimits, _ body: (inout JSONReader) -> Void
    ) {
        var limits = limits
        limits.violations = 0
        _ = read(bytes, limits: limits, checks: []) { json -> Bool? in
            json.mayMiss = true
            body(&json)
            // The rest of the document is skipped.
            json.next = json.end
            return true
        }
    }
}
