import Foundation
import TelexInspector
import TelexRuntime
import Testing

@Suite("The page of an inspector", .serialized, .withBrowser)
struct InspectorBrowserTests {
    private struct Row: Decodable {
        let tone: String
        let status: String
        let method: String
        let time: String
        let tries: String
        let queue: String
        let owner: String
        let line: String
        let bars: [String]
    }

    private struct Demo: Decodable {
        let counts: String
        let live: String
        let rows: [Row]
        let owners: [String]
        let filters: [String: String]
        let text: String
        let both: String
        let nothing: Bool
        let shownAgain: String
        let parts: [String]
        let log: [String]
        let request: String
        let exchanges: [String]
        let reply: String
        let firstReply: String
        let curl: String
        let har: Int
        let violations: String
        let closed: Bool
        let active: String
        let tab: String
        let focus: String
        let archive: Int
        let nameless: [String]
        let light: String
        let dark: String
        let phone: [Double]
        let phoneDetail: [Double]
        let problems: [String]
    }

    @Test("the page of an inspector shows what the engine did with 200 calls of an app")
    func demo() async throws {
        let inspector = Inspector { api, method, path in "\(api).yaml: \(method) \(path)" }
        await DemoApp(showing: inspector).run()
        let demo = try await InstalledBrowser.run("demo.py", with: inspector, as: Demo.self)
        #expect(demo.problems == [])
        #expect(demo.live == "Live")
        #expect(demo.counts == "202 calls · 16 failed")
        #expect(demo.rows.count == 202)
        expectRows(demo.rows)
        expectFilters(demo)
        expectDetail(demo)
        #expect(demo.closed && demo.active == "3" && demo.tab == "tab" && demo.focus == "text")
        #expect(demo.nameless == [])
        #expect(demo.light == "rgb(246, 246, 244)" && demo.dark == "rgb(19, 21, 25)")
        #expect(demo.phone == [390, 390])
        #expect(demo.phoneDetail == [390, 390, 390])
    }

    /// What the engine did is seen in the bars.
    private func expectRows(_ all: [Row]) {
        func rows(_ method: String, _ tries: String? = nil) -> [Row] {
            all.filter { $0.method == method && (tries == nil || $0.tries == tries) }
        }
        // The limit of requests in a second, and a serial queue.
        #expect(rows("pictures.list").count == 105)
        #expect(rows("pictures.list").contains { $0.bars == ["waiting", "server", "receiving"] })
        #expect(rows("pictures.rename").allSatisfy { $0.queue == "edits" && $0.status == "200" })
        #expect(rows("pictures.rename").count { $0.bars.first == "waiting" } >= 10)
        #expect(rows("pictures.rename").allSatisfy { $0.bars.contains("sending") })
        // Retries.
        let busy = rows("pictures.search", "3").filter { $0.status == "200" }
        #expect(busy.count == 4)
        #expect(busy.allSatisfy { $0.bars.count { $0 == "back-off" } == 2 })
        let lost = rows("pictures.search", "3").filter { $0.status == "failed" }
        #expect(lost.count == 3)
        #expect(rows("pictures.search").count { $0.status == "404" } == 8)
        // One refresh, for which the calls wait.
        #expect(rows("token").map(\.bars.first) == ["refresh"])
        #expect(rows("account.get").allSatisfy { $0.status == "200" })
        #expect(rows("account.get").count == 20)
        let postponed = rows("account.get", "2")
        #expect(!postponed.isEmpty)
        #expect(postponed.allSatisfy { $0.bars.contains("postponed") })
        #expect(postponed.first?.line.contains("postponed ") == true)
        // A stored reply of one request, a download, pages.
        #expect(rows("pictures.popular").count { $0.status == "200" } == 1)
        #expect(rows("pictures.popular").count { $0.status == "stored" } == 10)
        #expect(rows("pictures.popular").allSatisfy { $0.tone == "ok" })
        #expect(rows("pictures.original").map(\.queue) == ["images"])
        #expect(rows("pictures.original").allSatisfy { $0.bars.last == "receiving" })
        #expect(rows("issues.list").count == 3)
        #expect(all.allSatisfy { $0.time.hasSuffix("s") })
    }

    private func expectFilters(_ demo: Demo) {
        #expect(demo.owners == ["", "feed", "search", "editor", "profile", "viewer"])
        #expect(demo.filters["client"] == "8 of 202 calls · 8 failed")
        #expect(demo.filters["server"] == "0 of 202 calls")
        #expect(demo.filters["failed"] == "16 of 202 calls · 16 failed")
        #expect(demo.filters["running"] == "0 of 202 calls")
        #expect(demo.filters["violations"] == "5 of 202 calls · 5 failed")
        #expect(demo.filters["ok"] == "180 of 202 calls · 5 failed")
        #expect(demo.filters["all"] == demo.counts)
        #expect(demo.text == "20 of 202 calls")
        #expect(demo.both == "0 of 202 calls" && demo.nothing)
        #expect(demo.shownAgain == demo.counts)
    }

    private func expectDetail(_ demo: Demo) {
        #expect(demo.parts.contains("Postponed"))
        #expect(demo.log.contains { $0.hasPrefix("postponed: ") })
        #expect(demo.exchanges == ["Try 1 · 401", "Try 2 · 200"])
        #expect(demo.request.contains("GET https://api.gallery.example/v1/account"))
        #expect(demo.request.contains("‹redacted›"))
        #expect(demo.reply.contains("{\n  \"name\": \"Ann\"\n}"))
        #expect(demo.firstReply.contains("Status 401") && demo.firstReply.contains("expired"))
        #expect(demo.curl.hasPrefix("curl -X GET 'https://api.gallery.example/v1/account'"))
        #expect(demo.har == 2)
        #expect(demo.violations.contains("expected an integer, found \"seven\""))
        #expect(demo.violations.contains("Gallery.yaml: pictures.list"))
        // 16 requests more than calls, of which ten have none.
        #expect(demo.archive >= 201)
    }

    private struct Hostile: Decodable {
        let texts: [String]
        let lines: String
        let links: [String]
        let ran: [String]
        let marks: Int
        let scripts: Int
        let handlers: Int
        let problems: [String]
        let injected: Int
    }

    @Test("the page of an inspector runs no script that a call has in its texts")
    func hostile() async throws {
        let inspector = Inspector { _, _, _ in HostileCall.texts.joined() }
        for text in HostileCall.texts { inspector.record(HostileCall.call(text)) }
        let page = try await InstalledBrowser.run("hostile.py", with: inspector, as: Hostile.self)
        #expect(page.ran == [] && page.marks == 0 && page.handlers == 0 && page.scripts == 1)
        #expect(page.links.allSatisfy { $0.hasPrefix("/") })
        #expect(page.problems == [])
        #expect(page.injected == 0)
        #expect(page.lines.hasPrefix("\(HostileCall.texts.count) calls"))
        // Each text is shown as it is, in each part of a call.
        for (index, text) in HostileCall.texts.enumerated() {
            let parts = page.texts[(index * 5)..<(index * 5 + 5)]
            #expect(parts.allSatisfy { $0.contains(text) }, "\(text)")
        }
    }

    private struct Many: Decodable {
        let first: Int
        let rows: Int
        let nodes: Int
        let writes: Int
        let last: String
        let paused: Bool
        let button: String
        let counts: String
        let problems: [String]
    }

    @Test("the page of an inspector scrolls through 10,000 calls with the elements of one screen")
    func many() async throws {
        let inspector = Inspector()
        for number in 0..<10_000 { inspector.record(HostileCall.plain(number)) }
        let page = try await InstalledBrowser.run("many.py", with: inspector, as: Many.self)
        #expect(page.first < 60 && page.rows < 60)
        #expect(page.nodes < 2000)
        // Rows and bars are used again: scrolling adds few.
        #expect(page.writes < 500)
        #expect(page.last == "10000")
        #expect(page.paused && page.button == "Resume · 1")
        #expect(page.counts.hasPrefix("10,000 calls"))
        #expect(page.problems == [])
    }
}
