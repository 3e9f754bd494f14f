import TelexJSON

/// Which archive of default templates was unpacked, and what its files were. Kept in a file of the
/// default folder.
struct UnpackedDefaults: Sendable {
    /// The version that the app gave the archive.
    var version: String
    /// The CRC-32 of the files, by the names of their methods.
    var checksums: [String: UInt32]

    static let fileName = ".defaults.json"
}

extension UnpackedDefaults {
    /// Reads the record; nil if no archive was unpacked.
    init?(in base: TemplateFolder) throws(TemplaterError) {
        guard let bytes = try base.readFile(Self.fileName) else { return nil }
        let json = try? JSONValue(json: bytes)
        guard let version = json?["version"]?.asString,
            let files = try? json?["files"].map({ try [String: Int64](json: $0) })
        else {
            throw TemplaterError(
                base.file(named: Self.fileName),
                .corrupt("it tells which archive was unpacked, and is damaged"))
        }
        self.version = version
        checksums = files.mapValues { UInt32(truncatingIfNeeded: $0) }
    }

    /// Writes the record.
    func save(in base: TemplateFolder) throws(TemplaterError) {
        let files = checksums.sorted { $0.key < $1.key }.map { method, sum in
            JSONObject.Member(key: method, value: .int(Int64(sum)))
        }
        let json: JSONValue = ["version": .string(version), "files": .object(JSONObject(files))]
        try base.replaceFile(Self.fileName, with: Array(json.description.utf8))
    }
}
