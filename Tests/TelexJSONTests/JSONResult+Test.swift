import TelexJSON

/// Reads a document of text.
func read<T>(
    _ text: String, at path: [JSONStep] = [], limits: JSONLimits = JSONLimits(),
    checks: JSONChecks = .all, _ body: (inout JSONReader) -> T?
) -> JSONResult<T> {
    JSONReader.read(Array(text.utf8), at: path, limits: limits, checks: checks, body)
}

/// Reads a value of a `JSONReadable` type.
func value<T: JSONReadable>(_ text: String, as type: T.Type = T.self) -> T? {
    let result: JSONResult<T> = read(text) { $0.value() }
    return result.value
}

extension JSONResult {
    /// Each violation as `path: rule`.
    var summary: [String] { violations.map { "\($0.path): \($0.rule)" } }
}

extension JSONWriter {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
