/// The keys of one mapping. The first few are compared one by one; the rest go to a dictionary.
struct KeySet {
    private static let few = 8
    private var texts: [String] = []
    private var records: [Int32] = []
    private var rest: [String: Int32] = [:]

    /// The record of the earlier key with this text, or nil after adding a new one.
    mutating func insert(_ text: String, _ record: Int32) -> Int32? {
        var index = 0
        while index < texts.count {
            if texts[index] == text { return records[index] }
            index += 1
        }
        guard texts.count == Self.few else {
            texts.append(text)
            records.append(record)
            return nil
        }
        if let earlier = rest[text] { return earlier }
        rest[text] = record
        return nil
    }
}
