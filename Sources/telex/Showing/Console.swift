import Foundation

/// The two streams of the process. Each text goes out in one piece. Nobody reading is no failure; a
/// full disk is one, and ends the run: what was asked for is not there.
enum Console {
    /// Writes what was asked for.
    static func print(_ text: String) {
        guard let error = write(text, to: STDOUT_FILENO) else { return }
        printError(
            "error: standard output cannot be written: \(String(cString: strerror(error)))\n")
        exit(EXIT_FAILURE)
    }

    /// Writes what a person should know.
    static func printError(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Whether standard error is read by a person.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether a person at a terminal wants colours (https://no-color.org).
    static var wantsColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        let refuses = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return isTerminal && !refuses && environment["TERM"] != "dumb"
    }

    /// - Returns: Why not all of it could be written, as an error number of the system.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var rest = Array(text.utf8)[...]
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
