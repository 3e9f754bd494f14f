import SpecDiagnostics

/// A spec folder in memory. The compiler itself does no I/O.
public struct SpecFolder: Sendable {
    /// One file of the folder.
    public struct File: Sendable {
        /// Its path relative to the folder, with `/`.
        public var relativePath: String
        /// Its path as messages show it.
        public var shownPath: String
        /// Its content, unchecked.
        public var bytes: [UInt8]

        /// Creates a file.
        public init(relativePath: String, shownPath: String, bytes: [UInt8]) {
            self.relativePath = relativePath
            self.shownPath = shownPath
            self.bytes = bytes
        }
    }

    /// A part of the folder that could not be read.
    public struct Problem: Sendable {
        /// The code.
        public var code: DiagnosticCode
        /// The path, as messages show it.
        public var shownPath: String
        /// The message in one line.
        public var message: String
        /// The fix, if it is known.
        public var help: String?

        /// Creates a problem.
        public init(
            _ code: DiagnosticCode, _ message: String, at shownPath: String, help: String? = nil
        ) {
            self.code = code
            self.message = message
            self.shownPath = shownPath
            self.help = help
        }
    }

    /// The folder's path as messages show it.
    public var shownPath: String
    /// The YAML files and the templates of replies, in any order.
    public var files: [File]
    /// The parts that could not be read.
    public var problems: [Problem]

    /// Creates a folder.
    public init(shownPath: String, files: [File], problems: [Problem] = []) {
        self.shownPath = shownPath
        self.files = files
        self.problems = problems
    }
}
