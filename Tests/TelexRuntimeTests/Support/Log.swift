import TelexJSON

/// Collects lines from any thread.
final class Log: Sendable {
    private let lines = Lock<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}
