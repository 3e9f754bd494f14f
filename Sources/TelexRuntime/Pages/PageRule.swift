import HTTPTypes
public import TelexJSON
import TelexRequests
import TelexTransport

/// How the pages of a list follow one another; made by generated code.
///
/// A list that counts items or pages ends at its total and at a page without items. Every other list
/// ends at a page that names no next one; before that, pages may be without items. Any list ends
/// where it would lead back to a page that was loaded before.
public struct PageRule<Page: Sendable>: Sendable {
    typealias Next =
        @Sendable (
            _ page: OperationResponse<Page>, _ position: PagePosition, _ count: Int
        ) -> PagePosition?

    /// The kind of positions, for messages.
    let kind: String
    /// Whether a list with this rule has such a position.
    let takes: @Sendable (PagePosition) -> Bool
    /// Returns the position after a page with a number of items; nil at the end.
    let next: Next

    private init(
        _ kind: String, _ takes: @escaping @Sendable (PagePosition) -> Bool, _ next: @escaping Next
    ) {
        self.kind = kind
        self.takes = { $0 == .start || takes($0) }
        self.next = next
    }

    /// Each call says how many items it leaves out.
    ///
    /// - Parameters:
    ///   - first: The number that the first call leaves out.
    ///   - total: Returns the number of all items; nil if it is not known.
    public static func offset(
        from first: Int, total: @escaping @Sendable (Page) -> Int? = { _ in nil }
    ) -> Self {
        Self("an offset", { $0.asOffset != nil }) { response, position, count in
            let (next, isTooLarge) = (position.asOffset ?? first).addingReportingOverflow(count)
            guard count > 0, !isTooLarge, next < total(response.value) ?? .max else { return nil }
            return .offset(next)
        }
    }

    /// Each call has the number of a page.
    ///
    /// - Parameters:
    ///   - first: The number in the first call.
    ///   - last: Returns the number of the last page; nil if it is not known.
    public static func page(
        from first: Int, last: @escaping @Sendable (Page) -> Int? = { _ in nil }
    ) -> Self {
        Self("the number of a page", { $0.asPage != nil }) { response, position, count in
            let page = position.asPage ?? first
            guard count > 0, page < last(response.value) ?? .max else { return nil }
            return .page(page + 1)
        }
    }

    /// Each page has a text that the next call sends.
    ///
    /// - Parameter token: Returns it; nil or an empty text at the end.
    public static func token(_ token: @escaping @Sendable (Page) -> String?) -> Self {
        Self("a token", { $0.asToken != nil }) { response, _, _ in
            token(response.value).flatMap { $0.isEmpty ? nil : .token($0) }
        }
    }

    /// Each page has an integer that the next call sends.
    ///
    /// - Parameter number: Returns it; nil at the end.
    public static func number(_ number: @escaping @Sendable (Page) -> Int?) -> Self {
        Self("an integer as token", { $0.asNumber != nil }) { response, _, _ in
            number(response.value).map { .token(String($0)) }
        }
    }

    /// Each page has an object, a list or any JSON that the next call sends.
    ///
    /// - Parameter json: Returns it; nil, null or one without members or elements at the end.
    public static func json<Token: JSONReadable & JSONWritable & Sendable>(
        _ json: @escaping @Sendable (Page) -> Token?
    ) -> Self {
        Self("JSON as token", { ($0.asJSON() as Token?) != nil }) { response, _, _ in
            guard let token = json(response.value) else { return nil }
            var writer = JSONWriter()
            token.write(to: &writer)
            let text = String(decoding: writer.bytes, as: UTF8.self)
            return ["null", "{}", "[]"].contains(text) ? nil : .token(text)
        }
    }

    /// A header field of each page has what the next call sends; a missing or an empty one is the
    /// end.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - isNumber: Whether the next call sends an integer. With another text, loading throws.
    public static func header(_ name: String, isNumber: Bool = false) -> Self {
        let kind = isNumber ? "an integer as token" : "a token"
        return Self(kind, { (isNumber ? $0.asNumber?.description : $0.asToken) != nil }) {
            response, _, _ in
            let value = HTTPField.Name(name).flatMap { response.head?.headerFields[$0] } ?? ""
            return value.isEmpty ? nil : .token(value)
        }
    }

    /// Each page has the address of the next one. It may be relative to the address that replied.
    ///
    /// - Parameter address: Returns it; nil or an empty text at the end.
    public static func address(_ address: @escaping @Sendable (Page) -> String?) -> Self {
        following { response in
            // An empty reference would lead back to the page.
            address(response.value).flatMap { $0.isEmpty ? nil : $0 }.map {
                response.address?.resolving($0)?.text ?? $0
            }
        }
    }

    /// The header field `Link` has the address of the next page (RFC 8288).
    ///
    /// - Parameter relation: The relation of the link, such as `next`.
    public static func link(_ relation: String) -> Self {
        following { $0.head?.headerFields.link(relation, on: $0.address) }
    }

    private static func following(
        _ address: @escaping @Sendable (OperationResponse<Page>) -> String?
    ) -> Self {
        Self("an address", { if case .address = $0 { true } else { false } }) { response, _, _ in
            address(response).map { .address($0) }
        }
    }

    /// Each page has query items that are added to the next call, in place of those with the same
    /// name.
    ///
    /// - Parameter query: Returns them; nil or none at the end.
    public static func merging(
        _ query: @escaping @Sendable (Page) -> [String: String]?
    ) -> Self {
        Self("query items", { if case .query = $0 { true } else { false } }) { response, _, _ in
            query(response.value).flatMap { $0.isEmpty ? nil : .query($0) }
        }
    }
}
