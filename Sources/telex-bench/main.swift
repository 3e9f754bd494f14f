// Benchmarks, each beside a baseline or a goal: `swift run -c release telex-bench NAME`.

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "json": JSONBenchmark.run()
case "compile": CompilerBenchmark.run()
case "emitted" where arguments.count == 2:
    try CompilerBenchmark.emitted(methods: 60, modules: arguments[1])
case "engine" where arguments.count <= 2:
    let isReached = try await EngineBenchmark.run(
        only: arguments.count == 2 ? arguments[1] : nil)
    if !isReached { exit(1) }
case DownloadProcess.command where arguments.count == 3:
    exit(await DownloadProcess.run(from: arguments[1], to: arguments[2]) ? 0 : 1)
case "simulate" where arguments.count == 3:
    await SimulationBenchmark.run(from: arguments[1], to: arguments[2])
case "soak" where arguments.count == 1: exit(try await SoakBenchmark.run(minutes: 3) ? 0 : 1)
case "soak"
where arguments.count == 3 && arguments[1] == "--minutes" && Double(arguments[2]) != nil:
    exit(try await SoakBenchmark.run(minutes: Double(arguments[2]) ?? 3) ? 0 : 1)
default:
    print(
        """
        usage: telex-bench json             map and write JSON, beside JSONDecoder and JSONEncoder
               telex-bench compile          check and emit specs of 10 to 1200 methods
               telex-bench emitted MODULES  compile 60 generated methods; MODULES is the folder of
                                            compiled modules, such as .build/debug/Modules
               telex-bench engine [NAME]    the numbers that the engine has to reach, or one of them;
                                            fail if one is missed
               telex-bench simulate A B     run the simulated engine with the seeds A to B
               telex-bench soak [--minutes N]
                                            run everything at once against a server that misbehaves,
                                            for 3 minutes by default; fail if anything is left over
        """)
}
