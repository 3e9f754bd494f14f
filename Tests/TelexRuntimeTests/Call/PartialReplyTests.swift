import Foundation
import HTTPTypes
import Testing

@testable import TelexDownloads
@testable import TelexRuntime

@Suite("The reply to a continued download")
struct PartialReplyTests {
    /// A file with ten of a hundred bytes.
    private func withTen<T>(
        _ fields: HTTPFields = [.eTag: "\"a\"", .contentLength: "100"],
        _ body: (inout PartialFile, String) throws -> T
    ) throws -> T {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            let found = try file.accept(head(200, fields), at: noon)
            #expect(found == .receive)
            try file.write([UInt8](repeating: 1, count: 10))
            return try body(&file, path)
        }
    }

    private func refusal(
        _ file: inout PartialFile, _ head: HTTPResponse
    ) -> DownloadError.Reason? {
        do throws(DownloadError) {
            _ = try file.accept(head, at: noon)
            return nil
        } catch { return error.reason }
    }

    @Test(
        "a continued reply with another range than requested restarts the download",
        arguments: [
            nil, "bytes 0-99/100", "bytes 9-99/100", "bytes 11-99/100", "bytes 10-9/100",
            "bytes 10-100/100", "bytes 10-99", "bytes=10-99/100", "items 10-99/100",
            "bytes +10-99/100", "bytes 10-99/100, 0-5/100", "bytes */100", "",
            "bytes 99999999999999999999-99999999999999999999/*",
            "bytes 10-9223372036854775807/*",
        ] as [String?])
    func wrongRange(_ range: String?) throws {
        try withTen { file, path in
            var fields: HTTPFields = [.eTag: "\"a\""]
            fields[.contentRange] = range
            let verdict = try file.accept(head(206, fields), at: noon)
            #expect(verdict == .requestAgain)
            #expect(file.offset == 0 && file.requestFields.isEmpty)
            #expect(DiskFile.size("\(path).part") == 0)
            // A server that repeats it without a requested range is refused.
            let again = head(206, [.contentRange: "bytes 9-99/100"])
            let error = problem { () throws(DownloadError) in
                _ = try file.accept(again, at: noon)
            }
            #expect(error?.reason == .wrongRange(expectedFirst: 0, found: "bytes 9-99/100"))
            // There is no unfinished file to remove.
            #expect(error?.description.contains(".part") == false)
            #expect(
                error?.description.hasSuffix("; start it again, it will start from the beginning")
                    == true)
        }
    }

    @Test("a continued reply with an unrequested range is accepted if it begins at zero")
    func unasked() throws {
        try withTen([.eTag: "W/\"a\"", .contentLength: "100"]) { file, path in
            #expect(file.offset == 10 && file.resumeOffset == 0 && file.requestFields.isEmpty)
            #expect(refusal(&file, head(416)) == .unexpectedStatus(416))
            let rest = head(206, [.contentRange: "bytes 10-99/100"])
            #expect(
                refusal(&file, rest)
                    == .wrongRange(expectedFirst: 0, found: "bytes 10-99/100"))
            let start = try file.accept(head(206, [.contentRange: "bytes 0-2/3"]), at: noon)
            #expect(start == .receive && file.offset == 0)
            try file.write([7, 8, 9])
            try file.finish()
            #expect(try DiskFile.read(path) == [7, 8, 9])
        }
    }

    @Test(
        "a continued reply with another status is refused, and the partial file stays",
        arguments: [204, 205, 301, 500])
    func otherStatus(_ status: Int) throws {
        try withTen { file, _ in
            #expect(refusal(&file, head(status)) == .unexpectedStatus(status))
            #expect(file.offset == 10)
        }
    }

    @Test("a continued reply that reports no such range to a full request is refused")
    func needless416() throws {
        try withFolder { folder in
            var file = try PartialFile(destination: "\(folder)/f", source: source())
            #expect(refusal(&file, head(416)) == .unexpectedStatus(416))
            #expect(
                refusal(&file, head(206, [.contentRange: "bytes 5-9/10"]))
                    == .wrongRange(expectedFirst: 0, found: "bytes 5-9/10"))
        }
    }

    @Test("a continued reply with the rest is appended")
    func rest() throws {
        try withTen { file, path in
            let fields: HTTPFields = [.contentRange: "bytes 10-99/100"]
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .receive)
            try file.write([UInt8](repeating: 2, count: 90))
            try file.finish()
            #expect(
                try DiskFile.read(path)
                    == [UInt8](repeating: 1, count: 10) + [UInt8](repeating: 2, count: 90))
        }
    }

    @Test("a reply with more than it declared is refused, and discarded for the next request")
    func tooMuch() throws {
        try withTen { file, path in
            let fields: HTTPFields = [.contentRange: "bytes 10-99/100"]
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .receive)
            try file.write([UInt8](repeating: 2, count: 50))
            let tooMuch = reason { () throws(DownloadError) in
                try file.write([UInt8](repeating: 2, count: 41))
            }
            #expect(tooMuch == .tooLong(expected: 100))
            #expect(file.offset == 0 && file.requestFields.isEmpty)
            #expect(DiskFile.size("\(path).part") == 0)
            #expect(reason { () throws(DownloadError) in try file.write([1]) } == .notReceiving)
        }
    }

    @Test("a continued reply with less than the rest leaves the next request to continue")
    func less() throws {
        try withTen { file, _ in
            let fields: HTTPFields = [.contentRange: "bytes 10-19/100"]
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .receive)
            try file.write([UInt8](repeating: 2, count: 10))
            let early = reason { () throws(DownloadError) in try file.finish() }
            #expect(early == .incomplete(received: 20, expected: 100))
            #expect(file.requestFields[.range] == "bytes=20-")
        }
    }

    @Test(
        "a reply that ends early states whether another attempt continues",
        arguments: [
            ("\"a\"", "continue"), ("W/\"a\"", "start from the beginning"),
            (nil, "start from the beginning"),
        ])
    func advice(_ tag: String?, _ end: String) throws {
        var fields: HTTPFields = [.contentLength: "100"]
        fields[.eTag] = tag
        try withTen(fields) { file, _ in
            let early = problem { () throws(DownloadError) in try file.finish() }
            #expect(early?.reason == .incomplete(received: 10, expected: 100))
            #expect(early?.canContinue == (end == "continue"))
            #expect(early?.description.hasSuffix("; start it again, it will \(end)") == true)
            let full = problem { () throws(DownloadError) in
                try file.disk { () throws(DiskFile.Problem) in throw DiskFile.Problem(code: ENOSPC)
                }
            }
            let advice = "make room and start it again, it will \(end)"
            #expect(full?.description.hasSuffix(advice) == true)
        }
    }

    @Test(
        "a continued reply with the complete document replaces the partial file",
        arguments: [200, 203])
    func everything(_ status: Int) throws {
        try withTen { file, path in
            let fields: HTTPFields = [.eTag: "\"b\"", .contentLength: "3"]
            let found = try file.accept(head(status, fields), at: noon)
            #expect(found == .receive)
            #expect(file.offset == 0 && file.expected == 3)
            #expect(DiskFile.size("\(path).part") == 0)
            try file.write([7, 8, 9])
            try file.finish()
            #expect(try DiskFile.read(path) == [7, 8, 9])
        }
    }

    @Test("the reply to a continued download removes the old bytes before the new are validated")
    func order() throws {
        try withTen { file, path in
            unlink("\(path).part.json")
            mkdir("\(path).part.json", 0o700)
            let fields: HTTPFields = [.eTag: "\"b\"", .contentLength: "3"]
            #expect(refusal(&file, head(200, fields)) == .system(EISDIR))
            #expect(DiskFile.size("\(path).part") == 0)
            #expect(file.offset == 0 && file.requestFields.isEmpty)
            #expect(reason { () throws(DownloadError) in try file.write([1]) } == .notReceiving)
            rmdir("\(path).part.json")
            let verdict = try file.accept(head(200, fields), at: noon)
            #expect(verdict == .receive)
        }
    }

    @Test(
        "a continued reply of another version restarts the download",
        arguments: [
            [.eTag: "\"b\"", .contentRange: "bytes 10-99/100"],
            [.eTag: "W/\"a\"", .contentRange: "bytes 10-99/100"],
            [.eTag: "\"b\"", .contentRange: "nonsense"],
            [.eTag: "\"a\"", .contentRange: "bytes 10-99/101"],
            [.contentEncoding: "gzip", .contentRange: "bytes 10-99/100"],
        ] as [HTTPFields])
    func otherVersion(_ fields: HTTPFields) throws {
        try withTen { file, path in
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .requestAgain)
            #expect(file.offset == 0 && file.requestFields.isEmpty && file.expected == nil)
            #expect(DiskFile.size("\(path).part") == 0)
            #expect(reason { () throws(DownloadError) in try file.write([1]) } == .notReceiving)
            #expect(reason { () throws(DownloadError) in try file.finish() } != nil)
        }
    }

    @Test("a reply that nothing is left means complete, if the length is right")
    func nothingLeft() throws {
        let unknown: HTTPFields = [.eTag: "\"a\""]
        try withTen(unknown) { file, path in
            let fields: HTTPFields = [.contentRange: "bytes */10"]
            let found = try file.accept(head(416, fields), at: noon)
            #expect(found == .complete)
            try file.finish()
            #expect(try DiskFile.read(path)?.count == 10)
        }
        for range in ["bytes */11", "bytes */9", "bytes 0-9/10", nil] {
            try withTen(unknown) { file, _ in
                var fields: HTTPFields = [:]
                fields[.contentRange] = range
                let found = try file.accept(head(416, fields), at: noon)
                #expect(found == .requestAgain)
                #expect(file.offset == 0)
            }
        }
        try withTen { file, _ in
            let fields: HTTPFields = [.contentRange: "bytes */10"]
            let found = try file.accept(head(416, fields), at: noon)
            #expect(found == .requestAgain)
        }
        try withTen(unknown) { file, _ in
            let fields: HTTPFields = [.contentRange: "bytes */10", .eTag: "\"b\""]
            let found = try file.accept(head(416, fields), at: noon)
            #expect(found == .requestAgain)
        }
    }

    @Test("a continued reply without the complete length leaves that to the next request")
    func unknownLength() throws {
        try withTen([.eTag: "\"a\""]) { file, _ in
            let fields: HTTPFields = [.contentRange: "bytes 10-19/*"]
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .receive)
            try file.write([UInt8](repeating: 2, count: 10))
            let early = reason { () throws(DownloadError) in try file.finish() }
            #expect(early == .incomplete(received: 20, expected: nil))
            let end: HTTPFields = [.contentRange: "bytes */20"]
            let last = try file.accept(head(416, end), at: noon)
            #expect(last == .complete)
            try file.finish()
        }
        try withTen([.eTag: "\"a\""]) { file, path in
            let fields: HTTPFields = [.contentRange: "bytes 10-19/20"]
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .receive)
            #expect(file.expected == 20)
            let journal = try #require(try DiskFile.read("\(path).part.json"))
            #expect(PartialJournal(stored: journal)?.length == 20)
        }
    }

    @Test("a decoded reply is not continued, and its length is not that of the file")
    func encoded() throws {
        let fields: HTTPFields = [
            .eTag: "\"a\"", .contentLength: "5", .contentEncoding: "gzip",
        ]
        try withTen(fields) { file, path in
            #expect(file.expected == nil && file.validator == nil)
            let journal = try #require(try DiskFile.read("\(path).part.json"))
            #expect(PartialJournal(stored: journal)?.validators == Validators())
            try file.finish()
            #expect(try DiskFile.read(path)?.count == 10)
        }
    }

    @Test("a continued download is validated by a strong tag, or by the date if there is no tag")
    func validators() throws {
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        func validator(_ fields: HTTPFields) throws -> String? {
            try withTen(fields) { file, _ in file.requestFields[.ifRange] }
        }
        #expect(try validator([.eTag: "\"a\"", .lastModified: old]) == "\"a\"")
        // Without its sending time, it may have changed within that minute.
        #expect(try validator([.lastModified: old]) == nil)
        #expect(try validator([.eTag: "W/\"a\"", .lastModified: old]) == nil)
        #expect(try validator([.eTag: "a", .lastModified: old]) == nil)
        #expect(try validator([.eTag: "\"a b\""]) == nil)
        let long = "\"\(String(repeating: "a", count: 8_191))\""
        let rested = "Sun, 06 Nov 1994 10:00:00 GMT"
        #expect(try validator([.eTag: long, .lastModified: old, .date: rested]) == nil)
        #expect(try validator([.lastModified: "yesterday"]) == nil)
        // A document that changed in the minute in which it was sent may change again with the same
        // date.
        #expect(
            try validator([.lastModified: old, .date: "Sun, 06 Nov 1994 08:50:36 GMT"]) == nil)
        #expect(
            try validator([.lastModified: old, .date: "Sun, 06 Nov 1994 08:50:37 GMT"]) == old)
        #expect(try validator([:]) == nil)
    }

    @Test("a continued reply with another date restarts the download also if it leaves out its tag")
    func otherDateWithoutTag() throws {
        let old: HTTPFields = [
            .eTag: "\"a\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
            .date: "Sun, 06 Nov 1994 10:00:00 GMT", .contentLength: "100",
        ]
        try withTen(old) { file, _ in
            let fields: HTTPFields = [
                .lastModified: "Sun, 06 Nov 1994 09:49:37 GMT", .contentRange: "bytes 10-99/100",
            ]
            let found = try file.accept(head(206, fields), at: noon)
            #expect(found == .requestAgain)
        }
    }

    @Test("a continued download has no length with a transfer coding, whatever else is declared")
    func transferCoding() throws {
        let fields: HTTPFields = [.contentLength: "2", .transferEncoding: "chunked"]
        try withTen(fields) { file, path in
            #expect(file.expected == nil)
            try file.finish()
            #expect(try DiskFile.read(path)?.count == 10)
        }
    }

    @Test("a continued reply of a document with a date restarts the download if the date differs")
    func otherDate() throws {
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        for (date, verdict) in [
            (old, PartialFile.ReplyAction.receive),
            ("Mon, 07 Nov 1994 08:49:37 GMT", .requestAgain),
        ] {
            let sent = "Sun, 06 Nov 1994 08:50:37 GMT"
            try withTen([.lastModified: old, .date: sent, .contentLength: "100"]) { file, _ in
                let fields: HTTPFields = [
                    .lastModified: date, .contentRange: "bytes 10-99/100",
                ]
                let found = try file.accept(head(206, fields), at: noon)
                #expect(found == verdict)
            }
        }
    }
}
