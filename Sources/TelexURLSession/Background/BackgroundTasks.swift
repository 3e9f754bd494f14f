import Foundation
import HTTPTypes
import Synchronization
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tasks of a background session, those that an earlier process left among them, and who waits
/// for them. What ends well although nobody waits is kept for the call that will be made again.
final class BackgroundTasks: Sendable {
    private struct State {
        var records: [Int: BackgroundRecord] = [:]
        /// Tasks that ended before those that were left could be asked for; nil afterwards.
        var ended: Set<Int>? = []
    }

    let store: ReplyStore
    private let state = Mutex(State())
    let events = BackgroundEvents()

    init(_ store: ReplyStore) {
        self.store = store
    }

    // MARK: Who waits for what

    /// A new task, of which `exchange` is told from now on.
    func add(
        _ task: URLSessionTask, _ name: TransferName, _ exchange: BackgroundExchange,
        cancel: @escaping @Sendable () -> Void
    ) {
        state.withLock {
            $0.records[task.taskIdentifier] = BackgroundRecord(
                exchange: exchange, cancel: cancel, name: name)
        }
        events.expectMore()
        exchange.wait(for: cancel)
    }

    /// A task that an earlier process left, unless it has ended meanwhile.
    func find(_ identifier: Int, _ name: TransferName, cancel: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard state.ended?.contains(identifier) != true else { return }
            state.records[identifier, default: BackgroundRecord()].name = name
            state.records[identifier]?.cancel = cancel
        }
    }

    /// All that were left have been found.
    func foundAll() { state.withLock { $0.ended = nil } }

    /// Lets `exchange` wait for a task with the same request that an earlier process left, and for
    /// which nobody waits.
    ///
    /// - Parameter launch: This process, whose tasks have their calls.
    /// - Returns: Whether there is one.
    func adopt(_ fingerprint: String, _ exchange: BackgroundExchange, in launch: UUID) -> Bool {
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            let free = state.records.first { _, record in
                record.name?.fingerprint == fingerprint && record.name?.launch != launch
                    && record.exchange == nil && record.cancel != nil && record.problem == nil
            }
            guard let identifier = free?.key else { return nil }
            state.records[identifier]?.exchange = exchange
            return free?.value.cancel
        }
        if let cancel { exchange.wait(for: cancel) }
        return cancel != nil
    }

    /// Ends the tasks for which nobody waits. Should one of them end well even so, that is not kept.
    func endUnwanted() {
        let cancels = state.withLock { state in
            state.records.filter { $0.value.exchange == nil }.compactMap { number, record in
                state.records[number]?.problem = .cancelled
                return record.cancel
            }
        }
        for cancel in cancels { cancel() }
    }

    private func exchange(_ task: URLSessionTask) -> BackgroundExchange? {
        state.withLock { $0.records[task.taskIdentifier]?.exchange }
    }

    // MARK: What the session tells

    /// Returns once the system has told what happened while the app was not there. For tasks that are
    /// left then, it may wake the app again, although there is no new one.
    func waitForEvents() async {
        if state.withLock({ !$0.records.isEmpty }) { events.expectMore() }
        await events.wait()
    }

    func sent(_ total: Int, _ task: URLSessionTask) { exchange(task)?.sent(total) }

    /// So many bytes are there, and so many are expected, or -1.
    func received(_ total: Int64, of expected: Int64, _ task: URLSessionTask) {
        let size = Int(clamping: max(total, expected))
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            guard let record = state.records[task.taskIdentifier], let exchange = record.exchange,
                size > exchange.limit, record.excess == nil
            else { return nil }
            state.records[task.taskIdentifier]?.excess = size
            return record.cancel
        }
        cancel?()
    }

    /// The body is at `location` until this returns.
    func finished(_ location: URL, _ task: URLSessionTask) {
        receive(task) { file in
            let place = try store.newFile()
            try FileManager.default.moveItem(at: location, to: place)
            file = place
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: place.path)
            ReplyStore.openWhileLocked(place)
        }
    }

    /// A piece of the reply to a task that sends a body.
    func received(_ data: Data, _ task: URLSessionTask) {
        receive(task) { file in
            let place = try file ?? store.newFile()
            if file == nil { try ReplyStore.write(Data(), to: place) }
            file = place
            let handle = try FileHandle(forWritingTo: place)
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: data)
        }
        let file = state.withLock { $0.records[task.taskIdentifier]?.file }
        received(Int64(file.flatMap(ReplyStore.size) ?? 0), of: -1, task)
    }

    /// - Parameter write: Writes to a file, and says which as soon as it is there.
    private func receive(_ task: URLSessionTask, _ write: (inout URL?) throws -> Void) {
        events.expectMore()
        let number = task.taskIdentifier
        var (file, problem) = state.withLock { state in
            (state.records[number]?.file, state.records[number]?.problem)
        }
        guard problem == nil else { return }
        do {
            try write(&file)
        } catch {
            problem = .notStored(error)
            BackgroundRecord.remove(file.take())
        }
        state.withLock { [file, problem] in
            $0.records[number, default: BackgroundRecord()].file = file
            if let problem { $0.records[number]?.problem = problem }
        }
    }

    /// The task is over.
    func complete(_ task: URLSessionTask, _ response: URLResponse?, _ error: (any Error)?) {
        events.expectMore()
        let number = task.taskIdentifier
        let record = state.withLock { $0.records[number] } ?? BackgroundRecord()
        let name = record.name ?? TransferName(task.taskDescription)
        if let name { store.removeRequestBody(name) }
        let (reply, isKept) = outcome(record, name, task, response, error)
        // Whoever began to wait while the reply was being kept is found here.
        let (exchange, isLeft) = state.withLock { state in
            state.ended?.insert(number)
            let last = state.records.removeValue(forKey: number)
            // What was forgotten meanwhile is nobody's any more.
            let isLeft = isKept && last?.exchange == nil && last?.problem == record.problem
            if isLeft, let name { store.release(name) }
            return (last?.exchange, isLeft)
        }
        let isWanted = exchange?.end(reply) ?? isLeft
        if !isWanted { try? reply.get().remove() }
    }
}
