import Foundation
import HTTPTypes
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The support of a platform for background sessions.
struct BackgroundSystem: Sendable {
    /// Makes the configuration of the session with an identifier.
    var configuration: @Sendable (_ identifier: String) -> URLSessionConfiguration
    /// The tasks that exist in a newly created session.
    var existingTasks: @Sendable (URLSession) async -> [URLSessionTask] = { _ in [] }
    /// Whether the system measures the idle time-out of a task: it does not count the time in which
    /// the device has no network or defers the transfer.
    var measuresIdleTimeout = false
    /// The identifier of this process.
    var launch = Self.thisLaunch

    private static let thisLaunch = UUID()

    /// The support of this platform; nil if it has no background sessions.
    static let current: BackgroundSystem? = {
        #if canImport(Darwin)
            BackgroundSystem(
                configuration: { .background(withIdentifier: $0) },
                existingTasks: { await $0.allTasks },
                measuresIdleTimeout: true)
        #else
            nil
        #endif
    }()
}

/// A `URLSession` whose tasks the system performs: they send files, their replies are files, and an
/// earlier process may have started them.
final class BackgroundSession: Sendable {
    private let session: URLSession
    private let settings: BackgroundTransfers
    private let system: BackgroundSystem
    private let store: ReplyStore
    private let tasks: BackgroundTasks
    private let search: Task<Void, Never>

    init(
        _ rules: TransportSession, settings: BackgroundTransfers, system: BackgroundSystem,
        trust: TrustRule?, configuration: URLSessionConfiguration
    ) {
        self.settings = settings
        self.system = system
        let store = ReplyStore(
            settings.folder(of: rules), age: settings.keepsFor, bytes: settings.keepsAtMost)
        let tasks = BackgroundTasks(store)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(
            configuration: configuration, delegate: BackgroundDelegate(tasks, trust),
            delegateQueue: queue)
        (self.store, self.tasks, self.session) = (store, tasks, session)
        search = Task {
            for task in await system.existingTasks(session) {
                guard let name = TransferName(task.taskDescription) else { continue }
                tasks.addExisting(
                    task.taskIdentifier, name: name, cancel: Self.cancelling(task, session))
            }
            tasks.finishFinding()
            store.prune()
        }
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Returns when the system has delivered the events that occurred while the app was not
    /// running.
    func waitForEvents() async {
        await search.value
        await tasks.waitForEvents()
    }

    /// Discards tasks and replies that are kept for calls that may be made again.
    func forget() async {
        await search.value
        tasks.cancelUnclaimedTasks()
        store.removeReplies()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        var urlRequest = try URLRequest(checking: request)
        try settings.check(request)
        if system.measuresIdleTimeout {
            urlRequest.timeoutInterval = min(
                max(1, request.timeout / .seconds(1)), URLRequest.neverTimesOut)
        }
        let fingerprint = try request.fingerprint()
        await search.value
        let left = try await left(for: request, fingerprint)
        let reply =
            if let left { left } else {
                try await begin(urlRequest, for: request, fingerprint: fingerprint)
            }
        return reply.reply(upTo: max(0, request.maximumReplyBytes), from: request.firstByte)
    }

    /// Returns the reply that an earlier process left for a request: of a task that is still
    /// running, or a stored one. A task that the system ends early leaves none.
    private func left(
        for request: TransportRequest, _ fingerprint: String
    ) async throws(TransportError) -> StoredReply? {
        var exchange = BackgroundExchange(request)
        while tasks.adopt(fingerprint, for: exchange, in: system.launch) {
            do throws(TransportError) {
                return try await exchange.reply()
            } catch {
                guard error == .endedBySystem else { throw error }
                exchange = BackgroundExchange(request)
            }
        }
        return store.take(fingerprint, in: system.launch)
    }

    /// Starts a task and returns its reply.
    private func begin(
        _ urlRequest: URLRequest, for request: TransportRequest, fingerprint: String
    ) async throws(TransportError) -> StoredReply {
        let exchange = BackgroundExchange(request)
        let name = TransferName(fingerprint: fingerprint, launch: system.launch)
        store.open()
        let upload = try await Upload(request.body, timeout: request.timeout) {
            () throws(TransportError) in
            do { return try store.requestBody(name) } catch { throw .cannotStore(error) }
        }
        let task =
            switch upload.content {
            case .file(let url, _): session.uploadTask(with: urlRequest, fromFile: url)
            case .data, .none: session.downloadTask(with: urlRequest)
            }
        task.taskDescription = name.text
        tasks.add(task, name: name, exchange: exchange, cancel: Self.cancelling(task, session))
        task.resume()
        return try await exchange.reply()
    }

    /// Returns a closure that cancels a task on the delegate's queue, because corelibs-foundation
    /// traps on redirects of ended tasks.
    private static func cancelling(
        _ task: URLSessionTask, _ session: URLSession
    ) -> @Sendable () -> Void {
        { session.delegateQueue.addOperation { task.cancel() } }
    }
}
