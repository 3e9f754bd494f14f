import HTTPTypes
import TelexJSON
import TelexTransport
import TelexValues

/// A value together with typed header fields of its reply (`reply-headers`).
///
/// The properties of the value are available directly:
///
/// ```swift
/// let page = try await github.repos.list(owner: "swiftlang").value
/// let count = page.count                  // of the value
/// let next = page.headers.next            // from the `Link` field
/// ```
@dynamicMemberLookup
public struct WithHeaders<Value: Sendable, Headers: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The header fields.
    public var headers: Headers

    /// Creates a value with header fields.
    public init(_ value: Value, headers: Headers) {
        self.value = value
        self.headers = headers
    }

    /// A property of the value.
    public subscript<Property>(dynamicMember path: KeyPath<Value, Property>) -> Property {
        value[keyPath: path]
    }
}

extension WithHeaders: Equatable where Value: Equatable, Headers: Equatable {}
extension WithHeaders: Hashable where Value: Hashable, Headers: Hashable {}

/// The place of a value among the header fields of a reply.
public enum ReplyHeader: Sendable, Hashable {
    /// The field of this name.
    case value(String)
    /// The items of all fields of this name, which commas separate (RFC 9110, section 5.6.1).
    case list(String)
    /// The address of the first link with this relation in `Link` (RFC 8288).
    case link(String)

    /// The key under which the reader of the header fields finds the value.
    package var key: String {
        switch self {
        case .value(let name), .list(let name): name
        case .link(let relation): "Link; rel=\(relation)"
        }
    }
}

extension APIRequest {
    /// Returns the same call with typed header fields beside its value.
    ///
    /// - Parameter headers: The places of the values that `Headers` reads. Each is a string, or a
    ///   list of strings, under its key.
    public consuming func withHeaders<Headers: JSONReadable & Sendable>(
        _ headers: [ReplyHeader]
    ) -> APIRequest<WithHeaders<Output, Headers>> {
        APIRequest<WithHeaders<Output, Headers>>(
            content.changed(finish: { _ in nil }) { result, reply, reading in
                var reading = reading
                reading.path = []
                let read = reading.read(reply.document(of: headers)) { $0.value() as Headers? }
                result.report.violations += read.violations.map(\.inHeaders)
                let value = (result.product as? Product<Output>)?.value
                result.product = value.flatMap { value in
                    read.value.map { Product(WithHeaders(value, headers: $0)) }
                }
            })
    }
}

extension Violation {
    /// The violation with the path of a header field.
    fileprivate var inHeaders: Violation {
        var violation = self
        violation.path = "headers" + (path.hasPrefix("[") ? path : ".\(path)")
        return violation
    }
}

extension Reply {
    /// Returns header fields as a JSON object of strings and of lists of strings.
    fileprivate func document(of headers: [ReplyHeader]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for header in headers {
            switch header {
            case .value(let name): Self.write(value(name), of: header, to: &json)
            case .list(let name):
                Self.write(values(name).map(Self.items), of: header, to: &json)
            case .link(let relation):
                let link = head.headerFields.link(relation, on: address)
                Self.write(link, of: header, to: &json)
            }
        }
        json.endObject()
        return json.bytes
    }

    private static func write(
        _ value: (some JSONWritable)?, of header: ReplyHeader, to json: inout JSONWriter
    ) {
        guard let value else { return }
        json.key(header.key)
        json.value(value)
    }

    private func value(_ name: String) -> String? {
        guard let text = values(name)?.joined(separator: ", ") else { return nil }
        guard Self.references.contains(name.lowercased()) else { return text }
        return address?.resolving(text)?.text ?? text
    }

    /// The fields with a reference that may be relative to the address of the reply (RFC 9110,
    /// sections 8.7 and 10.2.2).
    private static let references: Set = ["location", "content-location"]

    private func values(_ name: String) -> [String]? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = head.headerFields[values: name]
        return values.isEmpty ? nil : values
    }

    private static func items(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",").map { String($0.withoutOptionalSpace) } }
            .filter { !$0.isEmpty }
    }
}
