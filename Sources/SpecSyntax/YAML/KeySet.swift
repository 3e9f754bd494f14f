/// The keys of one mapping. Few keys are compared one by one, which needs no memory; the rest go
/// to a dictionary.
struct KeySet {
    private static let few = 8
    private var first: [(text: String, record: Int32)] = []
    private var rest: [String: Int32] = [:]

    /// The record of the earlier key with this text, or nil after adding a new one.
    mutating func insert(_ text: String, _ record: Int32) -> Int32? {
        for key in first where key.text == text { return key.record }
        guard first.count == Self.few else {
            first.append((text, record))
            return nil
        }
        if let earlier = rest[text] { return earlier }
        rest[text] = record
        return nil
    }
}
