import HTTPTypes
import TelexJSON
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cookies of an API (RFC 6265), in memory alone. It knows no list of public suffixes: a server
/// may set a cookie for `co.example`, which only servers of the API get.
package final class CookieJar: Sendable {
    /// The most cookies of a domain and of all domains (RFC 6265, section 6.1); the oldest go
    /// first.
    package static let limits = (domain: 50, all: 300)
    /// The most former values whose secrets are remembered.
    fileprivate static let mostFormer = 50

    fileprivate struct State {
        /// The cookies in the order of their creation.
        var cookies: [Cookie] = []
        /// Values that were replaced, which replies may repeat.
        var former: [String] = []
    }

    private let state = Lock(State())

    /// Creates an empty jar.
    package init() {}

    /// Keeps the cookies of a reply, and removes those that it ends.
    package func store(_ head: HTTPResponse, from address: Address, at now: Date) {
        let texts = head.headerFields[values: .setCookie].prefix(Self.limits.domain)
        let new = texts.compactMap { Cookie($0, from: address, at: now) }
        guard !new.isEmpty else { return }
        state.withLock { state in
            for cookie in new { state.add(cookie, isSecure: address.isSecure, at: now) }
        }
    }

    /// Returns the cookies for a request, besides those with the names given, as the value of
    /// `Cookie`; nil if there are none.
    package func field(for address: Address, besides names: Set<String>, at now: Date) -> String? {
        let cookies = state.withLock { $0.cookies }
        let sent = cookies.enumerated().filter {
            !names.contains($0.element.name) && $0.element.isSent(to: address, at: now)
        }
        // Cookies with longer paths come first, then those that were created earlier.
        let sorted = sent.sorted { left, right in
            let (first, second) = (left.element.path.utf8.count, right.element.path.utf8.count)
            return first == second ? left.offset < right.offset : first > second
        }
        guard !sorted.isEmpty else { return nil }
        return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    /// The values that no text may show.
    package var secrets: [String] { state.withLock { $0.cookies.map(\.value) + $0.former } }

    /// Removes all cookies.
    package func clear() {
        state.withLock { state in
            state.former = state.cookies.suffix(Self.mostFormer).map(\.value)
            state.cookies = []
        }
    }
}

extension CookieJar.State {
    fileprivate mutating func add(_ cookie: Cookie, isSecure: Bool, at now: Date) {
        let index = cookies.firstIndex(where: cookie.replaces)
        if let index {
            // A reply over plain HTTP does not replace a cookie of an encrypted one (RFC 6265bis).
            guard isSecure || !cookies[index].isSecure else { return }
            former = former.suffix(CookieJar.mostFormer - 1) + [cookies[index].value]
            cookies[index] = cookie
        } else {
            cookies.append(cookie)
        }
        cookies.removeAll { $0.expiry.map { $0 <= now } ?? false }
        let siblings = cookies.indices.filter { cookies[$0].domain == cookie.domain }
        if siblings.count > CookieJar.limits.domain { cookies.remove(at: siblings[0]) }
        if cookies.count > CookieJar.limits.all { cookies.removeFirst() }
    }
}
