import HTTPTypes
import TelexJSON

/// What is known about the bytes of an unfinished download; kept in a file beside them.
struct PartialJournal: Equatable, Sendable {
    /// The form of the file; another number is not read.
    static let version = 1
    /// More than the form ever needs.
    static let limit = 65_536

    /// Which document it is: a hash of its address.
    var source: String
    /// Which version of it.
    var validators: Validators
    /// How many bytes it has; nil if the server has not said.
    var length: Int?

    /// What stands for an address in a journal. Nobody learns the address from it.
    static func fingerprint(of source: Address) -> String {
        let origin = source.origin
        let text = "\(origin.scheme)://\(origin.host):\(origin.port)\(source.target)"
        return SHA256.hexadecimal(text.utf8)
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
        required: ["version", "source"], optional: ["etag", "modified", "length"], nullable: [])

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
            default: json.int(&journal.length)
            }
        }
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
        json.endObject()
    }
}
