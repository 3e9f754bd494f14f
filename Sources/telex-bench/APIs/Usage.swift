import Foundation

/// What a program cost, with the processes that it started and waited for.
struct Usage {
    /// User and system time, in seconds.
    private(set) var seconds = 0.0
    /// The largest memory of one of the processes, in bytes.
    private(set) var peak = 0

    /// Runs a program of the `PATH` in a folder. It inherits standard error.
    ///
    /// - Parameters:
    ///   - arguments: The name of the program, and its arguments.
    ///   - folder: The path of its folder.
    /// - Returns: Its standard output, and what it cost.
    /// - Throws: `BenchmarkFailure` if it fails.
    static func of(
        _ arguments: [String], in folder: String
    ) throws -> (output: String, usage: Usage) {
        // The shell becomes the program: posix_spawn cannot change the folder on every system.
        let words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder] + arguments
        let pipe = Pipe()
        var actions = SpawnActions.empty
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = pipe.fileHandleForWriting
        posix_spawn_file_actions_adddup2(&actions, writing.fileDescriptor, 1)
        posix_spawn_file_actions_addclose(&actions, pipe.fileHandleForReading.fileDescriptor)
        var process = pid_t()
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let status = posix_spawn(&process, words[0], &actions, nil, &pointers, environ)
        guard status == 0 else { throw BenchmarkFailure("\(arguments[0]) could not be started") }
        try writing.close()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        let usage = try Usage(waitingFor: process, arguments[0])
        return (String(decoding: output, as: UTF8.self), usage)
    }

    /// Waits for the end of a process.
    private init(waitingFor process: pid_t, _ name: String) throws {
        var usage = rusage()
        var status: Int32 = 0
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw BenchmarkFailure("\(name) was lost") }
        }
        // Zero: it has exited by itself, with code 0.
        guard status == 0 else { throw BenchmarkFailure("\(name) failed") }
        seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        #if canImport(Darwin)
            peak = usage.ru_maxrss
        #else
            peak = usage.ru_maxrss * 1024
        #endif
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}

#if canImport(Darwin)
    private typealias SpawnActions = posix_spawn_file_actions_t?
    extension SpawnActions {
        fileprivate static var empty: Self { nil }
    }
#else
    private typealias SpawnActions = posix_spawn_file_actions_t
    extension SpawnActions {
        fileprivate static var empty: Self { Self() }
    }
#endif
