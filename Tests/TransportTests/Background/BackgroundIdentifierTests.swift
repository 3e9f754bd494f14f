import Foundation
import TelexRuntime
import Testing

@testable import TelexURLSession

@Suite("The folder of a background session")
struct BackgroundIdentifierTests {
    @Test(
        "the folder of a background session belongs to a session with a known identifier",
        arguments: [
            TransportSession("transfers", isBackground: true), TransportSession(isBackground: true),
            TransportSession("a.4.b", connectionsPerHost: 4, isBackground: true),
            TransportSession("4.", isBackground: true),
            TransportSession("../b", isBackground: true),
        ])
    func identifiers(_ session: TransportSession) {
        let settings = BackgroundTransfers(identifier: "com.example.app")
        #expect(settings.session(identifiedBy: settings.identifier(of: session)) == session)
        let folder = settings.folder(of: session)
        #expect(folder.deletingLastPathComponent().path == settings.folder.path)
        #expect(settings.session(inFolder: folder.lastPathComponent) == session)
    }

    @Test("the folder of a background session is by default where the system does not purge it")
    func place() throws {
        let files = FileManager.default
        #if os(tvOS)
            let folder = files.urls(for: .cachesDirectory, in: .userDomainMask).first
        #else
            let folder = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #endif
        let support = try #require(folder)
        #expect(
            BackgroundTransfers().folder == support.appendingPathComponent("telex-transfers"))
    }

    @Test(
        "the folder of a background session does not belong to foreign sessions",
        arguments: [
            "", "com.example.app", "com.example.app.", "com.example.app.transfers",
            "com.example.app.-1.a", "com.example.app.+1.a", "com.example.app.00.a", "org.other.0.a",
        ])
    func foreign(_ identifier: String) {
        #expect(
            BackgroundTransfers(identifier: "com.example.app").session(identifiedBy: identifier)
                == nil)
    }
}
