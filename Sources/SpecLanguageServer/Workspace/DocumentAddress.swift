import Foundation

/// Addresses of documents.
enum DocumentAddress {
    /// The path of a file; nil for other documents, such as those without a name yet.
    static func path(of uri: String) -> String? {
        guard let url = URL(string: uri), url.isFileURL, url.path.hasPrefix("/") else { return nil }
        return url.standardizedFileURL.path
    }

    static func uri(of path: String) -> String {
        URL(fileURLWithPath: path, isDirectory: false).absoluteString
    }

    /// Whether a file that is called `api.yaml` is of another format: a line of it begins with a key
    /// that only such formats have.
    static func isForeign(_ api: [UInt8]) -> Bool {
        let keys = ["openapi:", "swagger:", "asyncapi:", "apiVersion:", "arazzo:"]
        return api.split(separator: UInt8(ascii: "\n")).contains { line in
            keys.contains { line.starts(with: $0.utf8) }
        }
    }
}
