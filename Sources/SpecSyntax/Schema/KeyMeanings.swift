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
        for line in text.split(separator: "\n") {
            guard line.hasPrefix("  "), let sign = line.firstRange(of: " = ") else {
                mapping = String(line)
                continue
            }
            for key in line[..<sign.lowerBound].split(separator: " ") {
                let before = result[mapping]?[String(key)].map { $0 + "; " } ?? ""
                result[mapping, default: [:]][String(key)] = before + line[sign.upperBound...]
            }
        }
        return result
    }()
}
