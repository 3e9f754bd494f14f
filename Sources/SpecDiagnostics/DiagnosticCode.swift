/// The severity of a diagnostic.
public enum Severity: String, Sendable {
    /// Nothing is generated.
    case error
    /// The spec compiles.
    case warning
}

/// A file of the example that belongs to a code.
public struct ExampleFile: Sendable {
    /// The path inside the spec folder, as `users.yaml`.
    public let path: String
    /// The content of the file.
    public let bytes: [UInt8]

    /// A file given as text.
    public init(_ path: String, _ text: String) {
        self.init(path, bytes: Array(text.utf8))
    }

    /// A file given as bytes.
    public init(_ path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The bytes as text, bad UTF-8 replaced by U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A kind of mistake, with a name that never changes. The entries are the files of `Catalogue`.
public struct DiagnosticCode: Hashable, Sendable {
    /// The permanent name, as `T0101`. It is never given to another kind of mistake.
    public let id: String
    /// The mistake in a few words, lower case.
    public let title: String
    /// Whether it stops the compiler.
    public let severity: Severity
    /// Its meaning, its reason and its fix; Markdown.
    public let explanation: String
    /// A spec folder with this mistake and no other; empty when no file's content can cause it.
    public let example: [ExampleFile]

    /// An entry of the catalogue.
    init(
        _ id: String, _ title: String, severity: Severity = .error, example: [ExampleFile],
        explanation: String
    ) {
        self.id = id
        self.title = title
        self.severity = severity
        self.example = example
        self.explanation = explanation
    }

    /// Codes with the same name are equal.
    public static func == (left: DiagnosticCode, right: DiagnosticCode) -> Bool {
        left.id == right.id
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
