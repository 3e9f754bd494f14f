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
}

/// Files of other formats that may be called `api.yaml`, too.
enum OtherFormat {
    private static let keys = ["openapi:", "swagger:", "asyncapi:", "apiVersion:", "arazzo:"]

    /// Whether a file has a line that begins with a key that only those formats have.
    static func isLike(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { line in
            keys.contains { line.starts(with: $0.utf8) }
        }
    }
}
