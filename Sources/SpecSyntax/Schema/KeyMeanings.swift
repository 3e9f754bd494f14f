/// The sentences of the reference pages about the keys of a spec. A test writes them from the tables
/// of the pages.
package enum KeyMeanings {
    /// The sentence about a key of a mapping, which is given by its name in messages.
    package static func meaning(of key: String, in mapping: String) -> String? {
        byMapping[mapping]?[key]
    }

    private static let byMapping: [String: [String: String]] = {
        var result: [String: [String: String]] = [:]
        var mapping = ""
        var keys: [Substring] = []
        var separator = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("    ") {
                for key in keys {
                    let before = result[mapping]?[String(key)].map { $0 + separator } ?? ""
                    result[mapping, default: [:]][String(key)] = before + line.dropFirst(4)
                }
                separator = " "
            } else if line.hasPrefix("  ") {
                keys = line.dropFirst(2).split(separator: " ")
                separator = "; "
            } else {
                mapping = String(line)
            }
        }
        return result
    }()
}
