/// One step of a path into a JSON document: `["errors", 0, "detail"]`.
public enum JSONStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// The member of an object.
    case key(String)
    /// The element of a list, counted from 0.
    case index(Int)
    /// Each element of a list.
    case each

    /// Creates ``key(_:)``.
    public init(stringLiteral key: String) { self = .key(key) }

    /// Creates ``index(_:)``.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension JSONReader {
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
            _ = json.visit(path[...]) { json in
                let first = json.next - json.start
                json.skipValue()
                guard json.report.syntaxError == nil else { return false }
                ranges.append(first..<json.next - json.start)
                return ranges.count < limit
            }
        }
        return ranges.map { bytes[$0] }
    }

    /// Calls `body` at each value of a path until it returns false.
    ///
    /// - Returns: Whether to go on.
    mutating func visit(
        _ path: ArraySlice<JSONStep>, _ body: (inout JSONReader) -> Bool
    ) -> Bool {
        guard let step = path.first else { return body(&self) }
        switch step {
        case .key(let key):
            guard kind == .object, beginMap() else { return true }
            while let name = nextKey() {
                guard name.isExactly(key) else { continue }
                guard visit(path.dropFirst(), body) else { return false }
                break
            }
            _ = endMap()
        case .index, .each:
            guard kind == .array, beginList() else { return true }
            var position = 0
            while nextElement() {
                let isWanted = step == .each || step == .index(position)
                position += 1
                if isWanted, !visit(path.dropFirst(), body) { return false }
            }
            _ = endList()
        }
        return report.syntaxError == nil
    }
}
