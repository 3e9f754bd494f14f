import Foundation
import HTTPTypes
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a platform does for background sessions.
struct BackgroundSystem: Sendable {
    /// The configuration of the session with an identifier.
    var configuration: @Sendable (_ identifier: String) -> URLSessionConfiguration
    /// The tasks that are in a session that has just been made.
    var tasksLeft: @Sendable (URLSession) async -> [URLSessionTask] = { _ in [] }
    /// Whether the system measures the silence of a task: it does not count the time in which the
    /// device has no network or something better to do.
    var measuresSilence = false
    /// This life of the app.
    var launch = Self.thisLaunch

    private static let thisLaunch = UUID()

    /// That of this platform; nil if it has no background sessions.
    static let current: BackgroundSystem? = {
        #if canImport(Darwin)
            BackgroundSystem(
                configuration: { .background(withIdentifier: $0) },
                tasksLeft: { await $0.allTasks },
                measuresSilence: true)
        #else
            nil
        #endif
    }()
}

/// A `URLSession` whose tasks are the system's: they send files, their replies are files, and they
/// may be of an earlier process.
final class BackgroundSession: Sendable {
    private let session: URLSession
    private let settings: BackgroundTransfers
    private let system: BackgroundSystem
    private let store: ReplyStore
    private let tasks: BackgroundTasks
    private let search: Task<Void, Never>

    init(
        _ rules: TransportSession, _ settings: BackgroundTransfers, _ system: BackgroundSystem,
        _ trust: TrustRule?, _ configuration: URLSessionConfiguration
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
            for task in await system.tasksLeft(session) {
                guard let name = TransferName(task.taskDescription) else { continue }
                tasks.find(task.taskIdentifier, name, cancel: Self.cancelling(task, session))
            }
            tasks.foundAll()
            store.prune()
        }
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Returns once the system has told what happened while the app was not there.
    func waitForEvents() async {
        await search.value
        await tasks.waitForEvents()
    }

    /// Forgets what is there for calls that may be made again.
    func forget() async {
        await search.value
        tasks.endUnwanted()
        store.removeReplies()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        var urlRequest = try URLRequest(checking: request)
        try settings.check(request)
        if system.measuresSilence {
            urlRequest.timeoutInterval = min(
                max(1, request.timeout / .seconds(1)), URLRequest.neverTimesOut)
        }
        let fingerprint = try request.fingerprint()
        await search.value
        let left = try await left(for: request, fingerprint)
        let reply =
            if let left { left } else { try await begin(urlRequest, request, fingerprint) }
        return reply.reply(upTo: max(0, request.maximumReplyBytes), from: request.firstByte)
    }

    /// What an earlier process left for a request: the reply to a task that still runs, or one that
    /// is kept. A task that the system ends before its time has left nothing.
    private func left(
        for request: TransportRequest, _ fingerprint: String
    ) async throws(TransportError) -> StoredReply? {
        var exchange = BackgroundExchange(request)
        while tasks.adopt(fingerprint, exchange, in: system.launch) {
            do throws(TransportError) {
                return try await exchange.reply()
            } catch {
                guard error == .endedBySystem else { throw error }
                exchange = BackgroundExchange(request)
            }
        }
        return store.take(fingerprint, in: system.launch)
    }

    /// The reply to a task of this process.
    private func begin(
        _ urlRequest: URLRequest, _ request: TransportRequest, _ fingerprint: String
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
        tasks.add(task, name, exchange, cancel: Self.cancelling(task, session))
        task.resume()
        return try await exchange.reply()
    }

    /// Where the delegate is called: corelibs-foundation traps on redirects of tasks that have
    /// ended.
    private static func cancelling(
        _ task: URLSessionTask, _ session: URLSession
    ) -> @Sendable () -> Void {
        { session.delegateQueue.addOperation { task.cancel() } }
    }
}
