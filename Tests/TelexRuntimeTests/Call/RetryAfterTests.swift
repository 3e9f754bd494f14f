import Foundation
import HTTPTypes
import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime
@testable import TelexTransport

/// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
private let moment = Date(timeIntervalSince1970: 784_111_777)

private func fields(_ pairs: [String: String]) -> HTTPFields {
    var fields: HTTPFields = [:]
    for (name, value) in pairs {
        if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
}

@Suite("Retry-After")
struct RetryAfterTests {
    private func wait(_ text: String) -> Duration? {
        RetryAfter.wait([.retryAfter: text], now: moment)
    }

    @Test(
        "Retry-After that is neither seconds nor a date is ignored",
        arguments: [
            "", " ", "-1", "+1", "1e3", "0x10", "soon", "١٢", "12 seconds", "1,2", "5, 6", "5, ",
            ".5", "5.", "1.5.2", "-0.5", "1.5s", "Sun, 06 Nov 1994 08:49:37 GMT, 5",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sonntag, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun Nov 06 08:49:37 1994 GMT", "1994-11-06T08:49:37Z",
            String(repeating: "Sun, 06 Nov 1994 08:49:37 GMT", count: 1000),
        ])
    func nonsense(_ text: String) {
        #expect(wait(text) == nil)
    }

    @Test("Retry-After in seconds is limited to a day, for any number of digits")
    func seconds() {
        #expect(RetryAfter.wait([:], now: moment) == nil)
        #expect(wait("0") == .zero)
        #expect(wait(" 120\t") == .seconds(120))
        #expect(wait("086399") == .seconds(86_399))
        #expect(wait("86401") == .seconds(86_400))
        #expect(wait("9223372036854775807") == .seconds(86_400))
        #expect(wait(String(repeating: "9", count: 5000)) == .seconds(86_400))
    }

    @Test("Retry-After with fractions is rounded up to the millisecond")
    func decimals() {
        #expect(wait("0.65") == .milliseconds(650) && wait("1.5") == .milliseconds(1_500))
        #expect(wait("0.0001") == .milliseconds(1) && wait("0.000") == .zero)
        #expect(wait("1.0010") == .milliseconds(1_001) && wait("1.00101") == .milliseconds(1_002))
        #expect(wait("86399.9999") == .seconds(86_400) && wait("99999.5") == .seconds(86_400))
        let nines = String(repeating: "9", count: 5_000)
        #expect(wait("\(nines).\(nines)") == .seconds(86_400))
    }

    @Test("Retry-After that comes twice is accepted if both are equal")
    func doubled() throws {
        #expect(wait("5, 5") == .seconds(5) && wait("0.5,0.5 ,0.5") == .milliseconds(500))
        let date = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(wait("\(date), \(date)") == .seconds(60))
        var fields: HTTPFields = [:]
        for _ in 0..<2 { fields.append(HTTPField(name: .retryAfter, value: date)) }
        #expect(RetryAfter.wait(fields, now: moment) == .seconds(60))
    }

    @Test(
        "Retry-After as a date is the time until then, in all three forms",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun Nov 06 08:50:37 1994", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
            ("Thu, 01 Jan 0000 00:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:60 GMT", 86_400),
        ])
    func dates(_ text: String, _ seconds: Int) {
        #expect(wait(text) == .seconds(seconds))
    }

    @Test("Retry-After as a date is measured by the server's clock where it is known")
    func serverClock() {
        let fields: HTTPFields = [
            .retryAfter: "Sun, 06 Nov 1994 10:00:30 GMT", .date: "Sun, 06 Nov 1994 10:00:00 GMT",
        ]
        #expect(RetryAfter.wait(fields, now: moment) == .seconds(30))
    }

    @Test("Retry-After with a year of two digits is at most fifty years ahead")
    func shortYears() {
        func year(_ text: String, _ now: String) -> String? {
            let now = Date(literal: now)
            let date = HTTPDate.date(from: "Monday, \(text) 00:00:00 GMT", now: now)
            return date.flatMap { DateForm.date.text(for: $0) }
        }
        #expect(year("01-Jan-44", "1994-01-01") == "2044-01-01")
        #expect(year("01-Jan-45", "1994-01-01") == "1945-01-01")
        #expect(year("01-Jan-99", "2026-01-01") == "1999-01-01")
        #expect(year("01-Jan-76", "2026-01-01") == "2076-01-01")
        #expect(year("01-Jan-77", "2026-01-01") == "1977-01-01")
        #expect(year("29-Feb-00", "2026-01-01") == "2000-02-29")
        #expect(year("29-Feb-01", "2026-01-01") == nil)
        #expect(year("01-Jan-05", "2099-01-01") == "2105-01-01")
    }
}

@Suite("A delay in a body")
struct BodyDelayTests {
    private func wait(_ value: String, _ unit: ErrorRules.TimeUnit = .seconds) -> Duration? {
        let rules = ErrorRules(at: ["error"], retryAfter: ["wait", "time"], timeUnit: unit)
        let body = Array(#"{"error":{"wait":{"time":\#(value)}}}"#.utf8)
        return rules.retryAfter(in: body, limits: JSONLimits())
    }

    @Test(
        "a delay in a body that is no duration is ignored",
        arguments: [
            "null", "true", "-1", "\"\"", "\"soon\"", "\"nan\"", "\"inf\"", "1e999", "[5]", "{}",
            "x",
        ])
    func nonsense(_ value: String) {
        #expect(wait(value) == nil)
    }

    @Test("a delay in a body is a number or a numeric text, and a day at most")
    func numbers() {
        #expect(wait("0") == .zero && wait("35") == .seconds(35))
        #expect(wait("\"35\"") == .seconds(35) && wait("0.25") == .milliseconds(250))
        #expect(wait("1500", .milliseconds) == .milliseconds(1500))
        #expect(
            wait("1e12") == .seconds(86_400) && wait("1e300", .milliseconds) == .seconds(86_400))
    }
}

@Suite("A hint about the rate limit")
struct RateLimitHintTests {
    private func hint(_ pairs: [String: String]) -> RateLimitHint? {
        RateLimitHint(fields(pairs), now: moment)
    }

    @Test(
        "a hint about the rate limit that is incomplete or malformed is ignored",
        arguments: [
            [:], ["RateLimit": ""], ["RateLimit": "\"a\""], ["RateLimit": "\"a\";r=5"],
            ["RateLimit": "\"a\";t=5"], ["RateLimit": "\"a\";r=x;t=5"], ["RateLimit": ";;,,;=,="],
            ["RateLimit": "\"a;r=5;t=5"], ["RateLimit": "remaining=5"], ["RateLimit": "50"],
            ["RateLimit": "\"a\";r=1.5;t=5"], ["RateLimit-Policy": "\"a\";q=100;w=60"],
            ["RateLimit-Remaining": "5"], ["RateLimit-Reset": "5"],
            ["RateLimit-Remaining": "5", "RateLimit-Reset": "-5"],
            ["X-RateLimit-Remaining": "x", "X-RateLimit-Reset": "5"],
            ["X-RateLimit-Remaining": "0.5", "X-RateLimit-Reset": "5"],
            ["X-RateLimit-Remaining": "0.", "X-RateLimit-Reset": "5"],
            ["X-RateLimit-Remaining": "0, 1", "X-RateLimit-Reset": "5"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5, 6"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "soon"],
            ["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "nan"],
            ["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "1e999"],
            ["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "inf"],
            ["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "-1"],
        ])
    func nonsense(_ pairs: [String: String]) {
        #expect(hint(pairs) == nil)
    }

    @Test("a hint about the rate limit is read from structured fields; the tightest limit applies")
    func structured() {
        #expect(
            hint(["RateLimit": "\"default\";r=50;t=30"])
                == RateLimitHint(remaining: 50, reset: .seconds(30)))
        #expect(
            hint(["RateLimit": "\"hour\";r=500;t=3000, \"minute\"; r=3; t=30 ;pk=:AAE=:, x;r=3;t=9"]
            )
                == RateLimitHint(remaining: 3, reset: .seconds(30)))
        #expect(
            hint([
                "RateLimit": "\"a;b,c\\\"\";r=1",
                "RateLimit-Policy": "z;w=1, \"a;b,c\\\"\";q=9;w=60",
            ]) == RateLimitHint(remaining: 1, reset: .seconds(60)))
        #expect(
            hint(["RateLimit": "b;r=1, a;r=2", "RateLimit-Policy": "a;w=3, b;w=4, b;w=5"])
                == RateLimitHint(remaining: 1, reset: .seconds(4)))
        #expect(
            hint(["RateLimit": "\"a=b\";r=1;t=2"])
                == RateLimitHint(remaining: 1, reset: .seconds(2)))
        #expect(
            hint(["RateLimit": "limit=100, remaining=50, reset=30"])
                == RateLimitHint(remaining: 50, reset: .seconds(30)))
    }

    @Test("a hint about the rate limit is read from a bounded number of limits")
    func bounded() {
        let items = (0..<1_000).map { "a\($0);r=\(1_000 - $0);t=\($0)" }
        #expect(LimitItem.list(items.joined(separator: ",")).count == LimitItem.most)
        #expect(
            hint(["RateLimit": items.joined(separator: ",")])
                == RateLimitHint(
                    remaining: 1_001 - LimitItem.most, reset: .seconds(LimitItem.most - 1)))
    }

    @Test("a hint about the rate limit is read from single fields, seconds from now or since 1970")
    func single() {
        #expect(
            hint(["RateLimit-Remaining": "0", "RateLimit-Reset": "7"])
                == RateLimitHint(remaining: 0, reset: .seconds(7)))
        let resets: [(String, Duration)] = [
            ("7", .seconds(7)), ("0.5", .milliseconds(500)), ("0", .zero),
            ("999999999", .seconds(86_400)), ("1000000000", .seconds(86_400)),
            ("1000000000000", .seconds(86_400)), ("1e300", .seconds(86_400)),
            (String(repeating: "9", count: 300), .seconds(86_400)),
        ]
        for (text, reset) in resets {
            #expect(
                hint(["X-RateLimit-Remaining": "4", "X-RateLimit-Reset": text])
                    == RateLimitHint(remaining: 4, reset: reset), "\(text)")
        }
    }

    @Test("a rate limit hint is read from common other fields whose meaning is unambiguous")
    func spellings() {
        let found: [([String: String], RateLimitHint)] = [
            (
                ["X-RateLimit-Remaining": "0.0", "X-RateLimit-Reset": "5"],
                RateLimitHint(remaining: 0, reset: .seconds(5))
            ),
            (
                ["X-RateLimit-Remaining": "0, 0", "X-RateLimit-Reset": "5, 5"],
                RateLimitHint(remaining: 0, reset: .seconds(5))
            ),
            (
                ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "3.5"],
                RateLimitHint(remaining: 0, reset: .milliseconds(3_500))
            ),
            // This form needs no clock.
            (
                [
                    "X-RateLimit-Remaining": "4", "X-RateLimit-Reset": "1700000030",
                    "X-RateLimit-Reset-After": "0.0001",
                ], RateLimitHint(remaining: 4, reset: .milliseconds(1))
            ),
        ]
        for (pairs, expected) in found { #expect(hint(pairs) == expected) }
    }

    @Test("a rate limit hint is read from a moment by the server's clock, if its reply has that")
    func momentOfServer() {
        // An hour ahead of this device.
        let fields: HTTPFields = [.date: "Tue, 14 Nov 2023 23:13:20 GMT"]
        var named = fields
        for (name, value) in [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700003610")] {
            if let name = HTTPField.Name(name) { named[name] = value }
        }
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(
            RateLimitHint(named, now: now) == RateLimitHint(remaining: 0, reset: .seconds(10)))
    }

    @Test(
        "a rate limit hint is read from a moment since 1970 too, which its size reveals",
        arguments: ["ratelimit", "x-ratelimit", "x-rate-limit"])
    func moments(_ prefix: String) {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        for (text, reset) in [
            ("1700000030", Duration.seconds(30)), ("1700000030500", .milliseconds(30_500)),
            ("1600000000", .zero),
        ] {
            let found = RateLimitHint(
                fields(["\(prefix)-remaining": "4", "\(prefix)-reset": text]), now: now)
            #expect(found == RateLimitHint(remaining: 4, reset: reset))
        }
    }

    @Test("a hint about the rate limit cannot overflow, nor be negative")
    func hostile() {
        let nines = String(repeating: "9", count: 400)
        #expect(
            hint(["RateLimit": "\"a\";r=\(nines);t=\(nines)"])
                == RateLimitHint(remaining: .max, reset: .seconds(86_400)))
        #expect(
            hint(["X-RateLimit-Remaining": "-3", "X-RateLimit-Reset": "1"])
                == RateLimitHint(remaining: 0, reset: .seconds(1)))
    }

    @Test("a rate limit hint comes from the standard's fields first, and otherwise from others")
    func order() {
        let old = ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1"]
        let new = ["RateLimit": "\"a\";r=2;t=2"]
        #expect(hint(old.merging(new) { one, _ in one })?.remaining == 2)
        #expect(hint(old.merging(["RateLimit": "50"]) { one, _ in one })?.remaining == 1)
    }

    @Test("a hint about the rate limit never traps, whatever the server sends")
    func random() {
        var random = SeededRandom(seed: 11)
        let alphabet = Array("\"\\;=,.rtw0123456789-e ")
        for _ in 0..<2000 {
            let count = Int.random(in: 0...40, using: &random)
            let text = String(
                (0..<count).compactMap { _ in alphabet.randomElement(using: &random) })
            let found = hint([
                "RateLimit": text, "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": text,
            ])
            if let found {
                #expect(found.remaining >= 0)
                #expect(found.reset >= .zero && found.reset <= RetryAfter.maximum)
            }
        }
    }
}
