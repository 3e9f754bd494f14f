import Foundation

/// The two streams of the process. Each text goes out in one piece; nobody reading is no failure.
enum Console {
    /// Writes what was asked for.
    static func print(_ text: String) {
        write(text, to: .standardOutput)
    }

    /// Writes what a person should know.
    static func complain(_ text: String) {
        write(text, to: .standardError)
    }

    /// Whether standard error is read by a person.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether a person at a terminal wants colours (https://no-color.org).
    static var wantsColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return isTerminal && !refuses && environment["TERM"] != "dumb"
    }

    private static func write(_ text: String, to handle: FileHandle) {
        guard !text.isEmpty else { return }
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
