import Foundation
import GalleryClient
import TelexJSON
import TelexRuntime
import TelexTesting

/// What an app on the pages shows things on.
final class Display: Sendable {
    private let shown = Lock<[String]>([])
    /// Opens when something is shown.
    let isUsed = Gate()

    var lines: [String] { shown.withLock { $0 } }

    func show(_ things: Any?...) { show(line: things) }

    func show(line things: [Any?]) {
        let line = things.map { thing in thing.map { "\($0)" } ?? "–" }.joined(separator: " ")
        shown.withLock { $0.append(line) }
        isUsed.open()
    }
}

/// The login of an app on the pages.
struct LoginScreen: Sendable {
    let display = Display()

    func show() { display.show("login") }

    func credential() async throws -> Credential {
        show()
        return Credential(token: "fresh")
    }
}

let credentials = MemoryCredentialStore(Credential(token: "t0k3n"))

/// A gallery that has what each of its methods promises.
let galleryTransport = InMemoryTransport { request in
    let path = request.head.path ?? ""
    let picture = #"{"id": 7, "title": "Dusk"}"#
    return switch path.dropFirst("/v1/".count) {
    case "account": .json(#"{"name": "Ann"}"#)
    case "pictures/7": .json(picture)
    default: .json("[\(picture)]")
    }
}

func makeGallery(_ transport: InMemoryTransport = galleryTransport) -> APIManager<Gallery> {
    APIManager<Gallery>(transport: transport, credentials: credentials) {
        $0.settings.clock = SkippingClock().runtimeClock
    }
}

/// A gallery that answers nothing until the gate is open.
func makeGallery(after gate: Gate, _ body: String = "[]") -> APIManager<Gallery> {
    makeGallery(
        InMemoryTransport { _ in
            await gate.wait()
            return .json(body)
        })
}

/// A clock on which short sleeps take no time and long ones never end: calls are retried at once,
/// and do not run out of time on a slow machine.
private final class SkippingClock: Sendable {
    private let elapsed = Lock(Duration.zero)

    var runtimeClock: RuntimeClock {
        RuntimeClock(
            now: { Date() }, elapsed: { self.elapsed.withLock { $0 } },
            sleep: { try await self.sleep(until: $0) })
    }

    private func sleep(until deadline: Duration) async throws {
        let isLong = elapsed.withLock { elapsed in
            guard deadline - elapsed < .seconds(20) else { return true }
            elapsed = max(elapsed, deadline)
            return false
        }
        if isLong { await Gate().wait() }
        try Task.checkCancellation()
    }
}

/// Calls with the path of a file that does not exist yet, in a folder that is gone afterwards.
func withPath<T>(_ body: (String) async throws -> T) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "file").path())
}
