import Foundation
import TelexRuntime
import TelexTesting
import TelexURLSession
import VKClient

/// Demonstrates Telex without a network and an account: compiles a spec, starts a local server that
/// imitates VK, and calls it with the generated client.
@main
struct Demo {
    static func main() async {
        do {
            try CompilerDemo.run()
            try await ClientDemo.run()
        } catch {
            FileHandle.standardError.write(Data("demo: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// Prints the output of the demo.
enum DemoConsole {
    private static let isColored =
        isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

    /// A headline.
    static func title(_ text: String) {
        print("\n" + (isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text))
    }

    /// Lines below a headline, indented.
    static func say(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            print(line.isEmpty ? "" : "  " + line)
        }
    }
}

/// An error that stops the demo.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String
}
