import SpecSyntax

/// A path item or an operation, whose `$ref` may have siblings: what it says itself comes first.
struct ReferringNode {
    /// Where it stands.
    let node: YAMLNode
    private var layers: [YAMLNode]

    /// The most references that are followed.
    private static let longestChain = 50

    init(_ node: YAMLNode, _ files: DescriptionFiles) {
        self.node = node
        layers = [node]
        while layers.count < Self.longestChain, let last = layers.last,
            let next = files.reference(of: last)
        {
            layers.append(next.node)
        }
    }

    func value(of key: String) -> YAMLNode? { values(of: key).first }

    /// What each says under a key, the own value first.
    func values(of key: String) -> [YAMLNode] { layers.compactMap { $0.value(of: key) } }

    func text(of key: String) -> String? { layers.lazy.compactMap { $0.text(of: key) }.first }

    /// The entries of all, each key once, without the references.
    var entries: [YAMLEntry] {
        var seen: Set<String> = ["$ref"]
        return layers.flatMap(\.entries).filter { seen.insert($0.key.text).inserted }
    }
}
