import SpecSyntax

/// The part of a spec that says all about an edit, before and after it: the edited declarations, what
/// they mention, and what mentions an edited model, with what that mentions.
///
/// An edit of a model's documentation changes the code of the model, and of models that take its fields
/// (`with`). What else mentions it decides only whether it is sent or received; methods that are made
/// for the slice do the same in its place.
struct SpecSlice {
    /// What methods do with the edited models.
    enum Use: CaseIterable {
        case received, receivedAndSent, sent
        /// What those do that mention it.
        case any
    }

    /// The API's names of the edited methods and models, and of all that mention an edited model.
    private(set) var affected: Set<String> = []
    private var included: Set<SpecEdit.Place> = []
    private let edit: SpecEdit
    private let use: Use
    /// The models, by the first word of their names.
    private let models: [String: [SpecEdit.Place]]
    /// The included declarations whose words have not been looked up.
    private var open: [SpecEdit.Place] = []

    /// Collects the declarations; nil if the edit concerns the API or a group as a whole, or so much
    /// that compiling all costs no more.
    init?(of edit: SpecEdit, use: Use) {
        (self.edit, self.use) = (edit, use)
        var models: [String: [SpecEdit.Place]] = [:]
        for (file, text) in edit.new.enumerated() {
            for (index, declaration) in text.declarations.enumerated() where declaration.isModel {
                let words = ByteSearch.words(in: Array(declaration.name.utf8))
                for word in words {
                    models[word, default: []].append(.init(file: file, declaration: index))
                }
            }
        }
        self.models = models
        guard addAffected() else { return nil }
        include(namedIn: edit.api.bytes)
        addTokenMethods()
        while let place = open.popLast() {
            for text in [edit.old[place.file], edit.new[place.file]] {
                include(namedIn: Array(text.file.bytes[text.declarations[place.declaration].range]))
            }
        }
        guard isSmall else { return nil }
    }

    /// The slice of a version.
    func folder(of texts: [DeclaredText]) -> SpecFolder {
        var files = [edit.api] + templates
        for (index, text) in texts.enumerated() {
            let own = Set(included.filter { $0.file == index }.map(\.declaration))
            if own.isEmpty { continue }
            var file = text.file
            file.bytes = text.text(of: own)
            files.append(file)
        }
        if use != .any { files.append(methods) }
        return SpecFolder(shownPath: "", files: files)
    }

    /// The templates of the included methods.
    private var templates: [SpecFolder.File] {
        edit.templates.filter { file in
            let name = String(file.relativePath.drop { $0 != "/" }.dropFirst())
            return included.contains { place in
                let (text, declaration) = (edit.new[place.file], declaration(place))
                if declaration.isModel { return false }
                return text.fullName(of: declaration) + TemplateSyntax.ending == name
                    || !ByteSearch.mentions(of: name, in: Array(text.file.bytes[declaration.range]))
                        .isEmpty
            }
        }
    }

    // MARK: Collecting

    private func declaration(_ place: SpecEdit.Place) -> DeclaredText.Declaration {
        edit.new[place.file].declarations[place.declaration]
    }

    /// Includes the edited declarations, and all that mention an edited model or one of these. False if
    /// something else does.
    private mutating func addAffected() -> Bool {
        var next = edit.changed
        while let place = next.popLast() {
            guard include(place) else { continue }
            let declaration = declaration(place)
            guard declaration.isModel else {
                affected.insert(edit.new[place.file].fullName(of: declaration))
                continue
            }
            affected.insert(declaration.name)
            guard let users = users(of: place), affected.count <= Self.mostAffected else {
                return false
            }
            next += users
        }
        return true
    }

    private static let mostAffected = 64

    /// The declarations besides a model that an edit of it concerns; nil if it concerns anything else.
    private func users(of place: SpecEdit.Place) -> [SpecEdit.Place]? {
        let name = declaration(place).name
        if use == .any, !ByteSearch.mentions(of: name, in: edit.api.bytes).isEmpty { return nil }
        var users: Set<SpecEdit.Place> = []
        for (file, text) in edit.new.enumerated() {
            for mention in ByteSearch.mentions(of: name, in: text.file.bytes) {
                if let index = text.declaration(around: mention) {
                    users.insert(SpecEdit.Place(file: file, declaration: index))
                } else if use == .any {
                    return nil
                }
            }
        }
        users.remove(place)
        if use == .any { return Array(users) }
        return users.filter { place in
            let text = edit.new[place.file].text(ofOnly: place.declaration)
            return !ByteSearch.mentions(of: "with", in: text).isEmpty
                && DeclarationChange.mixesIn(name, text)
        }
    }

    /// The methods that stand for all others.
    private var methods: SpecFolder.File {
        var text = "methods:\n"
        for (index, name) in affected.sorted().enumerated() where models[name] != nil {
            // A whole address is a path of each API.
            let path = #""{address}""#
            if use != .sent {
                text += "  slice.receive\(index): { get: \(path), returns: \(name) }\n"
            }
            if use != .received {
                text += "  slice.send\(index): { post: \(path), json: { value: \(name) } }\n"
            }
        }
        let path = "telex-slice.yaml"
        return SpecFolder.File(relativePath: path, shownPath: path, bytes: Array(text.utf8))
    }

    /// Includes the models that a text names.
    private mutating func include(namedIn text: [UInt8]) {
        for word in ByteSearch.words(in: text) {
            for place in models[word] ?? [] { include(place) }
        }
    }

    /// Includes a declaration, and what the rest of its file names.
    @discardableResult
    private mutating func include(_ place: SpecEdit.Place) -> Bool {
        guard included.insert(place).inserted else { return false }
        open.append(place)
        let isFirst = included.count { $0.file == place.file } == 1
        if isFirst { include(namedIn: edit.new[place.file].text(of: [])) }
        return true
    }

    /// Includes the methods that `api.yaml` names.
    private mutating func addTokenMethods() {
        let words = Set(edit.api.bytes.split { $0 <= 0x20 || ",{}\"'".utf8.contains($0) })
        for (file, text) in edit.new.enumerated() {
            for (index, declaration) in text.declarations.enumerated() where !declaration.isModel {
                guard words.contains(ArraySlice(text.fullName(of: declaration).utf8)) else {
                    continue
                }
                include(SpecEdit.Place(file: file, declaration: index))
            }
        }
    }

    /// Whether the slice is less than a third of the spec.
    private var isSmall: Bool {
        let own = included.map { declaration($0).range.count }.reduce(0, +)
        let all = edit.new.map(\.file.bytes.count).reduce(0, +)
        return own * 3 < all || all < Self.smallSpec
    }

    /// The size of a spec that costs little as a whole.
    private static let smallSpec = 1 << 14
}
