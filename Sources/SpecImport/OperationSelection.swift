/// Which operations are imported: by tag, path or identifier.
public struct OperationSelection: Sendable {
    /// Tags, operation identifiers, and beginnings of paths (`/users`); empty: all.
    public var included: [String]
    /// The same, of operations that are left out.
    public var excluded: [String]

    /// - Parameters:
    ///   - included: Tags, operation identifiers, and beginnings of paths (`/users`); empty: all.
    ///   - excluded: The same, of operations that are left out.
    public init(including included: [String] = [], excluding excluded: [String] = []) {
        self.included = included
        self.excluded = excluded
    }

    func accepts(path: String, tags: [String], id: String?) -> Bool {
        let fits = { (choice: String) in
            if choice.first == "/" {
                return path == choice || path.hasPrefix(choice.last == "/" ? choice : choice + "/")
            }
            return choice == id || tags.contains(choice)
        }
        return (included.isEmpty || included.contains(where: fits))
            && !excluded.contains(where: fits)
    }
}
