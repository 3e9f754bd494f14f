import Foundation
import TelexJSON
import TelexTemplater

/// Runs a store of templates in a process of its own, so that tests can end it at any moment.
///
/// Usage: `templater-process FOLDER HOME COMMAND…`. Each command prints a line: its result, or the
/// error.
@main
struct TemplaterProcess {
    private static let end = Lock(0)

    private var words = CommandLine.arguments.dropFirst()

    static func main() async {
        var process = TemplaterProcess()
        let templater = Templater(folder: process.next(), home: process.next(), checkpoint: step)
        while let command = process.words.popFirst() { await process.run(command, templater) }
    }

    private mutating func next() -> String { words.popFirst() ?? "" }

    private mutating func number() -> Int { Int(next()) ?? 0 }

    private mutating func run(_ command: String, _ templater: Templater) async {
        switch command {
        case "end-at":
            let step = number()
            Self.end.withLock { $0 = step }
        case "limit-files": limitFiles(to: number())
        case "write":
            let (method, size) = (next(), number())
            await report {
                try await templater.write(reply(0, size: size), for: method)
                return "written"
            }
        case "write-many":
            for mark in 0..<number() {
                await report {
                    try await templater.write(reply(mark, size: 50_000), for: "users.get")
                    return "\(mark)"
                }
            }
        case "move":
            let folder = URL(filePath: next())
            await report {
                try await templater.move(to: folder)
                return "moved"
            }
        case "unpack":
            let (archive, version) = (URL(filePath: next()), next())
            await report {
                try await templater.unpack(archive: archive, version: version)
                    .joined(separator: " ")
            }
        default: print("error: there is no command \(command)")
        }
    }

    private func report(_ work: () async throws -> String) async {
        do { print(try await work()) } catch let error as TemplaterError {
            print("error: \(error.reason) \(error.path)")
        } catch { print("error: \(error)") }
        fflush(nil)
    }

    /// A reply of about this many bytes.
    private func reply(_ mark: Int, size: Int) -> [UInt8] {
        Array(#"{"mark":\#(mark),"text":"\#(String(repeating: "x", count: size))"}"#.utf8)
    }

    /// Ends the process as a crash would, before the chosen step.
    @Sendable private static func step() {
        let isEnd = end.withLock { count in
            count -= 1
            return count == 0
        }
        if isEnd { kill(getpid(), SIGKILL) }
    }

    /// Has the system refuse to write files beyond a size.
    private func limitFiles(to size: Int) {
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let kind = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        getrlimit(kind, &limit)
        limit.rlim_cur = rlim_t(size)
        setrlimit(kind, &limit)
        signal(SIGXFSZ, SIG_IGN)
    }
}
