import Foundation
import HTTPTypes
import Testing

@testable import TelexCache

/// 2026-11-25 12:00:00 GMT.
let noon = Date(timeIntervalSince1970: 1_795_608_000)
let noonText = "Wed, 25 Nov 2026 12:00:00 GMT"

/// Returns a reply that was requested and received at noon.
func made(_ fields: HTTPFields, status: Int = 200, body: String = "[]") -> CachedReply? {
    CachedReply(
        HTTPResponse(status: .init(code: status), headerFields: fields), body: Array(body.utf8),
        requested: noon, received: noon)
}

@Suite("The freshness of a stored reply (RFC 9111, section 4.2)")
struct FreshnessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let fields: HTTPFields
        /// The seconds during which it is fresh; nil if it never is.
        let end: Double?
        var own: Duration = .zero

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "no lifetime", fields: [:], end: nil),
        Case(
            name: "nothing is guessed from Last-Modified",
            fields: [.lastModified: "Mon, 25 Nov 2024 12:00:00 GMT"], end: nil),
        Case(name: "a lifetime of one's own", fields: [:], end: 300, own: .seconds(300)),
        Case(
            name: "the server's lifetime before one's own",
            fields: [.cacheControl: "max-age=10"], end: 10, own: .seconds(300)),
        Case(name: "max-age", fields: [.cacheControl: "max-age=60"], end: 60),
        Case(
            name: "directives are case-insensitive",
            fields: [.cacheControl: "Private, MAX-AGE=60"], end: 60),
        Case(name: "a quoted number", fields: [.cacheControl: #"max-age="60""#], end: 60),
        Case(
            name: "a number inside a quoted value is no directive",
            fields: [.cacheControl: #"x="a, max-age=60\", max-age=70", max-age=5"#], end: 5),
        Case(
            name: "spaces and empty items", fields: [.cacheControl: " ,, max-age = 60 ,"], end: 60),
        Case(
            name: "the least of several", fields: [.cacheControl: "max-age=60, max-age=5"], end: 5),
        Case(name: "an invalid number", fields: [.cacheControl: "max-age=soon"], end: nil),
        Case(name: "a negative number", fields: [.cacheControl: "max-age=-1"], end: nil),
        Case(name: "no number", fields: [.cacheControl: "max-age"], end: nil, own: .seconds(9)),
        Case(
            name: "a huge number", fields: [.cacheControl: "max-age=99999999999999999999"],
            end: 2_147_483_648),
        Case(
            name: "s-maxage is for shared caches", fields: [.cacheControl: "s-maxage=60"],
            end: nil),
        Case(
            name: "no-cache", fields: [.cacheControl: "max-age=60, no-cache"], end: nil),
        Case(
            name: "no-cache for one field",
            fields: [.cacheControl: #"max-age=60, no-cache="X-A""#], end: nil),
        Case(
            name: "Expires", fields: [.date: noonText, .expires: "Wed, 25 Nov 2026 12:01:00 GMT"],
            end: 60),
        Case(
            name: "Expires without Date", fields: [.expires: "Wed, 25 Nov 2026 12:01:00 GMT"],
            end: 60),
        Case(
            name: "max-age before Expires",
            fields: [.expires: "Wed, 25 Nov 2026 12:01:00 GMT", .cacheControl: "max-age=5"],
            end: 5),
        Case(name: "Expires: 0", fields: [.expires: "0"], end: nil, own: .seconds(300)),
        Case(
            name: "Expires before Date",
            fields: [.date: noonText, .expires: "Wed, 25 Nov 2026 11:00:00 GMT"], end: nil),
        Case(
            name: "Age shortens the rest", fields: [.cacheControl: "max-age=60", .age: "20"],
            end: 40),
        Case(
            name: "an invalid Age is ignored",
            fields: [.cacheControl: "max-age=60", .age: "-20"], end: 60),
        Case(
            name: "a huge Age",
            fields: [.cacheControl: "max-age=99999999999", .age: "99999999999999999999"],
            end: nil),
        Case(
            name: "a Date in the past counts as age",
            fields: [.cacheControl: "max-age=60", .date: "Wed, 25 Nov 2026 11:59:30 GMT"],
            end: 30),
        Case(
            name: "a Date in the future",
            fields: [.cacheControl: "max-age=60", .date: "Wed, 25 Nov 2026 13:00:00 GMT"],
            end: 60),
    ]

    @Test("the freshness of a stored reply lasts as long as the fields say", arguments: cases)
    func lifetime(_ one: Case) throws {
        let reply = try #require(made(one.fields))
        func isFresh(after seconds: Double) -> Bool {
            Freshness(of: reply, at: noon + seconds, lifetime: one.own).isFresh
        }
        #expect(isFresh(after: 0) == (one.end != nil))
        if let end = one.end {
            #expect(isFresh(after: end - 1))
            #expect(!isFresh(after: end))
        }
    }

    @Test("the freshness of a stored reply counts the time of a slow reply as age")
    func delay() throws {
        let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
        let reply = try #require(
            CachedReply(head, body: [], requested: noon - 50, received: noon))
        #expect(Freshness(of: reply, at: noon + 9).isFresh)
        #expect(!Freshness(of: reply, at: noon + 10).isFresh)
    }

    @Test("the freshness of a stored reply is unknown after the clock was set back")
    func clockSetBack() throws {
        let reply = try #require(made([.cacheControl: "max-age=60"]))
        #expect(!Freshness(of: reply, at: noon - 3_600).isFresh)
    }

    @Test(
        "the freshness of a stored reply ends later if the server fails (RFC 5861)",
        arguments: [
            ("max-age=60, stale-if-error=100", nil, 160.0), ("max-age=60", 200, 260),
            ("max-age=60, stale-if-error=100", 200, 160), ("max-age=60", nil, 60),
            ("max-age=60, must-revalidate", 200, 60), ("max-age=60, stale-if-error=x", 200, 60),
            ("no-cache", 200, 0),
        ])
    func staleIfError(control: String, limit: Int?, end: Double) throws {
        let reply = try #require(made([.cacheControl: control]))
        let limit = limit.map { Duration.seconds($0) }
        for (moment, isUsed) in [(end - 1, end > 0), (end, false)] {
            let freshness = Freshness(of: reply, at: noon + max(moment, 0))
            #expect(freshness.mayBeUsedOnError(for: limit) == isUsed)
        }
    }

    @Test("the freshness of a stored reply gives the age in the head")
    func age() throws {
        let head = try #require(made([.age: "7"])).head(at: noon + 5)
        #expect(head.headerFields[.age] == "12")
    }
}

@Suite("Storing and validating a reply (RFC 9111, sections 3 and 4.3)")
struct CachedReplyTests {
    @Test(
        "storing and validating a reply is refused by the fields of the reply",
        arguments: [
            [.cacheControl: "no-store"], [.cacheControl: "max-age=60, No-Store"], [.vary: "*"],
            [.vary: "Accept, *"], [.server: String(repeating: "a", count: 70_000)],
        ] as [HTTPFields])
    func refused(fields: HTTPFields) {
        #expect(made(fields) == nil)
    }

    @Test(
        "storing and validating a reply is refused for partial and other replies",
        arguments: [206, 302, 304, 500, 503])
    func statuses(status: Int) {
        #expect(made([.cacheControl: "max-age=60"], status: status) == nil)
    }

    @Test("storing and validating a reply keeps no secrets and no fields of the connection")
    func fields() throws {
        let secret = try #require(HTTPField.Name("X-Auth-Token"))
        let hop = try #require(HTTPField.Name("X-Hop"))
        let reply = try #require(
            made([
                .setCookie: "session=1", secret: "abc", hop: "1", .connection: "X-Hop",
                .contentType: "application/json",
            ]))
        #expect(reply.fields == [.contentType: "application/json"])
    }

    @Test("a cache validates each time if an interceptor changed a field that the reply varies by")
    func vary() throws {
        let head = HTTPResponse(
            status: .ok, headerFields: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        for (changed, isFresh) in [(["x-trace"], true), (["accept-language"], false)] {
            let reply = try #require(
                CachedReply(
                    head, body: [], requested: noon, received: noon, changed: Set(changed)))
            #expect(Freshness(of: reply, at: noon).isFresh == isFresh)
        }
    }

    @Test("storing and validating a reply sends valid validators only")
    func conditions() throws {
        let date = "Mon, 25 Nov 2024 12:00:00 GMT"
        let good = try #require(made([.eTag: #"W/"1""#, .lastModified: date])).conditions
        #expect(good == [.ifNoneMatch: #"W/"1""#, .ifModifiedSince: date])
        let bad = try #require(made([.eTag: "1", .lastModified: "yesterday"])).conditions
        #expect(bad.isEmpty)
        let long = "\"\(String(repeating: "1", count: 9_000))\""
        #expect(try #require(made([.eTag: long])).conditions.isEmpty)
    }

    @Test("storing and validating a reply takes the fields of a 304, except those about the body")
    func merging() throws {
        let old = try #require(
            made([
                .eTag: #""1""#, .cacheControl: "max-age=1", .contentType: "application/json",
                .age: "40", .server: "a",
            ]))
        let head = HTTPResponse(
            status: .notModified,
            headerFields: [
                .eTag: #"W/"1""#, .cacheControl: "max-age=60", .contentType: "text/plain",
                .setCookie: "a=1",
            ])
        let new = try #require(old.validated(by: head, requested: noon + 90, received: noon + 100))
        #expect(new.isStorable)
        #expect(new.reply.body == old.body)
        #expect(
            new.reply.fields == [
                .eTag: #"W/"1""#, .cacheControl: "max-age=60", .contentType: "application/json",
                .server: "a",
            ])
        #expect(Freshness(of: new.reply, at: noon + 101).isFresh)
    }

    @Test("a cache refuses a 304 about another version, and does not store after no-store")
    func otherVersion() throws {
        let old = try #require(made([.eTag: #""1""#]))
        func validated(_ fields: HTTPFields) -> (reply: CachedReply, isStorable: Bool)? {
            old.validated(
                by: HTTPResponse(status: .notModified, headerFields: fields), requested: noon,
                received: noon)
        }
        #expect(validated([.eTag: #""2""#]) == nil)
        #expect(validated([.cacheControl: "no-store"])?.isStorable == false)
        #expect(validated([:])?.isStorable == true)
    }
}
