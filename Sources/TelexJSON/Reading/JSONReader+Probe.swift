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
        var found: JSONValue?
        probe(bytes, limits: limits) { json in
            _ = json.walk(path.map(JSONStep.key)[...]) { json in
                let value: JSONValue? = json.value()
                if json.report.syntaxError == nil { found = value }
                return false
            }
        }
        return found
    }

    /// The bytes of the value at a key path, without reading anything else.
    ///
    /// - Returns: nil if there is no such path, or if the document up to the value's end is not
    ///   JSON.
    public static func bytes(
        at path: [String], in bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) -> ArraySlice<UInt8>? {
        self.bytes(atEach: path.map(JSONStep.key), in: bytes, limits: limits, upTo: 1).first
    }

    /// The syntax error of a document; nil if it is JSON within the limits.
    public static func syntaxError(
        in bytes: [UInt8], limits: JSONLimits = JSONLimits()
    ) -> JSONSyntaxError? {
        read(bytes, limits: limits, checks: []) { json -> Bool? in true }.report.syntaxError
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
