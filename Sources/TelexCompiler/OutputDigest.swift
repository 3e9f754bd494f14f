/// A number of 64 bits for all that generated files depend on, and for the files themselves. While
/// it stays the same, generating again would change nothing.
///
/// It tells apart what differs by accident. It is not a cryptographic hash.
public struct OutputDigest: Sendable, Equatable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Creates the digest of all but the spec.
    ///
    /// - Parameters:
    ///   - tool: The identity of the tool, which another build of it does not have.
    ///   - parts: The numbers of Swift files that are declared, as in `TelexCompiler.compile`.
    ///   - outputs: The Swift files of the output folder, in any order; those that telex did not
    ///     generate make no difference.
    public init(tool: String, parts: [String: Int]?, outputs: [OutputChanges.Existing]) {
        add(tool)
        add((parts ?? [:]).sorted { $0.key < $1.key }) { digest, part in
            digest.add(part.key)
            digest.add(UInt64(bitPattern: Int64(part.value)))
        }
        add(outputs.filter(\.isGenerated).sorted { $0.name < $1.name }) { digest, file in
            digest.add(file.name)
            file.bytes.withUnsafeBytes { digest.add($0) }
        }
    }

    /// The text of the digest with a spec: up to 16 hexadecimal digits.
    ///
    /// - Parameter specs: The files that are compiled, in any order.
    public func text(with specs: [SpecFolder.File]) -> String {
        var digest = self
        digest.add(specs.sorted { $0.relativePath < $1.relativePath }) { digest, file in
            digest.add(file.relativePath)
            file.bytes.withUnsafeBytes { digest.add($0) }
        }
        return String(digest.state, radix: 16)
    }

    private mutating func add<Item>(_ items: [Item], _ body: (inout Self, Item) -> Void) {
        add(UInt64(items.count))
        for item in items { body(&self, item) }
    }

    private mutating func add(_ text: String) {
        Array(text.utf8).withUnsafeBytes { add($0) }
    }

    private mutating func add(_ word: UInt64) { mix(word, 0) }

    /// Adds the number of bytes, then 16 bytes at a time. The loop has no generic code of this
    /// module, so that it is fast in a debug build, too: 0.7 ms for 1 MB.
    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        let whole = bytes.count & ~15
        var place = 0
        while place < whole {
            mix(
                bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self))
            place &+= 16
        }
        for byte in bytes[whole...] { add(UInt64(byte)) }
    }

    private mutating func mix(_ first: UInt64, _ second: UInt64) {
        let odd: UInt64 = 0xD6E8_FEB8_6659_FD93
        let product = (state ^ first).multipliedFullWidth(by: second ^ odd)
        state = product.high ^ product.low
    }
}
