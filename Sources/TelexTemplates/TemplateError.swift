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

    init(_ problem: TemplateProblem, _ lines: TemplateLines) {
        (line, column) = lines.place(of: problem.range.lowerBound)
        message = problem.message
        help = problem.help
    }

    init(_ error: TemplateSyntaxError, _ lines: TemplateLines) {
        (line, column) = lines.place(of: error.range.lowerBound)
        message = error.message
        help = error.help
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

/// The lines of a template.
struct TemplateLines {
    /// The offset of the first byte of each line.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// The line and the column in bytes of an offset, both from 1.
    func place(of offset: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - starts[low] + 1)
    }
}
