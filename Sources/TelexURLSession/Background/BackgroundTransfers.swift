import Foundation
import HTTPTypes
import TelexTransport

/// How a transport treats background sessions (`sessions: { transfers: background }` in a spec):
/// the system carries their transfers out on Apple platforms, while the app is suspended and after
/// it was ended.
public struct BackgroundTransfers: Sendable {
    /// What the system knows the sessions by: each is called after it, the number of its
    /// connections and its name. Only one transport in one process may use an identifier at a time,
    /// so an app extension and a second transport need their own. (An extension needs a container
    /// besides, which it shares with its app: its `configure` sets `sharedContainerIdentifier`.) By
    /// default the app's identifier, or the name of the process, with `.telex` behind it.
    public var identifier: String
    /// Where the bodies of requests wait to be sent, and finished replies for the call that wants
    /// them; made when it is needed, for its owner only, and left out of backups. By default
    /// `<application support>/telex-transfers`; `<caches>/telex-transfers` on tvOS, where apps have
    /// nothing that the system does not empty when it needs the room.
    public var folder: URL
    /// How long a finished reply waits for its call, not below zero; seven days by default.
    public var keepsFor: Duration {
        didSet { keepsFor = max(.zero, keepsFor) }
    }
    /// How many bytes may wait in each session, not below zero; the oldest go first. 1 GiB by default.
    public var keepsAtMost: Int {
        didSet { keepsAtMost = max(0, keepsAtMost) }
    }
    /// Header fields that may be shown to whoever a server redirects to, besides those that cannot
    /// hold a secret; none by default. One that a request calls a secret
    /// (`TransportRequest.secretFields`) is refused all the same. See `URLSessionTransport`.
    public var redirectedFields: Set<HTTPField.Name>

    /// What is right for an app with one transport, by default.
    public init(
        identifier: String? = nil, folder: URL? = nil, keepsFor: Duration = .seconds(604_800),
        keepsAtMost: Int = 1_073_741_824, redirectedFields: Set<HTTPField.Name> = []
    ) {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        self.identifier = identifier ?? "\(app).telex"
        self.folder = folder ?? Self.support.appendingPathComponent("telex-transfers")
        self.keepsFor = max(.zero, keepsFor)
        self.keepsAtMost = max(0, keepsAtMost)
        self.redirectedFields = redirectedFields
    }

    /// Not the caches: the system empties them just while the app is not there.
    private static var support: URL {
        #if os(tvOS)
            let place = FileManager.SearchPathDirectory.cachesDirectory
        #else
            let place = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        return FileManager.default.urls(for: place, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
    }
}

// MARK: Identifiers

extension BackgroundTransfers {
    /// What the system knows a session by.
    func identifier(of session: TransportSession) -> String {
        "\(identifier).\(session.connectionsPerHost ?? 0).\(session.name ?? "")"
    }

    /// The session that the system knows by an identifier; nil if it is none of this transport's.
    func session(identifiedBy text: String) -> TransportSession? {
        let prefix = "\(identifier)."
        guard text.hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        guard let dot = rest.firstIndex(of: "."), let count = Int(rest[..<dot]), count >= 0 else {
            return nil
        }
        let name = String(rest[rest.index(after: dot)...])
        let session = TransportSession(
            name.isEmpty ? nil : name, connectionsPerHost: count == 0 ? nil : count,
            isBackground: true)
        return identifier(of: session) == text ? session : nil
    }

    /// The folder of a session: two sessions never share one.
    func folder(of session: TransportSession) -> URL {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")
        let name = identifier(of: session).addingPercentEncoding(withAllowedCharacters: plain)
        return folder.appendingPathComponent(name ?? "sessions", isDirectory: true)
    }

    /// The session with a folder of this name; nil if it is none of this transport's.
    func session(inFolder name: String) -> TransportSession? {
        guard let text = name.removingPercentEncoding, let session = session(identifiedBy: text)
        else { return nil }
        return folder(of: session).lastPathComponent == name ? session : nil
    }
}
