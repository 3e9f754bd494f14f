import Foundation
import GalleryClient
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on managers and errors")
struct ManagersAndErrorsPageTests {
    private static let page = "Sources/TelexRuntime/TelexRuntime.docc/ManagersAndErrors.md"

    private let label = Display()
    private let loginScreen = LoginScreen()

    /// The words in the first column of the table below a heading.
    private static func column(of heading: String, _ number: Int = 0) throws -> [[String]] {
        let section = try #require(
            Page(page).text.components(separatedBy: "\n### \(heading)\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n### ")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst()
        return rows.map { row in
            row.split(separator: "|")[number].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    /// The labels of each initializer that begins with `start` in a source file.
    private static func labels(_ start: String, in file: String) throws -> [[String]] {
        try Page("Sources/\(file)").text.components(separatedBy: start).dropFirst()
            .map { rest in
                // A declaration ends with its body.
                let head = rest.components(separatedBy: " {\n")[0]
                return head.matches(of: #/(?:^|, |\n)\s*(\w+)(?: \w+)?: /#).map { String($0.1) }
            }
    }

    @Test("the page on managers and errors has the properties and the arguments in their order")
    func arguments() throws {
        let source = "Sources/TelexRuntime/API/APIManager+Configuration.swift"
        let properties = try Page(source).text.matches(of: /\n        public var (\w+)/)
        #expect(properties.count > 15)
        #expect(try Self.column(of: "APIManager").map { $0[0] } == properties.map { "\($0.1)" })
        let credentials = try Self.labels("public init(", in: "TelexCredentials/Credential.swift")
        #expect(try Self.column(of: "Credential").map { $0[0] } == credentials[0])
        let files = try Self.labels("public init(", in: "TelexRequests/Request/UploadFile.swift")
        let shown = try Self.column(of: "UploadFile", 1)
        #expect(files.allSatisfy(shown.contains) && shown.allSatisfy(files.contains))
    }

    @Test("the page on managers and errors has each reason of an error, once and in source order")
    func reasons() throws {
        let text = try Page("Sources/TelexRuntime/Errors/APIError.swift").text
        let body = try #require(
            text.components(separatedBy: "enum Reason").dropFirst().first?
                .components(separatedBy: "\n    }\n").first)
        let declared = body.matches(of: /\n        case (\w+)/).map { String($0.1) }
        #expect(declared.count > 20)
        #expect(try Self.column(of: "Reasons").map { $0[0] } == declared)
    }

    @Test("the page on managers and errors makes a manager")
    func manager() async throws {
        let gallery = APIManager<Gallery>(
            transport: galleryTransport, credentials: .memory(Credential(token: "t0k3n"))
        ) {
            $0.server = .url("https://gallery.test/")
            $0.onEvent = { label.show($0) }
        }
        #expect(try await gallery.pictures.list().value.map(\.title) == ["Dusk"])
        #expect(label.lines.first == "▷ pictures.list is started")
    }

    @Test("the page on managers and errors tells errors apart by their reasons")
    func errors() async throws {
        let replies = [
            TransportReply.json(#"{"id": 7, "title": "Dusk"}"#),
            .json(#"{"error": {"code": 15, "message": "Not yours."}}"#, status: .forbidden),
            .bytes(status: .unauthorized),
        ]
        for reply in replies {
            let transport = InMemoryTransport { _ in reply }
            let gallery = APIManager<Gallery>(transport: transport, credentials: credentials)
            do {
                label.show(try await gallery.pictures.get(id: 7).value.title)
            } catch let error as APIError {
                switch error.reason {
                case .transport, .timedOut, .attemptTimedOut: label.show("no connection")
                case _ where error.needsLogin: loginScreen.show()
                default: label.show(error.message ?? "\(error)")
                }
            }
        }
        #expect(label.lines == ["Dusk", "Not yours."])
        #expect(loginScreen.display.lines == ["login"])
    }
}
