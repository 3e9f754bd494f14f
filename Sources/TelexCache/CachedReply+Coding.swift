import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The form of a reply in a file: a checksum, the fixed values, the header fields and the body.
/// Numbers are in little-endian order.
extension CachedReply {
    /// Changes with the form, so that files of other versions are not read.
    private static let version = "telex 1"
    /// The latest time in a file; larger numbers are not times.
    private static let latest = 1e12

    /// Returns the content of the file of a reply.
    func file(for key: CacheKey) -> [UInt8] {
        var content: [UInt8] = []
        content.add(requested.timeIntervalSince1970.bitPattern)
        content.add(received.timeIntervalSince1970.bitPattern)
        content.add(UInt64(validatesAlways ? 1 : 0))
        content.add(UInt64(status))
        content.add(UInt64(fields.count))
        for field in fields {
            content.add(text: field.name.rawName)
            content.add(text: field.value)
        }
        content += body
        var file: [UInt8] = []
        file.add(Self.checksum(of: content, key))
        return file + content
    }

    /// Reads a file.
    ///
    /// - Returns: Nil if it is damaged or belongs to another key.
    init?(file: [UInt8], for key: CacheKey) {
        var reader = FileReader(rest: file[...])
        guard let checksum = reader.number(),
            checksum == Self.checksum(of: reader.rest, key),
            let requested = reader.number().flatMap(Self.date),
            let received = reader.number().flatMap(Self.date),
            let flag = reader.number(), let status = reader.number(), (200...599).contains(status),
            let count = reader.number(), count <= Self.largestHead
        else { return nil }
        var fields = HTTPFields()
        for _ in 0..<count {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }),
                let value = reader.text()
            else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(
            status: Int(status), fields: fields, body: Array(reader.rest), requested: requested,
            received: received, validatesAlways: flag != 0)
    }

    private static func date(_ bits: UInt64) -> Date? {
        let seconds = Double(bitPattern: bits)
        return abs(seconds) < latest ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// FNV-1a (draft-eastlake-fnv) of the version, the key and the content. It finds damage by
    /// accident; only the user's own programs can write the file.
    private static func checksum(of content: some Sequence<UInt8>, _ key: CacheKey) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (version + key.owner + key.fileName).utf8 {
            hash = (hash ^ UInt64(byte)) &* UInt64(0x0000_0100_0000_01B3)
        }
        for byte in content { hash = (hash ^ UInt64(byte)) &* UInt64(0x0000_0100_0000_01B3) }
        return hash
    }
}

extension [UInt8] {
    fileprivate mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    fileprivate mutating func add(text: String) {
        add(UInt64(text.utf8.count))
        self += text.utf8
    }
}

private struct FileReader {
    var rest: ArraySlice<UInt8>

    mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func text() -> String? {
        guard let length = number(), length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return String(decoding: rest.prefix(Int(length)), as: UTF8.self)
    }
}
