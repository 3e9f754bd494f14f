import HTTPTypes
import TelexJSON
import TelexTransport

/// The description of the bytes of a partial download, kept in a file beside them.
struct PartialJournal: Equatable, Sendable {
    /// The version of the file format; other versions are not read.
    package static let version = 1
    /// The largest accepted size of the file, more than the format needs.
    package static let limit = 65_536

    /// The fingerprint of the document.
    package var source: String
    /// The validators of the document's version.
    package var validators: Validators
    /// The length of the document; nil if the server did not declare it.
    package var length: Int?
    /// The declared media type, and below it the suggested name, made safe. Kept because a partial
    /// reply does not repeat them (RFC 9110, section 15.3.7).
    package private(set) var type: String?
    package private(set) var name: String?
    /// The hash of the whole document that the server sent; nil if it sent none.
    package var digest: ContentDigest?
    /// The number of bytes on disk when the download ended; nil while it runs, and after its
    /// process was killed.
    package var received: Int?

    /// Returns the hash that identifies a document in a journal. It does not reveal the address.
    package static func fingerprint(of source: DownloadSource) -> String {
        let origin = source.address.origin
        let text = "\(origin.scheme)://\(origin.host):\(origin.port)\(source.address.target)"
        return SHA256.hexadecimal("\(text)\n\(source.choice)".utf8)
    }

    /// Updates the media type, the name and the digest from the fields of a reply, if present.
    package mutating func describe(_ fields: HTTPFields) {
        if let type = fields[.contentType] { self.type = type }
        let proposed = fields[.contentDisposition].flatMap(ContentDisposition.fileName)
        if let name = proposed.flatMap(SafeFileName.name) { self.name = name }
        digest = fields[.reprDigest].flatMap(ContentDigest.init(field:)) ?? digest
    }

    /// The encoded journal.
    package var stored: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }

    package init(source: String, validators: Validators, length: Int?) {
        self.source = source
        self.validators = validators
        self.length = length
    }

    /// Decodes a journal; nil if the bytes are not valid output of ``stored``.
    package init?(stored bytes: [UInt8]) {
        let result = JSONReader.read(bytes) { json -> PartialJournal? in json.value() }
        guard result.report.isValid, let value = result.value,
            value.validators.modified.map(HTTPField.isValidValue) ?? true
        else { return nil }
        self = value
    }
}

extension PartialJournal: JSONReadable, JSONWritable {
    private static let keys = JSONKeys(
        required: ["version", "source"],
        optional: ["etag", "modified", "length", "type", "name", "digest", "received"],
        nullable: [])

    package static func read(from json: inout JSONReader) -> PartialJournal? {
        var journal = PartialJournal(source: "", validators: Validators(), length: nil)
        var version = 0
        var digest: String?
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.int(&version)
            case 1: json.string(&journal.source)
            case 2: json.string(&journal.validators.tag)
            case 3: json.string(&journal.validators.modified)
            case 4: json.int(&journal.length)
            case 5: json.string(&journal.type)
            case 6: json.string(&journal.name)
            case 7: json.string(&digest)
            default: json.int(&journal.received)
            }
        }
        // The values are checked again, because another program may have written the file.
        journal.type = journal.type.flatMap { HTTPField.isValidValue($0) ? $0 : nil }
        journal.name = journal.name.flatMap(SafeFileName.name)
        journal.digest = digest.flatMap { ContentDigest(base64: $0) }
        guard json.endObject(), version == Self.version, journal.length ?? 0 >= 0 else {
            return nil
        }
        return journal
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("version", Self.version)
        json.field("source", source)
        json.field("etag", validators.tag)
        json.field("modified", validators.modified)
        json.field("length", length)
        // A long type is left out, because a journal over the limit is not read.
        json.field("type", type.flatMap { $0.utf8.count <= Self.limit / 16 ? $0 : nil })
        json.field("name", name)
        json.field("digest", digest?.base64)
        json.field("received", received)
        json.endObject()
    }
}
