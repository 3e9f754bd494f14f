import Foundation

/// The language server (LSP 3.17): messages of a client go in, messages to it come out. It reads no
/// files and keeps no clock; a transport and a ``FileSource`` are outside.
public struct Server {
    /// Whether the client has ended the session, and the status to exit with.
    public private(set) var exitStatus: Int32?
    private var workspace: Workspace
    private let handlers: [String: Handler]
    private let version: String
    private var isInitialized = false
    private var isShutDown = false

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - version: The version of the tool, which the client shows.
    ///   - files: Where files are found that are not open.
    public init(version: String, files: FileSource) {
        self.version = version
        workspace = Workspace(files)
        handlers = Dictionary(Handler.all.map { ($0.method, $0) }) { first, _ in first }
    }

    /// Handles a message.
    public mutating func handle(_ message: Data) -> [Data] { handle([.message(message)]) }

    /// Handles all that has arrived since the last call, in order. A request that a later message
    /// cancels is not carried out, and diagnostics are those of the last texts.
    public mutating func handle(_ parts: [MessageStream.Part]) -> [Data] {
        let heads = parts.map { part -> Message? in
            guard case .message(let data) = part else { return nil }
            return try? MessageCoder.decoded(Message.self, data)
        }
        var cancelled: Set<JSONTree> = []
        var isCancelled = [Bool](repeating: false, count: parts.count)
        for index in parts.indices.reversed() {
            guard case .message(let data) = parts[index], let head = heads[index] else { continue }
            if head.method == "$/cancelRequest" {
                typealias Call = Message.Call<Message.Cancellation>
                let call = try? MessageCoder.decoded(Call.self, data)
                if let id = call?.params.id { cancelled.insert(id) }
            } else if let id = head.id, cancelled.remove(id) != nil {
                isCancelled[index] = true
            }
        }
        var replies: [Data] = []
        for (index, part) in parts.enumerated() where exitStatus == nil {
            replies += reply(to: part, heads[index], isCancelled: isCancelled[index])
        }
        guard isInitialized, !isShutDown else { return replies }
        return replies
            + workspace.publications().map {
                Self.notification("textDocument/publishDiagnostics", $0)
            }
    }

    private mutating func reply(
        to part: MessageStream.Part, _ head: Message?, isCancelled: Bool
    ) -> [Data] {
        switch part {
        case .refused(let reason): return [refused(.null, Refusal(.parse, reason))]
        case .message(let data):
            guard let head else {
                let isJSON = (try? JSONSerialization.jsonObject(with: data)) != nil
                let problem =
                    isJSON
                    ? Refusal(.invalidRequest, "the message is no request")
                    : Refusal(.parse, "the message is no JSON")
                return [refused(.null, problem)]
            }
            // A reply to a request of the server has no method.
            guard let method = head.method else { return [] }
            guard let id = head.id, id != .null else {
                notify(method, data)
                return []
            }
            if isCancelled { return [refused(id, Refusal(.cancelled, "cancelled"))] }
            do {
                return try answer(method, id, data)
            } catch {
                return [refused(id, error)]
            }
        }
    }

    private mutating func answer(
        _ method: String, _ id: JSONTree, _ data: Data
    ) throws(Refusal) -> [Data] {
        if isShutDown { throw Refusal(.invalidRequest, "the server has been shut down") }
        switch method {
        case "initialize": return [try initialize(id, data)]
        case _ where !isInitialized: throw Refusal(.notInitialized, "`initialize` comes first")
        case "shutdown":
            isShutDown = true
            return [MessageCoder.encoded(Reply(id: id, result: JSONTree.null))]
        default:
            guard let handler = handlers[method] else {
                throw Refusal(.unknownMethod, "`\(method)` is not known")
            }
            return [try handler.answer(id, data, &workspace)]
        }
    }

    private mutating func notify(_ method: String, _ data: Data) {
        if method == "exit" {
            exitStatus = isShutDown ? 0 : 1
        } else if isInitialized, !isShutDown, let handler = handlers[method] {
            // A notification has no reply that could say what is wrong.
            _ = try? handler.answer(.null, data, &workspace)
        }
    }

    // MARK: The beginning of a session

    private struct Session: Decodable {
        let capabilities: JSONTree
    }

    private mutating func initialize(_ id: JSONTree, _ data: Data) throws(Refusal) -> Data {
        guard !isInitialized else { throw Refusal(.invalidRequest, "`initialize` comes once") }
        guard let call = try? MessageCoder.decoded(Message.Call<Session>.self, data) else {
            throw Refusal(.invalidParams, "`initialize` has no capabilities")
        }
        isInitialized = true
        workspace.client = call.params.capabilities
        let offered = workspace.client["general", "positionEncodings"].items
        workspace.encoding = PositionEncoding(offered: offered)
        var capabilities: [String: JSONTree] = [
            "positionEncoding": .text(workspace.encoding.rawValue)
        ]
        for handler in handlers.values {
            capabilities.merge(handler.capabilities) { first, _ in first }
        }
        let result: JSONTree = [
            "capabilities": .object(capabilities),
            "serverInfo": ["name": "telex", "version": .text(version)],
        ]
        return MessageCoder.encoded(Reply(id: id, result: result))
    }

    // MARK: Messages

    private func refused(_ id: JSONTree, _ refusal: Refusal) -> Data {
        MessageCoder.encoded(Refusal.Reply(id: id, error: refusal))
    }

    private static func notification(_ method: String, _ params: some Encodable) -> Data {
        MessageCoder.encoded(OwnMessage(method: method, params: params))
    }
}
