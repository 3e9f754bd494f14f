import Foundation
import HTTPTypes
import TelexTransport

/// The stored head of a reply, without fields that may hold a secret.
struct StoredHead: Codable {
    private var status: Int
    private var fields: [[String]]

    init(_ head: HTTPResponse) {
        status = head.status.code
        fields = head.headerFields.filter { !$0.name.isSecret }
            .map { [$0.name.rawName, $0.value] }
    }

    init?(stored data: Data) {
        guard let head = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
        self = head
    }

    var stored: Data {
        get throws { try JSONEncoder().encode(self) }
    }

    /// The head; nil if the stored values are invalid.
    var head: HTTPResponse? {
        guard 100...999 ~= status else { return nil }
        var head = HTTPResponse(status: HTTPResponse.Status(code: status))
        for field in fields {
            guard field.count == 2, let name = HTTPField.Name(field[0]) else { return nil }
            head.headerFields.append(HTTPField(name: name, value: field[1]))
        }
        return head
    }
}
