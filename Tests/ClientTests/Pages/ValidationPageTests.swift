import GalleryClient
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

private let label = Display()

struct Drift: DriftListener {
    func replyDrifted(of method: String, violations: [Violation]) {
        label.show(method, violations.count)
    }
}

struct OwnChecks: GalleryReplyChecks {
    func polite(_ title: String) -> Bool { !title.contains("!!") }

    func picturesWeek(_ value: [Picture]) -> [Violation] {
        guard value.count > 7 else { return [] }
        return [
            Violation(
                path: "$", rule: "week", expected: "at most 7 pictures", found: "\(value.count)")
        ]
    }
}

@Suite("The page on validation", .serialized)
struct ValidationPageTests {
    private static func pictures(_ count: Int, title: String = "Dusk") -> String {
        let picture = #"{"id": 7, "title": "\#(title)"}"#
        return "[\(Array(repeating: picture, count: count).joined(separator: ","))]"
    }

    @Test("the page on validation returns a value and reports its violations")
    func warnings() async throws {
        let reply = Self.pictures(2, title: String(repeating: "a", count: 201))
        let transport = InMemoryTransport { _ in .json(reply) }
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.checks = OwnChecks()
            $0.drift = Drift()
        }
        let options = CallOptions(validation: .warn)
        let response = try await gallery.pictures.list(options: options).response
        label.show(response.value.count, response.warnings.first?.path)
        #expect(label.lines.contains("pictures.list 2"))
        #expect(label.lines.contains("2 [0].title"))
    }

    @Test("the page on validation makes the checks of the app's own")
    func ownChecks() async throws {
        func gallery(_ count: Int, checks: OwnChecks?) -> APIManager<Gallery> {
            APIManager<Gallery>(
                transport: InMemoryTransport { _ in .json(Self.pictures(count)) },
                credentials: credentials
            ) { $0.checks = checks }
        }
        #expect(try await gallery(7, checks: OwnChecks()).pictures.week().value.count == 7)
        do {
            _ = try await gallery(8, checks: OwnChecks()).pictures.week().value
            Issue.record("8 pictures passed")
        } catch let error as APIError {
            #expect(error.phase == .validate && error.violations.map(\.rule) == ["week"])
        }
        do {
            _ = try await gallery(7, checks: nil).pictures.week().value
            Issue.record("the checks are missing")
        } catch let error as APIError {
            #expect(error.reason == .invalidRequest)
        }
    }

    @Test("the page on validation asks the app about each title, if the manager has its checks")
    func ownRule() async throws {
        func warnings(_ checks: OwnChecks?) async throws -> [Violation] {
            let gallery = APIManager<Gallery>(
                transport: InMemoryTransport { _ in .json(Self.pictures(1, title: "Dusk!!")) },
                credentials: credentials
            ) { $0.checks = checks }
            return try await gallery.pictures.list().response.warnings
        }
        let warning = try #require(try await warnings(OwnChecks()).first)
        #expect(warning.path == "[0].title" && warning.rule == "polite")
        #expect(try await warnings(nil).isEmpty)
    }

    @Test("the page on validation checks a reply without a call")
    func byHand() {
        let reply = Array(Self.pictures(1, title: String(repeating: "a", count: 201)).utf8)
        let report = Gallery.validate(reply, from: .picturesList, checks: [.keys, .types])
        label.show(report.isValid, report.violations.count)
        #expect(label.lines.contains("true 0"))
        #expect(!Gallery.validate(reply, from: .picturesList).isValid)
    }
}
