import HTTPTypes
import TelexJSON

/// What is known about the bytes of an unfinished download; kept in a file beside them.
struct PartialJournal: Equatable, Sendable {
    /// The form of the file; another number is not read.
    static let version = 1
    /// More than the form ever needs.
    static let limit = 65_536

    /// Which document it is: a hash of what is asked for.
    var source: String
    /// Which version of it.
    var validators: Validators
    /// How many bytes it has; nil if the server has not said.
    var length: Int?
    /// What the server says it is, and the name that it proposes, made harmless: a reply with a part
    /// does not repeat that (RFC 9110, section 15.3.7).
    private(set) var type: String?
    private(set) var name: String?

    /// What stands for a document in a journal. Nobody learns the address from it.
    static func fingerprint(of source: DownloadSource) -> String {
        let origin = source.address.origin
        let text = "\(origin.scheme)://\(origin.host):\(origin.port)\(source.address.target)"
        return SHA256.hexadecimal("\(text)\n\(source.choice)".utf8)
    }

    /// Takes over what a reply says of the document, if it says something.
    mutating func describe(_ fields: HTTPFields) {
        if let type = fields[.contentType] { self.type = type }
        let proposed = fields[.contentDisposition].flatMap(ContentDisposition.fileName)
        if let name = proposed.flatMap(SafeFileName.name) { self.name = name }
    }

    /// The bytes of the file.
    var stored: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }

    init(source: String, validators: Validators, length: Int?) {
        self.source = source
        self.validators = validators
        self.length = length
    }

    /// Reads the bytes of a file; nil if they are not what ``stored`` makes.
    init?(stored bytes: [UInt8]) {
        let result = JSONReader.read(bytes) { json -> PartialJournal? in json.value() }
        guard result.report.isValid, let value = result.value,
            value.validators.modified.map(HTTPField.isValidValue) ?? true
        else { return nil }
        self = value
    }
}

extension PartialJournal: JSONReadable, JSONWritable {
    private static let keys = JSONKeys(
        required: ["version", "source"], optional: ["etag", "modified", "length", "type", "name"],
        nullable: [])

    static func read(from json: inout JSONReader) -> PartialJournal? {
        var journal = PartialJournal(source: "", validators: Validators(), length: nil)
        var version = 0
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.int(&version)
            case 1: json.string(&journal.source)
            case 2: json.string(&journal.validators.tag)
            case 3: json.string(&journal.validators.modified)
            case 4: json.int(&journal.length)
            case 5: json.string(&journal.type)
            default: json.string(&journal.name)
            }
        }
        // Somebody else may have written it.
        journal.type = journal.type.flatMap { HTTPField.isValidValue($0) ? $0 : nil }
        journal.name = journal.name.flatMap(SafeFileName.name)
        guard json.endObject(), version == Self.version, journal.length ?? 0 >= 0 else {
            return nil
        }
        return journal
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("version", Self.version)
        json.field("source", source)
        json.field("etag", validators.tag)
        json.field("modified", validators.modified)
        json.field("length", length)
        // A journal that is too long is not read.
        json.field("type", type.flatMap { $0.utf8.count <= Self.limit / 16 ? $0 : nil })
        json.field("name", name)
        json.endObject()
    }
}
