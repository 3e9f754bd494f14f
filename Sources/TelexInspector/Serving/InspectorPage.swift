import HTTPTypes
import TelexTesting

/// The page: one file with its own script and style. No other script runs in it, and it loads nothing.
struct InspectorPage {
    private let html: String

    init() {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        html = text(PackageResources.page_html)
            .replacing("/*style*/", with: text(PackageResources.page_css))
            .replacing("/*script*/", with: text(PackageResources.page_js))
    }

    /// The page with a nonce, by which the browser knows the script and the style of this reply.
    var reply: LoopbackReply {
        let nonce = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let policy = [
            "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'",
            "connect-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ]
        var fields = Inspector.fields("text/html; charset=utf-8")
        if let name = HTTPField.Name("Content-Security-Policy") {
            fields[name] = policy.joined(separator: "; ")
        }
        return .text(html.replacing("NONCE", with: nonce), fields: fields)
    }
}
