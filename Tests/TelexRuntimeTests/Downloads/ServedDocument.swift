import Foundation
import HTTPTypes
import Testing

@testable import TelexDownloads
@testable import TelexRuntime

/// Runs `body` with a folder of its own, which is removed at the end.
func withFolder<T>(_ body: (String) throws -> T) throws -> T {
    let path = temporaryPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// The same without the privileges of root. Only in a process of its own.
func withoutPrivileges<T>(_ body: (String) throws -> T) throws -> T {
    if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
    return try withFolder { folder in
        defer { chmod(folder, 0o700) }
        return try body(folder)
    }
}

/// The names in a folder, sorted.
func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

/// The current date in these tests.
let noon = Date(timeIntervalSince1970: 784_116_000)

/// The source of the documents in these tests.
func source(_ text: String = "https://files.example/a/b?id=42") throws -> DownloadSource {
    DownloadSource(address: try #require(Address(text)))
}

func head(_ status: Int, _ fields: HTTPFields = [:]) -> HTTPResponse {
    HTTPResponse(status: .init(code: status), headerFields: fields)
}

/// Runs a step and returns its failure; nil if it did not fail.
func problem(_ step: () throws(DownloadError) -> Void) -> DownloadError? {
    do throws(DownloadError) {
        try step()
        return nil
    } catch {
        return error
    }
}

/// Runs a step and returns the reason for its failure; nil if it did not fail.
func reason(_ step: () throws(DownloadError) -> Void) -> DownloadError.Reason? {
    problem(step)?.reason
}

/// A document on a server that supports ranges.
struct ServedDocument {
    var bytes: [UInt8]
    var tag: String? = "\"v1\""
    var modified: String?
    var tellsLength = true
    /// Fields of every reply with content.
    var fields: HTTPFields = [:]

    /// The reply to a request, as of RFC 9110, sections 13.1.5 and 14.
    func answer(_ request: HTTPFields) -> (head: HTTPResponse, body: [UInt8]) {
        var fields = fields
        fields[.eTag] = tag
        fields[.lastModified] = modified
        let validator = tag ?? modified
        guard let first = first(request[.range]), request[.ifRange].map({ $0 == validator }) ?? true
        else {
            if tellsLength { fields[.contentLength] = String(bytes.count) }
            return (TelexRuntimeTests.head(200, fields), bytes)
        }
        guard first < bytes.count else {
            fields[.contentRange] = "bytes */\(bytes.count)"
            return (TelexRuntimeTests.head(416, fields), Array("no such range".utf8))
        }
        fields[.contentRange] = "bytes \(first)-\(bytes.count - 1)/\(bytes.count)"
        return (TelexRuntimeTests.head(206, fields), Array(bytes[first...]))
    }

    private func first(_ range: String?) -> Int? {
        range.flatMap { $0.hasPrefix("bytes=") ? Int($0.dropFirst(6).dropLast()) : nil }
    }
}

extension PartialFile {
    /// One attempt, which ends after so many bytes of the body; all of them by default.
    ///
    /// - Returns: How many bytes came, nil if the request has to be sent again.
    @discardableResult
    mutating func attempt(
        _ document: ServedDocument, dropAfter limit: Int = .max, chunk: Int = 100
    ) throws(DownloadError) -> Int? {
        let (head, body) = document.answer(requestFields)
        switch try accept(head, at: noon) {
        case .requestAgain: return nil
        case .complete: return 0
        case .receive: break
        }
        let coming = body.prefix(limit)
        var rest = coming
        while !rest.isEmpty {
            try write(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return coming.count
    }
}

/// Leaves a partial file of another document.
func leavePart(_ bytes: [UInt8], at path: String) throws {
    let journal = PartialJournal(source: "other", validators: Validators(), length: nil)
    try DiskFile.replace("\(path).part", with: bytes)
    try DiskFile.replace("\(path).part.json", with: journal.stored)
}
