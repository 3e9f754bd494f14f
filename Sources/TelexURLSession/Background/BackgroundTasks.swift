import Foundation
import HTTPTypes
import TelexJSON
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tasks of a background session, including those that an earlier process left, and the
/// exchanges that await them. A successful reply that no exchange awaits is stored for the call
/// when it is made again.
final class BackgroundTasks: Sendable {
    private struct State {
        var records: [Int: BackgroundRecord] = [:]
        /// The tasks that ended before the session's existing tasks were listed; nil afterwards.
        var ended: Set<Int>? = []
    }

    let store: ReplyStore
    private let state = Lock(State())
    let events = BackgroundEvents()

    init(_ store: ReplyStore) {
        self.store = store
    }

    // MARK: Tasks and their exchanges

    /// Adds a new task, whose events go to `exchange`.
    func add(
        _ task: URLSessionTask, name: TransferName, exchange: BackgroundExchange,
        cancel: @escaping @Sendable () -> Void
    ) {
        state.withLock {
            $0.records[task.taskIdentifier] = BackgroundRecord(
                exchange: exchange, cancel: cancel, name: name)
        }
        events.expectMore()
        exchange.wait(for: cancel)
    }

    /// Adds a task that an earlier process left, unless it has ended in the meantime.
    func addExisting(_ identifier: Int, name: TransferName, cancel: @escaping @Sendable () -> Void)
    {
        state.withLock { state in
            guard state.ended?.contains(identifier) != true else { return }
            state.records[identifier, default: BackgroundRecord()].name = name
            state.records[identifier]?.cancel = cancel
        }
    }

    /// Records that all tasks of earlier processes have been added.
    func finishFinding() { state.withLock { $0.ended = nil } }

    /// Lets `exchange` await a task with the same request that an earlier process left and that no
    /// exchange awaits.
    ///
    /// - Parameter launch: This process, whose own tasks are excluded.
    /// - Returns: Whether there is such a task.
    func adopt(_ fingerprint: String, for exchange: BackgroundExchange, in launch: UUID) -> Bool {
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

    /// Cancels the tasks that no exchange awaits. If one of them succeeds nevertheless, its reply
    /// is not stored.
    func cancelUnclaimedTasks() {
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

    // MARK: Events of the session

    /// Returns when the system has delivered the events that occurred while the app was not
    /// running. For tasks that are left then, it may wake the app again although no new task was
    /// started.
    func waitForEvents() async {
        if state.withLock({ !$0.records.isEmpty }) { events.expectMore() }
        await events.wait()
    }

    func sent(_ total: Int, _ task: URLSessionTask) { exchange(task)?.sent(total) }

    /// Cancels the task if the received or expected size exceeds the limit; `expected` is -1 if
    /// unknown.
    func received(_ total: Int64, of expected: Int64, by task: URLSessionTask) {
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

    /// Stores the body, which is at `location` only until this function returns.
    func finished(_ location: URL, _ task: URLSessionTask) {
        receive(task) { file in
            let place = try store.newFile()
            try FileManager.default.moveItem(at: location, to: place)
            file = place
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: place.path)
            ReplyStore.allowAccessWhileLocked(place)
        }
    }

    /// Stores a piece of the reply to a task that sends a body.
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
        received(Int64(file.flatMap(ReplyStore.size) ?? 0), of: -1, by: task)
    }

    /// Stores bytes of a reply, unless an error was recorded.
    ///
    /// - Parameter write: Writes to a file, and sets its URL as soon as the file exists.
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

    /// Handles the end of a task.
    func complete(_ task: URLSessionTask, response: URLResponse?, error: (any Error)?) {
        events.expectMore()
        let number = task.taskIdentifier
        let record = state.withLock { $0.records[number] } ?? BackgroundRecord()
        let name = record.name ?? TransferName(task.taskDescription)
        if let name { store.removeRequestBody(name) }
        let (reply, isKept) = outcome(
            of: task, record: record, name: name, response: response, error: error)
        // The record is read again, because an exchange may have adopted the task while the reply
        // was being stored.
        let (exchange, isLeft) = state.withLock { state in
            state.ended?.insert(number)
            let last = state.records.removeValue(forKey: number)
            // A task discarded by `cancelUnclaimedTasks` in the meantime has another `problem`; its reply is
            // removed.
            let isLeft = isKept && last?.exchange == nil && last?.problem == record.problem
            if isLeft, let name { store.release(name) }
            return (last?.exchange, isLeft)
        }
        let isWanted = exchange?.end(reply) ?? isLeft
        if !isWanted { try? reply.get().remove() }
    }
}
