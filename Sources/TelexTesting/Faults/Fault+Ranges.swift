import HTTPTypes

extension Fault {
    static let rangeFaults = [wrongRange, wholeInsteadOfRange, changedBetweenParts]

    /// A 206 with another range than requested (RFC 9110, 15.3.7).
    public static let wrongRange = Fault(
        "206 with the wrong range", duty: "compares Content-Range with what it asked for",
        Probe(.text("0123", status: 206), fields: [.range: "bytes=4-"]),
        replies: .bytes(
            Array(digits.prefix(4)), status: 206, fields: [.contentRange: "bytes 0-3/10"]))

    /// The whole file instead of a range: a server may ignore Range (RFC 9110, 14.2).
    public static let wholeInsteadOfRange = Fault(
        "200 instead of 206", duty: "begins again instead of appending",
        Probe(.reply(status: 200, body: digits), fields: [.range: "bytes=4-"]),
        replies: .bytes(digits))

    /// The file changes while it is downloaded.
    public static let changedBetweenParts = Fault(
        "ETag change in mid-download", duty: "begins again with the new file",
        probes: [
            Probe(.cut(after: 4, of: 10)),
            Probe(.text("abcdefghij"), fields: [.range: "bytes=4-", .ifRange: "\"1\""]),
        ],
        makeHandler: {
            let file = FileOnServer(digits, entityTag: "\"1\"")
            file.cutNextReply(after: 4)
            return { request in
                defer { file.replace(with: Array("abcdefghij".utf8), entityTag: "\"2\"") }
                return file.answer(request)
            }
        })
}
