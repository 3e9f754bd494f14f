import Foundation
import TelexRuntime

/// Makes random operations and suspends, resumes and cancels them at random, as users do.
struct SoakClient: Sendable {
    let manager: APIManager<SoakAPI>
    /// The server of the current round.
    let server: @Sendable () -> ServerChoice
    /// The folder for downloads; `SoakBenchmark` removes it.
    let folder: URL
    let tally: SoakTally

    private var options: CallOptions { CallOptions(server: server()) }

    /// Runs one operation, or a group, to the end.
    func step(_ number: Int) async {
        switch Int.random(in: 0..<12) {
        case 0: await fault()
        case 1: await download(to: folder.appendingPathComponent("\(number).bin").path)
        case 2, 3: await stream()
        case 4: await group()
        case 5: await upload()
        case 6: _ = manager.operation(SoakAPI.user(number), options: options)
        default: await user(number)
        }
    }

    /// Uploads a file. The server checks whether it arrives complete.
    private func upload() async {
        let call = manager.operation(
            SoakAPI.upload(ofSize: .random(in: 0..<10_000)), options: options)
        await finish(call) { true }
    }

    private func user(_ id: Int) async {
        let call = manager.operation(SoakAPI.user(id), options: options)
        await finish(call) { (try? await call.value)?.id == id }
    }

    private func fault() async {
        let request = SoakAPI.fault(.random(in: tally.faults.indices))
        await finish(manager.operation(request, options: options)) { true }
    }

    private func download(to path: String) async {
        let call = manager.operation(SoakAPI.file(to: path), options: options)
        await finish(call) {
            FileManager.default.contents(atPath: path).map(Array.init) == SoakServer.content
        }
        for end in ["", ".part", ".part.json"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }

    /// Reads a stream to the end, or stops earlier.
    private func stream() async {
        let call = manager.operation(SoakAPI.events(), options: options)
        let last = Int.random(in: 0..<SoakServer.events * 2)
        let reader = Task {
            var next = 0
            do {
                for try await user in call.elements {
                    guard user.id == next else {
                        tally.wrong("element \(next) is \(user.id)")
                        break
                    }
                    next += 1
                    if next > last { break }
                }
            } catch {}
            return next
        }
        let count = await reader.value
        await finish(call) { count == min(last + 1, SoakServer.events) }
    }

    private func group() async {
        let (manager, options) = (manager, options)
        let group = manager.group { group in
            try await withThrowingTaskGroup { tasks in
                for id in 0..<5 {
                    tasks.addTask {
                        let call = manager.operation(SoakAPI.user(id), options: options)
                        _ = try await group.run(call)
                    }
                }
                try await tasks.waitForAll()
            }
        }
        await finish(group) { true }
    }

    /// Starts an operation, suspends or cancels it at random, and waits for its end.
    ///
    /// - Parameter isRight: Returns whether the value is correct; called after a success.
    private func finish<Output>(
        _ operation: NetworkOperation<Output>, _ isRight: () async -> Bool
    ) async {
        operation.start()
        for _ in 0..<max(0, .random(in: -6..<4)) {
            if Bool.random() { operation.toggle() } else { await pause() }
        }
        if Int.random(in: 0..<5) == 0 { operation.cancel() }
        operation.resume()
        _ = try? await operation.value
        tally.count(operation.method, operation.state)
        if operation.state == .succeeded, await !isRight() {
            tally.wrong("\(operation.method) has a wrong value")
        }
    }

    private func pause() async { try? await Task.sleep(for: .microseconds(.random(in: 0..<3_000))) }
}
