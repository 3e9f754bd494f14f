import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("A file on a server")
struct FileOnServerTests {
    private static let bytes = Array("0123456789".utf8)
    private static let modified = Date(timeIntervalSince1970: 784_111_777)

    private func file() -> FileOnServer {
        FileOnServer(Self.bytes, entityTag: "\"1\"", modified: Self.modified)
    }

    private func fetch(_ file: FileOnServer, _ fields: HTTPFields) async throws -> CollectedReply {
        try await TransportTestClient(.inMemory, file.answer).fetch(fields: fields)
    }

    @Test(
        "a whole reply has validators and announces ranges",
        arguments: TransportKind.allCases)
    func whole(_ kind: TransportKind) async throws {
        let served = try TransportTestClient(kind, file().answer)
        defer { served.stop() }
        let reply = try await served.fetch()
        #expect(reply.status == 200)
        #expect(reply.body == Self.bytes)
        #expect(reply["ETag"] == "\"1\"")
        #expect(reply["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(reply["Accept-Ranges"] == "bytes")
        let head = try await served.fetch(.head)
        #expect(head["Content-Length"] == "10")
        #expect(head.body.isEmpty)
        #expect(try await served.fetch(.put).status == 405)
    }

    @Test(
        "a range is sent over every transport",
        arguments: TransportKind.allCases,
        [
            ("bytes=0-0", "0", "0-0"), ("bytes=2-5", "2345", "2-5"), ("bytes=4-", "456789", "4-9"),
            ("bytes=8-99", "89", "8-9"), ("bytes=-3", "789", "7-9"),
            ("bytes=-99", "0123456789", "0-9"), ("Bytes=9-9223372036854775807", "9", "9-9"),
        ])
    func part(_ kind: TransportKind, _ range: (asked: String, text: String, sent: String))
        async throws
    {
        let served = try TransportTestClient(kind, file().answer)
        defer { served.stop() }
        let reply = try await served.fetch(fields: [.range: range.asked])
        #expect(reply.status == 206)
        #expect(reply.text == range.text)
        #expect(reply["Content-Range"] == "bytes \(range.sent)/10")
    }

    @Test("an unsatisfiable range is refused with the size", arguments: ["10-", "99-100", "-0"])
    func unsatisfiable(_ range: String) async throws {
        let reply = try await fetch(file(), [.range: "bytes=\(range)"])
        #expect(reply.status == 416)
        #expect(reply["Content-Range"] == "bytes */10")
        #expect(reply.body.isEmpty)
        let empty = FileOnServer([], entityTag: nil)
        #expect(try await fetch(empty, [.range: "bytes=0-"]).status == 416)
    }

    @Test(
        "a malformed or multiple range gets the whole file",
        arguments: [
            "bytes", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=1-2,4-5", "bytes=+1-2",
            "lines=1-2", "bytes=1-2-3", "bytes=99999999999999999999-", "",
        ])
    func notUnderstood(_ range: String) async throws {
        let reply = try await fetch(file(), [.range: range])
        #expect(reply.status == 200)
        #expect(reply.body == Self.bytes)
    }

    @Test(
        "If-Range allows the range only for the same version",
        arguments: [
            ("\"1\"", 206), ("\"2\"", 200), ("W/\"1\"", 200), ("1", 200),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 206), ("Mon, 07 Nov 1994 08:49:37 GMT", 200),
        ])
    func ifRange(_ version: String, _ status: Int) async throws {
        let reply = try await fetch(file(), [.range: "bytes=4-", .ifRange: version])
        #expect(reply.status == status)
    }

    @Test("a weak entity tag never allows a range")
    func weakTag() async throws {
        let file = FileOnServer(Self.bytes, entityTag: "W/\"1\"")
        let reply = try await fetch(file, [.range: "bytes=4-", .ifRange: "W/\"1\""])
        #expect(reply.status == 200)
        #expect(try await fetch(file, [.ifMatch: "W/\"1\""]).status == 412)
        #expect(try await fetch(file, [.ifNoneMatch: "\"1\""]).status == 304)
    }

    @Test("conditional requests get 304 and 412")
    func conditions() async throws {
        #expect(try await fetch(file(), [.ifNoneMatch: "\"0\", \"1\""]).status == 304)
        #expect(try await fetch(file(), [.ifNoneMatch: "*"]).status == 304)
        #expect(try await fetch(file(), [.ifNoneMatch: "\"0\""]).status == 200)
        #expect(try await fetch(file(), [.ifMatch: "\"1\""]).status == 200)
        #expect(try await fetch(file(), [.ifMatch: "\"0\", \"2\""]).status == 412)
        let untagged = FileOnServer(Self.bytes, entityTag: nil)
        #expect(try await fetch(untagged, [.ifMatch: "\"1\""]).status == 412)
        #expect(try await fetch(untagged, [.ifNoneMatch: "\"1\""]).status == 200)
    }

    @Test("Range applies only to GET, and entity tags may contain commas")
    func letter() async throws {
        let served = try TransportTestClient(.inMemory, file().answer)
        let head = try await served.fetch(.head, fields: [.range: "bytes=4-"])
        #expect(head.status == 200 && head.body.isEmpty)
        let odd = FileOnServer(Self.bytes, entityTag: "\"a,b\"")
        #expect(try await fetch(odd, [.ifNoneMatch: "\"x\", W/\"a,b\""]).status == 304)
        #expect(try await fetch(odd, [.ifMatch: "\"a\",\"b\""]).status == 412)
    }

    @Test(
        "a download continues after a cut, and no byte is sent twice",
        arguments: TransportKind.allCases)
    func resumed(_ kind: TransportKind) async throws {
        let file = file()
        file.cutNextReply(after: 4, by: .close)
        let served = try TransportTestClient(kind, file.answer)
        defer { served.stop() }
        let first = await Fault.Outcome(of: try await served.send())
        #expect(first == .cut(after: 4, of: 10))
        let rest = try await served.fetch(fields: [.range: "bytes=4-", .ifRange: "\"1\""])
        #expect(rest.text == "456789")
        #expect(file.bodyBytesSent == 10)
    }

    @Test("cuts apply in order, also to replies that are too short for them")
    func cuts() async throws {
        let file = file()
        file.cutNextReply(after: 99, by: .close)
        file.cutNextReply(after: 1, by: .close)
        let served = try TransportTestClient(.inMemory, file.answer)
        #expect(try await served.fetch().body.count == 10)
        #expect(await Fault.Outcome(of: try await served.send()) == .cut(after: 1, of: 10))
        #expect(try await served.fetch().body.count == 10)
    }

    @Test("a replaced file is another version, and ranges can be switched off")
    func replaced() async throws {
        let file = file()
        file.replace(with: [65, 66], entityTag: "\"2\"")
        let reply = try await fetch(file, [.range: "bytes=1-", .ifRange: "\"1\""])
        #expect(reply.text == "AB")
        #expect(reply["ETag"] == "\"2\"")
        #expect(reply["Last-Modified"] == nil)
        file.setKnowsRanges(false)
        let whole = try await fetch(file, [.range: "bytes=1-"])
        #expect(whole.status == 200)
        #expect(whole["Accept-Ranges"] == "none")
    }
}
