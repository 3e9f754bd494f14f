// Benchmarks beside baselines: `swift run -c release telex-bench json`.
let benchmarks: [String: () -> Void] = ["json": JSONBenchmark.run]

if let run = CommandLine.arguments.dropFirst().first.flatMap({ benchmarks[$0] }) {
    run()
} else {
    print("usage: telex-bench \(benchmarks.keys.sorted().joined(separator: " | "))")
}
