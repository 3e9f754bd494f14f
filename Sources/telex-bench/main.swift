// Benchmarks, each beside a baseline or a goal: `swift run -c release telex-bench NAME`.

import Foundation

/// Writes to standard error.
func complain(_ words: String) {
    FileHandle.standardError.write(Data("telex-bench: \(words)\n".utf8))
}

do {
    let command = try BenchmarkCommand(Array(CommandLine.arguments.dropFirst()))
    exit(try await command.run() ? 0 : 1)
} catch let error as UsageError {
    complain("\(error.description)\n\n\(BenchmarkCommand.usage)")
    exit(64)
} catch {
    complain("\(error)")
    exit(1)
}
