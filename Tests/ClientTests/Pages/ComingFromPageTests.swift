import BackendClient
import Foundation
import InstagramClient
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page for those who come from layers written by hand")
struct ComingFromPageTests {
    private static let page = "Sources/TelexCompiler/TelexCompiler.docc/ComingFrom.md"

    private static let articles = Page.root.deletingLastPathComponent().appending(
        path: "shared/seeds")
    private static let hasArticles = FileManager.default.fileExists(atPath: articles.path())

    /// The lines that are neither blank nor a comment.
    private static func count(_ blocks: [String], _ comment: String) -> Int {
        blocks.joined(separator: "\n").split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix(comment) }.count
    }

    /// The numbers in the row of the table with a title: lines of the article, and of the page.
    private static func row(_ title: String) throws -> [Int] {
        let row = try #require(
            Page(page).text.split(separator: "\n").first {
                $0.hasPrefix("| ") && $0.contains(title)
            })
        return row.matches(of: /(\d+) lines/).compactMap { Int($0.1) }
    }

    @Test(
        "the page on layers written by hand counts the lines of the specs and calls it shows",
        arguments: [
            ("heart of the mobile app", "Eleven steps, one entry"),
            ("AFNetworking & Mantle", "AFNetworking with Mantle"),
            ("How do I build", "Requests, operations and mappers"),
        ])
    func here(title: String, heading: String) throws {
        let text = try Page(Self.page).text
        let section = try #require(
            text.components(separatedBy: "\n### \(heading)\n").dropFirst().first)
        let end = section.components(separatedBy: "\n### ")[0]
        let blocks = end.components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.map { $0.element.drop { $0 != "\n" } }
        #expect(try Self.row(title)[1] == Self.count(blocks.map(String.init), "#"))
    }

    @Test(
        "the page on layers written by hand counts the lines of the articles",
        .enabled(if: hasArticles, "the articles are not beside this package"),
        arguments: [
            ("heart of the mobile app", "000_", "## Procedure for adding", "```"),
            ("AFNetworking & Mantle", "003_", "", "{% highlight"),
            ("How do I build", "004_", "", "{% highlight"),
        ])
    func there(title: String, file: String, start: String, fence: String) throws {
        let folder = Self.articles
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.path())
                .first { $0.hasPrefix(file) })
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let part = start.isEmpty ? text : text.components(separatedBy: start)[1]
        let end = fence == "```" ? fence : "{% endhighlight"
        let pieces = part.components(separatedBy: fence).dropFirst()
        // Between equal fences, every other piece is code.
        let blocks = pieces.enumerated().filter { fence != end || $0.offset % 2 == 0 }
            .map { String($0.element.components(separatedBy: end)[0].drop { $0 != "\n" }) }
        #expect(try Self.row(title)[0] == Self.count(blocks, "//"))
    }

    @Test("the page for those who come from layers written by hand shows calls that work")
    func calls() async throws {
        let token = "t0k3n"
        let transport = InMemoryTransport { request in
            let user = #"{"id": "1", "username": "ada"}"#
            let isList = request.head.path?.contains("recent") == true
            return .json("{\"meta\": {\"code\": 200}, \"data\": \(isList ? "[]" : user)}")
        }
        let instagram = APIManager<Instagram>(
            transport: transport, credentials: .memory(Credential(token: token)),
            parameters: Instagram.Parameters(clientID: "telex"))
        let user = try await instagram.users.current().value
        let media = try await instagram.users.currentRecentMedia().value
        #expect(user.username == "ada" && media.isEmpty)
    }

    @Test("the page for those who come from layers written by hand shows a login that works")
    func login() async throws {
        let (email, password) = ("ada@example.com", "a password that is long")
        let id = "123e4567-e89b-42d3-a456-426614174000"
        let person = """
            {"id": "\(id)", "version": "1", "first_name": "Ada", "last_name": "L", "phone": null,
            "email": "\(email)", "role": "member", "birthday": null, "credit_limit": null,
            "created_at": "2020-01-01T00:00:00Z", "settings": {}, "tags": []}
            """
        let transport = InMemoryTransport { request in
            request.head.path?.contains("users/") == true
                ? .json(person)
                : .json(
                    """
                    {"token": "0123456789abcdef", "expires_at": "2030-01-01T00:00:00Z",
                    "user": \(person)}
                    """)
        }
        let backend = APIManager<Backend>(transport: transport, credentials: .memory)
        let session = try await backend.accounts.signIn(email: email, password: password).value
        try await backend.logIn(Credential(token: session.token))
        let user = try await backend.users.get(id: session.user.id).value
        #expect(user.firstName == "Ada")
        let token = transport.requests.last?.head.headerFields.first {
            $0.name.rawName == "X-Api-Auth-Token"
        }
        #expect(token?.value == "0123456789abcdef")
    }
}
