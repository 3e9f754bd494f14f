import Foundation

/// The standard streams of the process. A closed pipe is not an error. A full disk is an error and
/// ends the run, because the output is incomplete.
enum Console {
    /// Writes to standard output.
    static func print(_ text: String) { write(Data(text.utf8)) }

    /// Writes bytes to standard output.
    static func write(_ bytes: Data) {
        guard let error = write(bytes, to: STDOUT_FILENO) else { return }
        printError(
            "error: standard output cannot be written: \(String(cString: strerror(error)))\n")
        exit(EXIT_FAILURE)
    }

    /// Writes to standard error.
    static func printError(_ text: String) {
        _ = write(Data(text.utf8), to: STDERR_FILENO)
    }

    /// Whether standard error is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether the process is a step of a workflow on GitHub.
    static var isInGitHubActions: Bool {
        ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true"
    }

    /// Whether the terminal supports and allows colours (https://no-color.org).
    static var wantsColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return isTerminal && !refuses && environment["TERM"] != "dumb"
    }

    /// - Returns: The `errno` of a failed write; `nil` after success or for a closed pipe.
    private static func write(_ bytes: Data, to descriptor: Int32) -> Int32? {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno == EPIPE ? nil : errno
            }
        }
        return nil
    }
}
