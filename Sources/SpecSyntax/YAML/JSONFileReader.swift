import SpecDiagnostics

/// Reads JSON (RFC 8259) into the nodes that YAML has: faster than as YAML, with the escapes that
/// only JSON has (surrogate pairs), and with messages about JSON.
package enum JSONFileReader {
    /// Whether a file begins as a JSON object or list does.
    package static func accepts(_ file: SourceFile) -> Bool {
        let first = file.bytes.dropFirst(file.byteOrderMarkSize).first {
            ![9, 10, 13, 32].contains($0)
        }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads the value of a file. Returns nil after a syntax error; a repeated key is reported and
    /// dropped.
    package static func read(_ file: SourceFile, into bag: inout DiagnosticBag) -> YAMLNode? {
        var precheck = YAMLPrecheck(file)
        guard precheck.passes(reportingTo: &bag) else { return nil }
        return file.bytes.withUnsafeBufferPointer { bytes in
            var builder = JSONBuilder(file, bytes)
            defer { bag.report(contentsOf: builder.bag) }
            do throws(JSONProblem) {
                return try builder.build()
            } catch {
                let end = min(error.offset + 1, bytes.count)
                builder.bag.report(
                    error.code, error.message, at: file.span(error.offset..<end),
                    help: error.help)
                return nil
            }
        }
    }
}

private struct JSONProblem: Error {
    var code = DiagnosticCode.jsonSyntax
    let offset: Int
    let message: String
    var help: String?
}

private struct JSONBuilder {
    private let file: SourceFile
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset: Int
    private var records: [YAMLRecord] = []
    private var children: [Int32] = []
    private var texts: [String] = []
    /// The children of the collections that are still open.
    private var openChildren: [Int32] = []
    var bag = DiagnosticBag()

    init(_ file: SourceFile, _ bytes: UnsafeBufferPointer<UInt8>) {
        self.file = file
        self.bytes = bytes
        offset = file.byteOrderMarkSize
        records.reserveCapacity(bytes.count / 16)
        texts.reserveCapacity(bytes.count / 16)
        children.reserveCapacity(bytes.count / 16)
    }

    /// An object or a list that is still open. Without recursion, the depth costs no stack.
    private struct Frame {
        let record: Int
        let isObject: Bool
        /// The index of its first child among the open ones.
        let first: Int
        var keys = KeySet()
        /// The key of the next value, and an earlier one that is equal.
        var key: Int32 = 0
        var earlier: Int32?

        var end: UInt8 { UInt8(ascii: isObject ? "}" : "]") }
    }

    private var frames: [Frame] = []

    mutating func build() throws(JSONProblem) -> YAMLNode? {
        try checkUTF8()
        let root = try value()
        skipSpace()
        guard offset == bytes.count else { throw expected("the end of the file") }
        return YAMLNode(
            YAMLDocument(file: file.id, records: records, children: children, texts: texts), root)
    }

    private func checkUTF8() throws(JSONProblem) {
        var text = String(decoding: bytes, as: UTF8.self).utf8.makeIterator()
        guard let first = bytes.firstIndex(where: { $0 != text.next() }) else { return }
        throw JSONProblem(
            code: .notUTF8, offset: first, message: "expected UTF-8, found another byte",
            help: "save the file as UTF-8")
    }

    // MARK: Values

    /// Reads a value with all that is in it.
    private mutating func value() throws(JSONProblem) -> Int32 {
        while true {
            guard var value = try start() else { continue }
            while !frames.isEmpty {
                attach(value)
                guard try isAtEnd() else { break }
                value = close()
            }
            if frames.isEmpty { return value }
        }
    }

    /// Reads a scalar or an empty collection; nil after the start of a collection with children.
    private mutating func start() throws(JSONProblem) -> Int32? {
        skipSpace()
        guard offset < bytes.count else { throw expected("a value") }
        let start = offset
        switch bytes[offset] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try open()
        case UInt8(ascii: "\""):
            let text = try string()
            return append(text, start, isPlain: false)
        default:
            while offset < bytes.count, Self.isWordByte(bytes[offset]) { offset += 1 }
            let word = String(decoding: bytes[start..<offset], as: UTF8.self)
            guard ["true", "false", "null"].contains(word) || Self.isNumber(word) else {
                offset = start
                throw expected("a value")
            }
            return append(word, start, isPlain: true)
        }
    }

    private mutating func append(_ text: String, _ start: Int, isPlain: Bool) -> Int32 {
        records.append(
            YAMLRecord(
                kind: .scalar, isPlain: isPlain, isVerbatim: isPlain, start: Int32(start),
                end: Int32(offset), first: Int32(texts.count)))
        texts.append(text)
        return Int32(records.count - 1)
    }

    private mutating func open() throws(JSONProblem) -> Int32? {
        guard frames.count < YAMLLimits.depth else {
            throw JSONProblem(
                code: .nestingTooDeep, offset: offset,
                message: "expected at most \(YAMLLimits.depth) levels of nesting, found more")
        }
        let isObject = bytes[offset] == UInt8(ascii: "{")
        frames.append(Frame(record: records.count, isObject: isObject, first: openChildren.count))
        records.append(
            YAMLRecord(
                kind: isObject ? .mapping : .sequence, start: Int32(offset), end: 0, first: 0))
        offset += 1
        skipSpace()
        if offset < bytes.count, bytes[offset] == frames[frames.count - 1].end { return close() }
        if isObject { try key() }
        return nil
    }

    /// Whether the innermost collection ends here; otherwise its next value, or key, follows.
    private mutating func isAtEnd() throws(JSONProblem) -> Bool {
        let frame = frames[frames.count - 1]
        skipSpace()
        if offset < bytes.count, bytes[offset] == frame.end { return true }
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ",") else {
            throw expected("`,` or `\(frame.isObject ? "}" : "]")`")
        }
        offset += 1
        skipSpace()
        if offset < bytes.count, bytes[offset] == frame.end {
            throw expected("a value after the comma")
        }
        if frame.isObject { try key() }
        return false
    }

    private mutating func close() -> Int32 {
        offset += 1
        let frame = frames.removeLast()
        records[frame.record].end = Int32(offset)
        records[frame.record].first = Int32(children.count)
        records[frame.record].count = Int32(openChildren.count - frame.first)
        children += openChildren[frame.first...]
        openChildren.removeLast(openChildren.count - frame.first)
        return Int32(frame.record)
    }

    private mutating func key() throws(JSONProblem) {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
            throw expected("a key in double quotes")
        }
        let start = offset
        let text = try string()
        let key = append(text, start, isPlain: false)
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else {
            throw expected("`:`")
        }
        offset += 1
        frames[frames.count - 1].key = key
        frames[frames.count - 1].earlier = frames[frames.count - 1].keys.insert(text, key)
    }

    /// Adds a value to the innermost collection; that of a repeated key is reported instead.
    private mutating func attach(_ value: Int32) {
        let frame = frames[frames.count - 1]
        guard let earlier = frame.earlier else {
            openChildren += frame.isObject ? [frame.key, value] : [value]
            return
        }
        bag.report(
            .duplicateKey,
            "the key `\(texts[Int(records[Int(frame.key)].first)])` is written twice in one object",
            at: span(frame.key), label: "second time",
            notes: [Diagnostic.Note("first written here", at: span(earlier))],
            help: "delete one of the two, or rename it")
    }

    private func span(_ record: Int32) -> Span {
        let record = records[Int(record)]
        return Span(file: file.id, start: record.start, end: record.end)
    }

    // MARK: Texts

    private mutating func string() throws(JSONProblem) -> String {
        let start = offset + 1
        offset = start
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            if bytes[offset] == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard bytes[offset] >= 0x20 else {
                throw expected("an escape, found a control character")
            }
            offset += 1
        }
        guard offset < bytes.count else { throw expected("`\"` at the end of the text") }
        defer { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func escapedString(from start: Int) throws(JSONProblem) -> String {
        var text = Array(bytes[start..<offset])
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            guard bytes[offset] >= 0x20 else {
                throw expected("an escape, found a control character")
            }
            if bytes[offset] == UInt8(ascii: "\\") {
                text += try escape()
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        guard offset < bytes.count else { throw expected("`\"` at the end of the text") }
        offset += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape() throws(JSONProblem) -> [UInt8] {
        let place = offset
        offset += 2
        switch offset <= bytes.count ? bytes[place + 1] : 0 {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[place + 1]]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"): break
        default:
            throw JSONProblem(offset: place, message: "expected an escape of JSON")
        }
        let units = try codeUnits(place)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The code unit of `\u`, and the one behind it that completes a pair.
    private mutating func codeUnits(_ place: Int) throws(JSONProblem) -> [UInt16] {
        let first = try codeUnit(place)
        guard UTF16.isLeadSurrogate(first), offset + 1 < bytes.count,
            bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return [first] }
        let next = offset
        offset += 2
        let second = try codeUnit(next)
        if UTF16.isTrailSurrogate(second) { return [first, second] }
        offset = next
        return [first]
    }

    private mutating func codeUnit(_ place: Int) throws(JSONProblem) -> UInt16 {
        let end = min(offset + 4, bytes.count)
        let digits = String(decoding: bytes[offset..<end], as: UTF8.self)
        guard digits.utf8.count == 4, digits.first != "+", digits.first != "-",
            let unit = UInt16(digits, radix: 16)
        else {
            throw JSONProblem(
                offset: place, message: "expected four hexadecimal digits behind `\\u`")
        }
        offset = end
        return unit
    }

    // MARK: Characters

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isNumber(_ word: String) -> Bool {
        word.first != "+" && word.first != "." && DecimalNumber(word) != nil
    }

    private func expected(_ what: String) -> JSONProblem {
        JSONProblem(
            offset: min(offset, max(0, bytes.count - 1)),
            message: "this is no JSON: expected \(what)")
    }
}
