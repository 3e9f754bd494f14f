import Foundation

/// The language server (LSP 3.17): messages of a client go in, messages to it come out. It reads no
/// files and keeps no clock; a transport and a ``FileSource`` are outside.
public struct LanguageServer {
    /// The status to exit with, when the client has ended the session; nil before.
    public private(set) var exitStatus: Int32?
    private var workspace: Workspace
    private let features: [String: Feature]
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
        features = Dictionary(Feature.all.map { ($0.method, $0) }) { first, _ in first }
    }

    /// Handles a message.
    public mutating func handle(_ message: Data) -> [Data] { handle([.message(message)]) }

    /// Handles all that has arrived since the last call, in order. A request that a later message
    /// cancels is not carried out, and diagnostics are those of the last texts.
    public mutating func handle(_ parts: [MessageStream.Part]) -> [Data] {
        let messages = parts.map(Self.read)
        var cancelled: Set<JSONTree> = []
        var isCancelled = [Bool](repeating: false, count: parts.count)
        for (index, message) in messages.enumerated().reversed() {
            guard case .success(let message) = message else { continue }
            if message["method"] == "$/cancelRequest" {
                cancelled.insert(message["params", "id"])
            } else if cancelled.remove(message["id"]) != nil {
                isCancelled[index] = true
            }
        }
        var replies: [JSONTree] = []
        for (index, message) in messages.enumerated() where exitStatus == nil {
            switch message {
            case .failure(let refusal): replies.append(Self.refused(.null, refusal))
            case .success(let message):
                replies += reply(to: message, isCancelled: isCancelled[index])
            }
        }
        if isInitialized, !isShutDown { replies += workspace.takeMessages() }
        return replies.map(\.data)
    }

    private static func read(_ part: MessageStream.Part) -> Result<JSONTree, Refusal> {
        switch part {
        case .refused(let reason): return .failure(Refusal(.parse, reason))
        case .message(let data):
            guard let tree = JSONTree(data) else {
                return .failure(Refusal(.parse, "the message is no JSON"))
            }
            guard case .object = tree else {
                return .failure(Refusal(.invalidRequest, "the message is no request"))
            }
            return .success(tree)
        }
    }

    private mutating func reply(to message: JSONTree, isCancelled: Bool) -> [JSONTree] {
        guard let method = message["method"].text else {
            workspace.takeReply(message)
            return []
        }
        let (id, params) = (message["id"], message["params"])
        guard id != .null else {
            notify(method, params)
            return []
        }
        do throws(Refusal) {
            if isCancelled { throw Refusal(.cancelled, "cancelled") }
            return [["jsonrpc": "2.0", "id": id, "result": try answer(method, params)]]
        } catch {
            return [Self.refused(id, error)]
        }
    }

    private static func refused(_ id: JSONTree, _ refusal: Refusal) -> JSONTree {
        let error: JSONTree = [
            "code": .number(refusal.code.rawValue), "message": .text(refusal.message),
        ]
        return ["jsonrpc": "2.0", "id": id, "error": error]
    }

    private mutating func answer(_ method: String, _ params: JSONTree) throws(Refusal) -> JSONTree {
        if isShutDown { throw Refusal(.invalidRequest, "the server has been shut down") }
        switch method {
        case "initialize": return try initialize(params["capabilities"])
        case _ where !isInitialized: throw Refusal(.notInitialized, "`initialize` comes first")
        case "shutdown":
            isShutDown = true
            return .null
        default:
            guard let feature = features[method] else {
                throw Refusal(.unknownMethod, "`\(method)` is not known")
            }
            return try feature.answer(params, &workspace)
        }
    }

    private mutating func notify(_ method: String, _ params: JSONTree) {
        if method == "exit" {
            exitStatus = isShutDown ? 0 : 1
        } else if isInitialized, !isShutDown, let feature = features[method] {
            // A notification has no reply that could say what is wrong.
            _ = try? feature.answer(params, &workspace)
        }
    }

    private mutating func initialize(_ client: JSONTree) throws(Refusal) -> JSONTree {
        guard !isInitialized else { throw Refusal(.invalidRequest, "`initialize` comes once") }
        isInitialized = true
        workspace.client = client
        workspace.encoding = PositionEncoding(offered: client["general", "positionEncodings"].items)
        var capabilities: [String: JSONTree] = [
            "positionEncoding": .text(workspace.encoding.rawValue)
        ]
        for feature in features.values {
            capabilities.merge(feature.capabilities) { first, _ in first }
        }
        return [
            "capabilities": .object(capabilities),
            "serverInfo": ["name": "telex", "version": .text(version)],
        ]
    }
}
