/// A body that is being received, or the beginning of a longer one.
package struct BodySample: Sendable {
    package var bytes: [UInt8] = []
    /// The number of bytes received so far, including those that are not kept.
    package var size = 0
    /// Whether the body was received to its end.
    package var isComplete = false

    package init() {}

    /// The body, if it was received to its end and kept whole, and is not empty.
    package var whole: [UInt8]? {
        isComplete && size == bytes.count && size > 0 ? bytes : nil
    }
}
