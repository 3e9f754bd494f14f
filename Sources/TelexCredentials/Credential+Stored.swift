import TelexJSON

extension Credential {
    /// The serialised credential, as stores keep it.
    package var stored: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }

    /// Decodes a credential from a store.
    package init(stored bytes: [UInt8], in place: String) throws(CredentialStoreError) {
        let result = JSONReader.read(bytes) { json -> Credential? in json.value() }
        guard let value = result.value else {
            throw CredentialStoreError(
                .read, "\(place) does not hold a credential\(Self.hint(result.syntaxError))",
                needsLogin: true)
        }
        self = value
    }

    /// The position of the syntax error, without any content, and the advice.
    private static func hint(_ error: JSONSyntaxError?) -> String {
        let place = error.map { " (it is not JSON at byte \($0.offset))" } ?? ""
        return "\(place); clear the store and log in again"
    }
}
