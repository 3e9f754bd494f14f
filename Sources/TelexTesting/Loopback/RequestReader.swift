import HTTPTypes

/// Reads requests from a connection, one after the other (RFC 9112).
struct RequestReader {
    /// The result of a read.
    enum Event {
        case request(LoopbackRequest, keepsConnection: Bool)
        /// An incomplete, invalid or refused request, after which the connection must be closed.
        case broken(BrokenRequest)
        case end
    }

    private static let headLimit = 65_536
    private let socket: Socket
    private let connection: Int
    private let bodyLimit: Int
    private let bodyPart: LoopbackServer.BodyPart
    private var buffer: [UInt8] = []
    /// How much of the last request's body is unread.
    private var unreadCount = 0
    /// The parts of the current request that have been read.
    private var line = ""
    private var fields: HTTPFields = [:]

    init(_ socket: Socket, connection: Int, of server: LoopbackCore) {
        self.socket = socket
        self.connection = connection
        bodyLimit = server.settings.bodyLimit
        bodyPart = server.bodyPart
    }

    mutating func next() -> Event {
        do throws(Failure) {
            (line, fields) = ("", [:])
            try skipBody()
            return try readRequest()
        } catch {
            return switch error {
            case .ended where unreadCount > 0 || line.isEmpty && buffer.isEmpty: .end
            case .ended: .broken(brokenRequest(nil))
            case .refused(let status): .broken(brokenRequest(status))
            }
        }
    }

    private func brokenRequest(_ status: Int?) -> BrokenRequest {
        BrokenRequest(line: line, fields: fields, status: status, connection: connection)
    }

    private enum Failure: Error {
        case ended
        case refused(Int)
    }

    private mutating func readRequest() throws(Failure) -> Event {
        line = try readLine(limit: Self.headLimit)
        let words = line.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { throw .refused(400) }
        try readFields()
        let length = try declaredLength()
        if fields[.expect]?.lowercased() == "100-continue" {
            guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw .ended }
        }
        let part = bodyPart(String(words[1]))
        let request = LoopbackRequest(
            method: String(words[0]), target: String(words[1]), fields: fields,
            body: try readBody(of: length, upTo: part ?? .max), connection: connection)
        let keeps = words[2] == "HTTP/1.1" && fields[.connection]?.lowercased() != "close"
        return .request(request, keepsConnection: keeps)
    }

    private mutating func skipBody() throws(Failure) {
        while unreadCount > 0 {
            if buffer.isEmpty { try fill() }
            let count = min(buffer.count, unreadCount)
            buffer.removeFirst(count)
            unreadCount -= count
        }
    }

    private mutating func readFields() throws(Failure) {
        var left = Self.headLimit
        while true {
            let line = try readLine(limit: left)
            if line.isEmpty { return }
            left -= line.utf8.count
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
                throw .refused(400)
            }
            fields.append(HTTPField(name: name, value: parts[1].trimmed))
        }
    }

    /// The length of the body by the head; nil for one in chunks.
    private func declaredLength() throws(Failure) -> Int? {
        if let coding = fields[.transferEncoding] {
            guard coding.lowercased() == "chunked" else { throw .refused(501) }
            return nil
        }
        guard let text = fields[.contentLength] else { return 0 }
        guard let length = Int(text), length >= 0 else { throw .refused(400) }
        guard length <= bodyLimit else { throw .refused(413) }
        return length
    }

    private mutating func readBody(of length: Int?, upTo part: Int) throws(Failure) -> [UInt8] {
        guard let length else { return try readChunks() }
        unreadCount = max(0, length - part)
        return try take(length - unreadCount)
    }

    private mutating func readChunks() throws(Failure) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = try readLine(limit: 1024).prefix { $0 != ";" }
            guard let count = Int(size, radix: 16), count >= 0 else { throw .refused(400) }
            guard count > 0 else { break }
            guard count <= bodyLimit - body.count else { throw .refused(413) }
            body += try take(count)
            guard try readLine(limit: 0).isEmpty else { throw .refused(400) }
        }
        while try !readLine(limit: Self.headLimit).isEmpty {}
        return body
    }

    /// Reads a line and removes its line end.
    private mutating func readLine(limit: Int) throws(Failure) -> String {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { buffer.removeSubrange(...end) }
                guard end <= limit + 1 else { throw .refused(431) }
                let line = buffer[..<end]
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            guard buffer.count <= limit + 1 else { throw .refused(431) }
            searched = buffer.count
            try fill()
        }
    }

    private mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private mutating func fill() throws(Failure) {
        let bytes = socket.receive()
        if bytes.isEmpty { throw .ended }
        buffer += bytes
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
