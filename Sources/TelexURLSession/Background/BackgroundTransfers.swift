import Foundation
import HTTPTypes
import TelexTransport

/// The settings for background sessions (`sessions: { transfers: background }` in a spec). The
/// system performs their transfers on Apple platforms, while the app is suspended and after it was
/// terminated.
public struct BackgroundTransfers: Sendable {
    /// The prefix of the sessions' system identifiers, followed by the number of connections and
    /// the name of each session. Only one transport in one process may use an identifier at a time,
    /// so an app extension and a second transport need their own. (An extension also needs a
    /// container that it shares with its app: its `configure` sets `sharedContainerIdentifier`.) By
    /// default the app's identifier, or the name of the process, with the suffix `.telex`.
    public var identifier: String
    /// The folder for request bodies that wait to be sent, and for finished replies that wait for
    /// their call. It is created when needed, accessible to its owner only, and excluded from
    /// backups. By default `<application support>/telex-transfers`; `<caches>/telex-transfers` on
    /// tvOS, where the system may empty every folder of an app when it needs space.
    public var folder: URL
    /// How long a finished reply is kept for its call, not below zero; seven days by default.
    public var keepsFor: Duration {
        didSet { keepsFor = max(.zero, keepsFor) }
    }
    /// The largest number of stored bytes per session, not below zero; the oldest replies are
    /// removed first. 1 GiB by default.
    public var keepsAtMost: Int {
        didSet { keepsAtMost = max(0, keepsAtMost) }
    }
    /// Header fields that redirects may forward, in addition to those that cannot hold a secret;
    /// none by default. A field that a request declares secret (`TransportRequest.secretFields`) is
    /// refused in any case. See `URLSessionTransport`.
    public var redirectedFields: Set<HTTPField.Name>

    /// Makes settings; the defaults suit an app with one transport.
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

    /// Not the caches folder, because the system empties it while the app is not running.
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
    /// Returns the system identifier of a session.
    func identifier(of session: TransportSession) -> String {
        "\(identifier).\(session.connectionsPerHost ?? 0).\(session.name ?? "")"
    }

    /// Returns the session with a system identifier; nil if it is not one of this transport.
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

    /// Returns the folder of a session. Sessions never share a folder.
    func folder(of session: TransportSession) -> URL {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")
        let name = identifier(of: session).addingPercentEncoding(withAllowedCharacters: plain)
        return folder.appendingPathComponent(name ?? "sessions", isDirectory: true)
    }

    /// Returns the session with a folder of this name; nil if it is not one of this transport.
    func session(inFolder name: String) -> TransportSession? {
        guard let text = name.removingPercentEncoding, let session = session(identifiedBy: text)
        else { return nil }
        return folder(of: session).lastPathComponent == name ? session : nil
    }
}
