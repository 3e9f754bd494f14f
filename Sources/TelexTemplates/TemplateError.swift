import TemplateRules

/// A mistake in the text of a template.
public struct TemplateMistake: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
    /// What is wrong.
    public let message: String
    /// The fix; nil if it is not known.
    public let help: String?

    init(_ message: String, help: String?, at offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        line = before.count { $0 == 0x0A } + 1
        column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        self.message = message
        self.help = help
    }

    init(_ problem: TemplateProblem, in bytes: [UInt8]) {
        self.init(
            problem.message, help: problem.help, at: problem.range.lowerBound, in: bytes)
    }

    init(_ error: TemplateSyntaxError, in bytes: [UInt8]) {
        self.init(error.message, help: error.help, at: error.range.lowerBound, in: bytes)
    }

    /// The place, what is wrong, and the fix, in one line.
    public var description: String {
        "\(line):\(column): \(message)" + (help.map { "; \($0)" } ?? "")
    }
}

/// Why a text cannot be used as a template.
public struct TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistakes, in the order of the text; at least one.
    public let mistakes: [TemplateMistake]

    init(_ mistakes: [TemplateMistake]) {
        self.mistakes = mistakes
    }

    /// The mistakes, a line each.
    public var description: String { mistakes.map(\.description).joined(separator: "\n") }
}
