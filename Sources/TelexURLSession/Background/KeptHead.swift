import Foundation
import HTTPTypes
import TelexTransport

/// The head of a reply as it is stored, without what may be a secret.
struct KeptHead: Codable {
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

    /// nil for what no reply has.
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
